// Byte strings as the system takes them. A path that the system would refuse as too long is reached through a folder on
// the way that is held open.
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
const LONGEST_PLACE = 3_000;
const LARGEST_IGNORE_FILE = 4 * 1_048_576;
const NO_FOLLOW = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const PLAIN = /^[^\u0080-\uffff]*$/;

/** A byte string as the system's functions take it. */
function systemPath(bytes: string): string | Buffer {
  return PLAIN.test(bytes) ? bytes : Buffer.from(bytes, 'latin1');
}

/** A text of the system as a byte string. */
export function bytesOfText(text: string): string {
  return PLAIN.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** What stands there, links not followed; undefined when nothing does. */
export function lookAt(bytes: string): Stats | undefined {
  return lstatSync(systemPath(bytes), { throwIfNoEntry: false });
}

/** What is in a folder, ordered by the bytes of the names. */
export function entriesIn(bytes: string): readonly FolderEntry[] {
  const found = readdirSync(systemPath(bytes), { encoding: 'latin1', withFileTypes: true });
  return found
    .map(
      (entry) =>
        ({ name: entry.name, kind: entry.isFile() ? 'f' : entry.isDirectory() ? 'd' : '?' }) as const,
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A name in a folder, as a byte string. */
export interface FolderEntry {
  readonly name: string;
  /** f for a file, d for a folder, ? for what has to be looked at. */
  readonly kind: 'f' | 'd' | '?';
}

/** The path that a link names. */
export function targetOf(bytes: string): string {
  return readlinkSync(systemPath(bytes), { encoding: 'latin1' });
}

/** Stands for the content of a file that is too large to be taken at once. */
export const TOO_LARGE = Symbol('too large');

/** The content of a small file as a byte string; undefined for what is no file, is a link, or may not be read. */
export function contentOf(bytes: string): string | typeof TOO_LARGE | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(systemPath(bytes), NO_FOLLOW);
    const found = fstatSync(descriptor);
    if (!found.isFile()) return undefined;
    if (found.size > LARGEST_IGNORE_FILE) return TOO_LARGE;
    const buffer = Buffer.alloc(found.size);
    return buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, found.size, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Where folders are reached. */
export class Places {
  readonly #held: number[] = [];

  /** Where a folder is reached that lies in another one. */
  below(place: string, name: string): string {
    const path = `${place}/${name}`;
    if (path.length <= LONGEST_PLACE) return path;
    const descriptor = openSync(systemPath(path), NO_FOLLOW | constants.O_DIRECTORY);
    this.#held.push(descriptor);
    return `${OPEN_FILES}/${descriptor}`;
  }

  /** Lets go of what was held; no place may be used after that. */
  close(): void {
    for (const descriptor of this.#held.splice(0)) closeSync(descriptor);
  }
}

/** The system's code for what went wrong. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
}
