// Owns: whether a file is still the one that was recorded: its name leads to the same place, with the same content.
import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import type { Digest } from '../kernel/index.ts';
import { digestOfFileNow } from './file-digest.ts';

interface FileMark {
  /** The real path, relative to the root if it is inside. */
  readonly target: string;
  /** Absent outside the root: the machine's own programs are not part of what is recorded. */
  readonly digest?: Digest;
}

/** Describes the file `name` in `root`, links followed; undefined unless it is a regular file. */
export function markFile(root: string, name: string): FileMark | undefined {
  let real: string;
  let realRoot: string;
  try {
    realRoot = realpathSync.native(root);
    real = realpathSync.native(join(root, name));
  } catch {
    return undefined;
  }
  const inside = relative(realRoot, real);
  const isInside = !inside.startsWith('..') && !isAbsolute(inside);
  const digest = digestOfFileNow(real);
  if (digest === undefined) return undefined;
  return isInside ? { target: inside, digest } : { target: real };
}

/** Whether the file `name` in `root` is the recorded one. */
export function isRecorded(root: string, name: string, record: Readonly<Record<string, FileMark>>): boolean {
  if (!Object.hasOwn(record, name)) return false;
  const [known, now] = [record[name], markFile(root, name)];
  return now !== undefined && known?.target === now.target && known.digest === now.digest;
}
