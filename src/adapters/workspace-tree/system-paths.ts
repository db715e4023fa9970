// System calls on paths that are byte strings: one character for each byte.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs';

const OPEN_FILES = '/proc/self/fd';
const MAX_PATH_LENGTH = 3_000;
const MAX_CONTENT_BYTES = 4 * 1_048_576;
const NO_FOLLOW = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const PLAIN = /^[^\u0080-\uffff]*$/;

/** Converts a byte string to the argument of a system call. */
function systemPath(bytes: string): string | Buffer {
  return PLAIN.test(bytes) ? bytes : Buffer.from(bytes, 'latin1');
}

/** The state of a path, links not followed; undefined if it does not exist. */
export function statOf(bytes: string): Stats | undefined {
  return lstatSync(systemPath(bytes), { throwIfNoEntry: false });
}

/** Lists a folder, ordered by the bytes of the names. */
export function entriesIn(bytes: string): readonly FolderEntry[] {
  const found = readdirSync(systemPath(bytes), { encoding: 'latin1', withFileTypes: true });
  const entries = found.map(
    (entry): FolderEntry => ({
      name: entry.name,
      kind: entry.isFile() ? 'f' : entry.isDirectory() ? 'd' : '?',
    }),
  );
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** An entry of a folder; its name is a byte string. */
export interface FolderEntry {
  readonly name: string;
  /** f for a file, d for a folder, ? for everything else. */
  readonly kind: 'f' | 'd' | '?';
}

/** The target of a link. */
export function targetOf(bytes: string): string {
  return readlinkSync(systemPath(bytes), { encoding: 'latin1' });
}

/** Returned in place of a content that is larger than 4 MiB. */
export const TOO_LARGE = Symbol('too large');

/** The content of a small file as a byte string; undefined if it is no regular file or cannot be read. */
export function contentOf(bytes: string): string | typeof TOO_LARGE | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openFile(bytes);
    const found = fstatSync(descriptor);
    if (!found.isFile()) return undefined;
    if (found.size > MAX_CONTENT_BYTES) return TOO_LARGE;
    const buffer = Buffer.alloc(found.size);
    return buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, found.size, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Opens a file for reading; fails if it is a link, and does not wait for the other end of a pipe. */
export function openFile(bytes: string): number {
  return openSync(systemPath(bytes), NO_FOLLOW);
}

/** The paths by which folders are reached. A path that the system would reject as too long starts at an open descriptor. */
export class FolderPaths {
  readonly #descriptors: number[] = [];

  /** The path of a folder in another one. */
  below(folder: string, name: string): string {
    const path = `${folder}/${name}`;
    if (path.length <= MAX_PATH_LENGTH) return path;
    const descriptor = openSync(systemPath(path), NO_FOLLOW | constants.O_DIRECTORY);
    this.#descriptors.push(descriptor);
    return `${OPEN_FILES}/${descriptor}`;
  }

  /** Closes all descriptors; no path may be used after that. */
  close(): void {
    for (const descriptor of this.#descriptors.splice(0)) closeSync(descriptor);
  }
}

/** The error code of a failed system call. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
}
