import type { Stats } from 'node:fs';
import type { FolderRecord, Stamp } from '../../context/index.ts';
import { NUMBERS } from './folder-visit.ts';

const FORMAT = 0o170_000;
const [FILE, FOLDER, LINK] = [0o100_000, 0o040_000, 0o120_000];
const OWNER_MAY_EXECUTE = 0o100;

/** What is kept of a file's state: size, modified at, changed at, inode. */
export type Numbers = [size: number, modifiedAt: number, changedAt: number, inode: number];

/** The letter of what has this mode, as in `FolderRecord`; empty for what is no node. */
export function letterOf(mode: number): string {
  const format = mode & FORMAT;
  if (format === FILE) return (mode & OWNER_MAY_EXECUTE) === 0 ? 'f' : 'x';
  return format === FOLDER ? 'd' : format === LINK ? 'l' : '';
}

export function isFolder(found: Stats | undefined): found is Stats {
  return found !== undefined && (found.mode & FORMAT) === FOLDER;
}

/** True when the child at this place of a known folder need not be read again. */
export function isUnchanged({ stamps }: FolderRecord, slot: number, found: Stats): boolean {
  const at = slot * NUMBERS;
  return (
    stamps[at] === found.size &&
    stamps[at + 1] === found.mtimeMs &&
    stamps[at + 2] === found.ctimeMs &&
    stamps[at + 3] === found.ino
  );
}

/** True when a folder need not be listed again. */
export function sameStamp(known: Stamp, found: Stamp): boolean {
  return (
    known.changedAt !== 0 &&
    known.changedAt === found.changedAt &&
    known.modifiedAt === found.modifiedAt &&
    known.inode === found.inode &&
    known.size === found.size
  );
}

/** Gives what was found its numbers. What is not older than the scan gets no time, so that the next one looks again. */
export class Stamps {
  readonly #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  numbersOf({ size, mtimeMs, ctimeMs, ino }: Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>): Numbers {
    return [size, mtimeMs, mtimeMs >= this.#now || ctimeMs >= this.#now ? 0 : ctimeMs, ino];
  }

  /** The numbers of a file as it was read; one that kept changing is read again by the next scan. */
  afterReading({ stamp, trouble }: { readonly stamp: Readonly<Numbers>; readonly trouble: string }): Numbers {
    const [size, mtimeMs, ctimeMs, ino] = stamp;
    const numbers = this.numbersOf({ size, mtimeMs, ctimeMs, ino });
    return trouble === '' ? numbers : [size, mtimeMs, 0, ino];
  }

  stampOf(found: Stats): Stamp {
    const [size, modifiedAt, changedAt, inode] = this.numbersOf(found);
    return { size, modifiedAt, changedAt, inode };
  }
}
