import { closeSync, fstatSync, mkdirSync, openSync, rmSync, type Stats, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { FolderRecord, Stamp } from '../../context/index.ts';

const FORMAT = 0o170_000;
const [FILE, FOLDER, LINK] = [0o100_000, 0o040_000, 0o120_000];
const OWNER_MAY_EXECUTE = 0o100;

/** The numbers of a stamp, as a `FolderRecord` lists them for each child. */
export type StampNumbers = readonly [size: number, modifiedAt: number, changedAt: number, inode: number];
export const STAMP_LENGTH = 4;

/** The letter of a file mode, as in `FolderRecord`; empty for sockets, pipes and devices. */
export function kindOfMode(mode: number): string {
  const format = mode & FORMAT;
  if (format === FILE) return (mode & OWNER_MAY_EXECUTE) === 0 ? 'f' : 'x';
  return format === FOLDER ? 'd' : format === LINK ? 'l' : '';
}

export function isFolder(found: Stats | undefined): found is Stats {
  return found !== undefined && (found.mode & FORMAT) === FOLDER;
}

export function numbersOf({ size, mtimeMs, ctimeMs, ino }: Stats): StampNumbers {
  return [size, mtimeMs, ctimeMs, ino];
}

/** Sets the change time of what is not older than the scan to 0, because it may change again without looking newer. */
export function settleStamp(numbers: StampNumbers, scanStartedAt: number): StampNumbers {
  const [size, modifiedAt, changedAt, inode] = numbers;
  const isSettled = modifiedAt < scanStartedAt && changedAt < scanStartedAt;
  return [size, modifiedAt, isSettled ? changedAt : 0, inode];
}

export function toStamp([size, modifiedAt, changedAt, inode]: StampNumbers): Stamp {
  return { size, modifiedAt, changedAt, inode };
}

/** True if a child of a known folder has the stamp that it had, so that its content is the same. */
export function isUnchanged({ stamps }: FolderRecord, slot: number, found: Stats): boolean {
  const at = slot * STAMP_LENGTH;
  return (
    stamps[at] === found.size &&
    stamps[at + 1] === found.mtimeMs &&
    stamps[at + 2] === found.ctimeMs &&
    stamps[at + 3] === found.ino
  );
}

/** True if a folder has the entries that it had. */
export function isSameStamp(known: Stamp, found: Stamp): boolean {
  return (
    known.changedAt !== 0 &&
    known.changedAt === found.changedAt &&
    known.modifiedAt === found.modifiedAt &&
    known.inode === found.inode &&
    known.size === found.size
  );
}

/** The time that the file system gives to a file written now in this folder; its clock may differ from the machine's. */
export function fileSystemTime(folder: string): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'scan-time');
  // Removed first, so that a link with this name is not followed.
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
