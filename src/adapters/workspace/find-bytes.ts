import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

const CHUNK_BYTES = 1_048_576;

/** How often a folder is searched again because others replaced files meanwhile. */
const MAX_SEARCHES = 5;

export interface FoundFiles {
  readonly found: readonly string[];
  /** False if a file was gone before it was read: it may have got the name of one that was read before. */
  readonly isComplete: boolean;
}

/** The files below a folder that contain one of these texts as UTF-8; links are not followed. */
export function filesWith(folder: string, texts: readonly string[]): FoundFiles {
  const needles = texts.map((text) => Buffer.from(text)).filter(({ length }) => length > 0);
  for (let search = 1; ; search += 1) {
    const files = searchOnce(folder, needles);
    if (files.isComplete || search === MAX_SEARCHES) return files;
  }
}

function searchOnce(folder: string, needles: readonly Buffer[]): FoundFiles {
  const found: string[] = [];
  let isComplete = true;
  const unlessGone = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      isComplete = false;
      return undefined;
    }
  };
  const files = unlessGone(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? [];
  for (const entry of files) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && unlessGone(() => holds(file, needles))) found.push(file);
  }
  return { found, isComplete };
}

function holds(file: string, needles: readonly Buffer[]): boolean {
  const overlap = Math.max(0, ...needles.map(({ length }) => length)) - 1;
  const buffer = Buffer.alloc(CHUNK_BYTES + overlap);
  const descriptor = openSync(file, 'r');
  try {
    for (let kept = 0; ; ) {
      const read = readSync(descriptor, buffer, kept, CHUNK_BYTES, null);
      if (read === 0) return false;
      const seen = buffer.subarray(0, kept + read);
      if (needles.some((needle) => seen.includes(needle))) return true;
      kept = Math.min(overlap, seen.length);
      seen.copy(buffer, 0, seen.length - kept);
    }
  } finally {
    closeSync(descriptor);
  }
}
