import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

const CHUNK_BYTES = 1_048_576;

/** The files below a folder that contain one of these texts as UTF-8; links are not followed. */
export function filesWith(folder: string, texts: readonly string[]): readonly string[] {
  const needles = texts.map((text) => Buffer.from(text)).filter(({ length }) => length > 0);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => holds(file, needles));
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
