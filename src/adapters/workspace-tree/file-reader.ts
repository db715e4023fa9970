import type { Stats } from 'node:fs';
import type { contentHasher } from './content-hasher.ts';

/**
 * Files to read, as byte strings with a NUL behind each, and the four numbers that each was seen with: size, modified at,
 * changed at, inode. The first is not a number where nobody has looked yet.
 */
export interface ReadRequest {
  readonly paths: string;
  /** What was last changed before this moment has not changed while it was read. */
  readonly settledBefore: number;
  readonly stamps: Float64Array;
}

/** What was read, file by file, and the four numbers that belong to it. */
export interface ReadAnswer {
  /** The hash of each content, one behind the other; blanks where there is none. */
  readonly hashes: string;
  /** x for each file that its owner may execute, f for others. */
  readonly kinds: string;
  /** By place: the system's error code, `NOT_A_FILE`, or `CHANGING` beside the hash of what was read last. */
  readonly troubles: ReadonlyMap<number, string>;
  readonly stamps: Float64Array;
}

/**
 * Makes the function that reads and hashes files. It runs in worker threads as the text that it is, so it uses nothing but
 * what Node has everywhere and what it is given.
 */
export function fileReader(hashOf: ReturnType<typeof contentHasher>): (request: ReadRequest) => ReadAnswer {
  const fs = process.getBuiltinModule('node:fs');
  const flags = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;
  const attempts = 3;
  const ownerMayExecute = 0o100;
  const blank = ' '.repeat(64);

  const isSame = (found: Stats, stamps: Float64Array, place: number): boolean =>
    found.size === stamps[place] &&
    found.mtimeMs === stamps[place + 1] &&
    found.ctimeMs === stamps[place + 2] &&
    found.ino === stamps[place + 3];

  /** Reads until the file is the same before and after; the place's numbers become those of what was read. */
  const readOpen = (
    descriptor: number,
    { stamps, settledBefore }: ReadRequest,
    place: number,
  ): [string, string, string] => {
    const isUnseen = Number.isNaN(stamps[place]);
    for (let attempt = 1; ; attempt++) {
      const hash = hashOf(descriptor);
      const found = fs.fstatSync(descriptor);
      const isSettled = isUnseen && found.mtimeMs < settledBefore && found.ctimeMs < settledBefore;
      if (!found.isFile()) return ['', '', 'NOT_A_FILE'];
      const kind = (found.mode & ownerMayExecute) === 0 ? 'f' : 'x';
      if (isSame(found, stamps, place)) return [hash, kind, ''];
      stamps.set([found.size, found.mtimeMs, found.ctimeMs, found.ino], place);
      if (isSettled) return [hash, kind, ''];
      if (attempt === attempts) return [hash, kind, 'CHANGING'];
    }
  };

  const readOne = (path: string, request: ReadRequest, place: number): [string, string, string] => {
    let descriptor: number | undefined;
    try {
      const isPlain = /^[^\u0080-\uffff]*$/.test(path);
      descriptor = fs.openSync(isPlain ? path : Buffer.from(path, 'latin1'), flags);
      return readOpen(descriptor, request, place);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return ['', '', code === 'EISDIR' ? 'NOT_A_FILE' : (code ?? 'UNKNOWN')];
    } finally {
      if (descriptor !== undefined) fs.closeSync(descriptor);
    }
  };

  return (request) => {
    const { paths, stamps } = request;
    let [hashes, kinds] = ['', ''];
    const troubles = new Map<number, string>();
    for (const [i, path] of paths.slice(0, -1).split('\0').entries()) {
      const [hash, kind, trouble] = readOne(path, request, i * 4);
      hashes += hash === '' ? blank : hash;
      kinds += kind === '' ? 'f' : kind;
      if (trouble !== '') troubles.set(i, trouble);
    }
    return { hashes, kinds, troubles, stamps };
  };
}
