import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where a program stands in the first of some folders that has it; those of the PATH unless others are named. */
export function findProgram(name: string, folders: readonly string[] = pathFolders()): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** The folders of the PATH. One that is relative means another folder each time, and counts for none. */
export function pathFolders(): readonly string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
}

/** True for a file that may be run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
