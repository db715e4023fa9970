import { closeSync, openSync, readSync } from 'node:fs';
import { isOkaError } from '../../kernel/index.ts';
import { type MirrorRecord, parseMirrorLine } from '../../ledger/index.ts';

const CHUNK = 1 << 20;
const NEWLINE = 0x0a;

export interface Line {
  readonly line: string;
  /** Where the line begins, in bytes. */
  readonly offset: number;
  /** False for a last line without its newline. */
  readonly complete: boolean;
}

/** The lines of a file, without reading it whole. A file that is not there has none. */
export function* readLines(file: string): Generator<Line> {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    const chunk = Buffer.alloc(CHUNK);
    let rest: Buffer = Buffer.alloc(0);
    let offset = 0;
    for (let position = 0; ; ) {
      const read = readSync(descriptor, chunk, 0, CHUNK, position);
      if (read === 0) break;
      position += read;
      let buffer =
        rest.length === 0
          ? Buffer.from(chunk.subarray(0, read))
          : Buffer.concat([rest, chunk.subarray(0, read)]);
      for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE)) {
        yield { line: buffer.toString('utf8', 0, end), offset, complete: true };
        offset += end + 1;
        buffer = buffer.subarray(end + 1);
      }
      rest = buffer;
    }
    if (rest.length > 0) yield { line: rest.toString('utf8'), offset, complete: false };
  } finally {
    closeSync(descriptor);
  }
}

/** What a line says; undefined where it is damaged. */
export function recordOf(line: string): MirrorRecord | undefined {
  try {
    return parseMirrorLine(line);
  } catch (error) {
    if (isOkaError(error, 'ledger.damaged')) return undefined;
    throw error;
  }
}

/** How the file ends: how many bytes of a torn last line, and the seq of the last whole one. */
export function readTail(
  file: string,
  size: number,
): { readonly tornBytes: number; readonly lastSeq: number } {
  for (let window = CHUNK; ; window *= 4) {
    const start = Math.max(0, size - window);
    const bytes = readRange(file, start, size - start);
    const end = bytes.lastIndexOf(NEWLINE);
    if (end < 0 && start > 0) continue;
    const tornBytes = bytes.length - (end + 1);
    const lines = bytes
      .toString('utf8', 0, end + 1)
      .split('\n')
      .slice(0, -1);
    if (start > 0) lines.shift();
    const lastSeq = seqAtEnd(lines);
    if (lastSeq !== undefined || start === 0) return { tornBytes, lastSeq: lastSeq ?? lines.length };
  }
}

/** The seq of the last line; a damaged line is counted, so that the ones after it keep their places. */
function seqAtEnd(lines: readonly string[]): number | undefined {
  for (let i = lines.length - 1; i >= 0; i--) {
    try {
      const record = parseMirrorLine(lines[i] as string);
      return ('event' in record ? record.event.seq : record.archived.seq) + (lines.length - 1 - i);
    } catch {
      // A damaged line: `compare` names it; here only its place counts.
    }
  }
  return undefined;
}

function readRange(file: string, start: number, length: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    let done = 0;
    while (done < length) {
      const read = readSync(descriptor, bytes, done, length - done, start + done);
      if (read === 0) break;
      done += read;
    }
    return bytes.subarray(0, done);
  } finally {
    closeSync(descriptor);
  }
}
