import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { isOkaError } from '../../kernel/index.ts';
import {
  EMPTY_LEDGER,
  type LedgerHead,
  type MirrorRecord,
  parseMirrorLine,
  placeOf,
} from '../../ledger/index.ts';

const CHUNK = 1 << 20;
const FIRST_WINDOW = 1 << 16;
const NEWLINE = 0x0a;

export interface Line {
  readonly line: string;
  /** The offset of the line, in bytes. */
  readonly offset: number;
  /** False for a last line without its newline. */
  readonly complete: boolean;
}

/** A byte range of a file; to its end by default. */
export interface Range {
  readonly from?: number;
  readonly to?: number;
}

/** Streams the lines of a file. A missing file has none. */
export function* readLines(
  file: string,
  { from = 0, to = Number.POSITIVE_INFINITY }: Range = {},
): Generator<Line> {
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
    let offset = from;
    for (let position = from; position < to; ) {
      const read = readSync(descriptor, chunk, 0, Math.min(CHUNK, to - position), position);
      if (read === 0) break;
      position += read;
      const buffer: Buffer =
        rest.length === 0
          ? Buffer.from(chunk.subarray(0, read))
          : Buffer.concat([rest, chunk.subarray(0, read)]);
      let start = 0;
      for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, start)) {
        yield { line: buffer.toString('utf8', start, end), offset: offset + start, complete: true };
        start = end + 1;
      }
      rest = buffer.subarray(start);
      offset += start;
    }
    if (rest.length > 0) yield { line: rest.toString('utf8'), offset, complete: false };
  } finally {
    closeSync(descriptor);
  }
}

/** Parses a line; undefined if it is damaged. */
export function recordOf(line: string): MirrorRecord | undefined {
  try {
    return parseMirrorLine(line);
  } catch (error) {
    if (isOkaError(error, 'ledger.damaged')) return undefined;
    throw error;
  }
}

export interface MirrorTail {
  /** The last readable line. */
  readonly last: LedgerHead;
  /** The end of that line, in bytes. */
  readonly soundBytes: number;
  /** How many complete lines after it are unreadable. */
  readonly damagedLines: number;
  /** How many bytes follow the last newline. */
  readonly tornBytes: number;
}

/** Reads the end of a mirror, until it finds a readable line. */
export function readTail(file: string): MirrorTail {
  const size = sizeOf(file);
  for (let window = FIRST_WINDOW; ; window *= 4) {
    const start = Math.max(0, size - window);
    const lines = [...readLines(file, { from: start, to: size })];
    // A window that starts inside a line has only a part of its first line.
    if (start > 0) lines.shift();
    const complete = lines.filter((line) => line.complete);
    const last = complete.findLastIndex(({ line }) => recordOf(line) !== undefined);
    if (last < 0 && start > 0) continue;
    const found = complete[last];
    const record = found && recordOf(found.line);
    return {
      last: record === undefined ? EMPTY_LEDGER : placeOf(record),
      soundBytes: found === undefined ? 0 : found.offset + Buffer.byteLength(found.line) + 1,
      damagedLines: complete.length - 1 - last,
      tornBytes: tornIn(lines, size),
    };
  }
}

function tornIn(lines: readonly Line[], size: number): number {
  const last = lines.at(-1);
  return last === undefined || last.complete ? 0 : size - last.offset;
}

/** The size of a file in bytes; 0 if it does not exist. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
