import { createHash, hash as hashOnce } from 'node:crypto';
import { closeSync, fstatSync, readSync, type Stats } from 'node:fs';
import { kindOfMode, numbersOf, type StampNumbers } from './file-stamps.ts';
import { codeOf, openFile } from './system-paths.ts';

const MAX_ATTEMPTS = 3;
const BUFFER = Buffer.allocUnsafeSlow(1_048_576);

export interface FileToHash {
  /** A byte string. */
  readonly path: string;
  /** The stamp that the walk found; undefined if it did not look. */
  readonly seen?: StampNumbers | undefined;
}

export interface HashRequest {
  readonly files: readonly FileToHash[];
  /** A file last changed before this moment did not change while it was read. */
  readonly settledBefore: number;
}

/** The hash of a file's content with the stamp that belongs to it, or the code of the error. */
export type HashedFile =
  | {
      readonly hash: string;
      /** f, or x if its owner may execute it. */
      readonly kind: string;
      readonly stamp: StampNumbers;
      /** It changed during every attempt; the hash is that of the last one. */
      readonly isChanging: boolean;
    }
  | { readonly code: string };

type StatOpenFile = (descriptor: number) => Stats;

/** Hashes files. A file that changes while it is read is read again. */
export function hashFiles(request: HashRequest, stat: StatOpenFile = fstatSync): readonly HashedFile[] {
  return request.files.map((file) => hashFile(file, request.settledBefore, stat));
}

function hashFile({ path, seen }: FileToHash, settledBefore: number, stat: StatOpenFile): HashedFile {
  let descriptor: number | undefined;
  try {
    descriptor = openFile(path);
    let before = seen;
    for (let attempt = 1; ; attempt++) {
      const hash = hashContent(descriptor);
      const found = stat(descriptor);
      if (!found.isFile()) return { code: 'NOT_A_FILE' };
      const stamp = numbersOf(found);
      const isSettled = seen === undefined && found.mtimeMs < settledBefore && found.ctimeMs < settledBefore;
      const isSame = isSettled || stamp.every((number, i) => number === before?.[i]);
      if (isSame || attempt === MAX_ATTEMPTS) {
        return { hash, kind: kindOfMode(found.mode), stamp, isChanging: !isSame };
      }
      before = stamp;
    }
  } catch (error) {
    const code = codeOf(error);
    return { code: code === 'EISDIR' ? 'NOT_A_FILE' : code };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function hashContent(descriptor: number): string {
  let length = readSync(descriptor, BUFFER, 0, BUFFER.length, 0);
  if (length < BUFFER.length) return hashOnce('sha256', BUFFER.subarray(0, length), 'hex');
  const hash = createHash('sha256');
  for (let at = 0; length > 0; ) {
    hash.update(BUFFER.subarray(0, length));
    at += length;
    length = readSync(descriptor, BUFFER, 0, BUFFER.length, at);
  }
  return hash.digest('hex');
}
