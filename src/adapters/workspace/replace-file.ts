import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { withErrorPath } from '../../kernel/index.ts';

/** Replaces a file atomically: after a crash either the old or the new one exists. */
export function replaceFile(file: string, parts: Iterable<string>): void {
  withErrorPath(file, () => replaceWhole(file, parts));
}

function replaceWhole(file: string, parts: Iterable<string>): void {
  const temporary = `${file}.new`;
  const descriptor = openSync(temporary, 'w', 0o600);
  try {
    // Unlike a single write, writeFileSync fails on a disk that becomes full.
    for (const part of parts) writeFileSync(descriptor, part);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
