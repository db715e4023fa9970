import { statSync } from 'node:fs';

/** A text that differs when the file has changed. */
export function fileVersion(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.ctimeNs}`;
}
