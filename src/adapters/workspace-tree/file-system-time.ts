import { closeSync, fstatSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'scan-time';

/** The time that the file system now gives to what is written in this folder; its clock need not be the machine's. */
export function fileSystemTime(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, NAME);
  // A name that is taken by someone else's link is not followed.
  rmSync(file, { force: true });
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, '.');
    return fstatSync(descriptor).mtimeMs;
  } finally {
    closeSync(descriptor);
    rmSync(file, { force: true });
  }
}
