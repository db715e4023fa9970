// Owns: writing files that only their owner reads, so that no link is followed and a crash leaves the old or the new file.
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { OkaError, withErrorPath } from '../kernel/index.ts';
import { temporaryFor } from './temporary-files.ts';

/** Creates a folder for its owner only. Rejects a link, because it could lead anywhere. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (lstatSync(folder).isSymbolicLink()) throw linkRefused(folder);
}

export function linkRefused(path: string): OkaError {
  return new OkaError(
    'config.link_refused',
    `${path} is a link, which Oka does not follow here. Replace it with its target, or remove it.`,
    { data: { path } },
  );
}

/** Writes and syncs a file that must not exist yet; removes it again if it could not be written completely. */
export function writeNewFile(file: string, content: string | Iterable<string>, mode = 0o600): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const descriptor = openSync(file, flags, mode);
  try {
    // The umask may narrow the mode; this makes it exact.
    fchmodSync(descriptor, mode);
    // Unlike a single write, writeFileSync fails on a disk that becomes full.
    for (const part of typeof content === 'string' ? [content] : content) writeFileSync(descriptor, part);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces a file durably and atomically: after a crash either the old or the new one exists. */
export function replaceFile(file: string, content: string | Iterable<string>, { mode = 0o600 } = {}): void {
  const temporary = temporaryFor(file);
  withErrorPath(file, () => {
    // Removes a leftover of a crash, or a link, so that nothing is written through it.
    rmSync(temporary, { force: true });
    writeNewFile(temporary, content, mode);
    renameSync(temporary, file);
    syncPath(dirname(file));
  });
}

/** Makes the content of a file durable, or the names in a folder: files that were created, renamed or removed. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a folder with everything in it durable. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path);
  }
  syncPath(folder);
}
