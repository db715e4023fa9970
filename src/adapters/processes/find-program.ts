import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Finds a program in the first folder that contains it. Default: the PATH. */
export function findProgram(name: string, folders: readonly string[] = pathFolders()): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** The absolute folders of the PATH. Relative ones are ignored because their meaning changes. */
export function pathFolders(): readonly string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
}

/** True for an executable file. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
