import { accessSync, constants, statSync } from 'node:fs';

/** True for an executable file. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
