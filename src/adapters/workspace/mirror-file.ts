// Owns: the lines of the open mirror file. Does not own: when it may be written, and whether it fits the database.
// I1 Content that a tombstone names is removed from the lines before the tombstone's own line is written, so that the next
//    writer completes the removal after a crash.
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { replaceFile } from '../../disk/index.ts';
import {
  type EventAddress,
  type LedgerEvent,
  type LedgerHead,
  lineOfRecord,
  type MirrorRecord,
  mirrorLine,
  placeOf,
  removalOf,
} from '../../ledger/index.ts';
import { readLines, recordOf } from './read-lines.ts';

/** What the mirror needs from the ledger. */
export interface MirrorSource {
  records(afterSeq: number): Iterable<MirrorRecord>;
  head(): LedgerHead;
  chainAt(seq: number): string | undefined;
  /** Stores records that continue the ledger, or nothing if one does not. */
  adopt(recordsAfter: (head: LedgerHead) => Iterable<MirrorRecord>): {
    readonly stored: number;
    readonly incomplete: number;
    readonly brokenAfter?: LedgerHead;
  };
}

/** The mirror file while this process may write it. */
export class MirrorFile {
  readonly path: string;
  /** The seq of its last line. */
  seq = 0;
  readonly #source: MirrorSource;
  #descriptor: number;

  constructor(path: string, source: MirrorSource) {
    this.path = path;
    this.#source = source;
    this.#descriptor = openSync(path, 'a+', 0o600);
  }

  /** Appends every record of the ledger that the file lacks. Returns whether they removed content from earlier lines. */
  catchUp(): boolean {
    return this.append(this.#source.records(this.seq));
  }

  /** Appends events that directly follow the file's end; catches up if another process has committed before or between them. */
  appendEvents(events: readonly LedgerEvent[]): void {
    const isNext = events[0]?.seq === this.seq + 1 && events.at(-1)?.seq === this.seq + events.length;
    if (isNext) this.append(events.map((event) => ({ event })));
    else this.catchUp();
  }

  /** Appends all records, or none if that fails. Returns whether they removed content from earlier lines. */
  append(records: Iterable<MirrorRecord>): boolean {
    const descriptor = this.#descriptor;
    const before = fstatSync(descriptor).size;
    let isArchiving = false;
    let hasRemovals = false;
    let text = '';
    let { seq } = this;
    try {
      for (const record of records) {
        const removal = 'event' in record ? removalOf(record.event) : undefined;
        hasRemovals ||= removal !== undefined;
        isArchiving ||= removal !== undefined && 'archived' in removal;
        if (isArchiving) break;
        if (text.length > 1 << 20 || removal !== undefined) {
          writeFileSync(descriptor, text);
          text = '';
        }
        if (removal && 'erased' in removal) blankLines(this.path, removal.erased);
        text += `${lineOfRecord(record)}\n`;
        seq = placeOf(record).seq;
      }
      writeFileSync(descriptor, text);
      this.seq = seq;
    } catch (error) {
      ftruncateSync(descriptor, before);
      throw error;
    }
    if (isArchiving) this.rewrite();
    return hasRemovals;
  }

  /** Rewrites the whole file from the ledger. */
  rewrite(): void {
    let last = 0;
    const records = this.#source.records(0);
    const lines = function* (): Generator<string> {
      for (const record of records) {
        last = placeOf(record).seq;
        yield `${lineOfRecord(record)}\n`;
      }
    };
    replaceFile(this.path, lines());
    closeSync(this.#descriptor);
    this.#descriptor = openSync(this.path, 'a+', 0o600);
    this.seq = last;
  }

  /** Moves the end of the file to a separate file and returns its name. */
  setAside(from: number, now: number): string {
    const aside = `${this.path}.beyond-${now}`;
    const bytes = Buffer.alloc(fstatSync(this.#descriptor).size - from);
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.#descriptor, bytes, done, bytes.length - done, from + done);
      if (read === 0) break;
      done += read;
    }
    writeFileSync(aside, bytes, { mode: 0o600, flush: true });
    this.truncate(from);
    return aside;
  }

  truncate(size: number): void {
    ftruncateSync(this.#descriptor, size);
  }

  sync(): void {
    fdatasyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/**
 * Overwrites the lines of erased bodies in place. Concurrent appends do not interfere; if the file is replaced meanwhile,
 * it starts again.
 */
function blankLines(file: string, addresses: readonly EventAddress[]): void {
  const wanted = new Set(addresses.map(({ stream, index }) => `${stream} ${index}`));
  for (let again = true; again; ) {
    const descriptor = openSync(file, 'r+');
    try {
      blank(file, descriptor, wanted);
      fdatasyncSync(descriptor);
      again = fstatSync(descriptor).ino !== statSync(file).ino;
    } finally {
      closeSync(descriptor);
    }
  }
}

function blank(file: string, descriptor: number, wanted: ReadonlySet<string>): void {
  for (const { line, offset } of readLines(file)) {
    const record = recordOf(line);
    if (record === undefined || !('event' in record)) continue;
    const { event } = record;
    if (event.bodyText === null || !wanted.has(`${event.stream} ${event.index}`)) continue;
    const bare = Buffer.from(mirrorLine({ ...event, bodyText: null, salt: null }));
    const padded = Buffer.alloc(Buffer.byteLength(line), ' ');
    bare.copy(padded);
    writeSync(descriptor, padded, 0, padded.length, offset);
  }
}
