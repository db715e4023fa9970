// Owns: `run_ledger.jsonl`, the ledger as lines. Does not own: the truth, which is the database.
// I1 Lines are appended in order of seq, by the one process that holds the lease.
// I2 Opening mends only the tail: a torn line is cut, missing lines are appended, lines that the database does not
//    know are set aside in a file of their own. Anything deeper is reported by `compare` and left alone.
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type Clock, isOkaError, OkaError } from '../../kernel/index.ts';
import {
  archivedLine,
  type EventAddress,
  type Fault,
  type Leases,
  type LedgerEvent,
  type LedgerHead,
  type MirrorRecord,
  mirrorLine,
  parseMirrorLine,
} from '../../ledger/index.ts';
import { compareMirror } from './compare-mirror.ts';
import { readLines, readTail } from './read-lines.ts';
import { replaceFile } from './replace-file.ts';

const LEASE = 'mirror';
const LEASE_MS = 15_000;
const FLUSH_AFTER_MS = 25;
const MOST_WAITING = 4_000;

/** Where the mirror gets what it has not seen. */
interface MirrorSource {
  records(afterSeq: number): Iterable<MirrorRecord>;
  head(): Promise<LedgerHead>;
}

interface MirrorOptions {
  readonly file: string;
  readonly source: MirrorSource;
  readonly leases: Leases;
  readonly owner: string;
  readonly clock: Clock;
}

export class Mirror {
  readonly #options: MirrorOptions;
  #descriptor: number | undefined;
  #seq = 0;
  #leaseUntil = 0;
  #waiting: LedgerEvent[] = [];
  #armed: (() => void) | undefined;
  #problem: unknown;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /** Mends the tail and takes up writing if nobody else does. Answers with what had to be mended. */
  async open(): Promise<readonly string[]> {
    if (!this.#holdLease()) return [];
    this.#descriptor = openSync(this.#options.file, 'a+', 0o600);
    return this.#heal();
  }

  /** Takes note of stored events; they are written a moment later, off the path of whoever committed them. */
  note = (events: readonly LedgerEvent[]): void => {
    if (this.#descriptor === undefined) return;
    for (const event of events) this.#waiting.push(event);
    if (this.#waiting.length > MOST_WAITING) this.flush();
    else
      this.#armed ??= this.#options.clock.callAt(
        this.#options.clock.now() + FLUSH_AFTER_MS,
        () => this.flush(),
        { background: true },
      );
  };

  /** Writes all that is known so far. A full disk is remembered and tried again; the database has everything. */
  flush(): void {
    this.#armed?.();
    this.#armed = undefined;
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length === 0 || this.#descriptor === undefined) return;
    if (!this.#holdLease()) return;
    try {
      if (this.#follows(events)) this.#append(events.map((event) => ({ event })));
      else this.#catchUp();
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error;
    }
  }

  /** Why the last write failed, if it did. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Writes everything that the ledger has, if nobody else is at it, and lets go. */
  close(): void {
    this.#armed?.();
    this.#armed = undefined;
    this.#waiting = [];
    try {
      if (!this.#holdLease()) return;
      const descriptor = this.#descriptor ?? this.#takeOver();
      this.#catchUp();
      fdatasyncSync(descriptor);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      if (this.#descriptor !== undefined) closeSync(this.#descriptor);
      this.#descriptor = undefined;
      if (this.#leaseUntil > 0) this.#options.leases.release(LEASE, this.#options.owner);
    }
  }

  /** The one who wrote the mirror has left; we go on where it stopped. */
  #takeOver(): number {
    const descriptor = openSync(this.#options.file, 'a+', 0o600);
    this.#descriptor = descriptor;
    const { size } = fstatSync(descriptor);
    const tail = readTail(this.#options.file, size);
    if (tail.tornBytes > 0) ftruncateSync(descriptor, size - tail.tornBytes);
    this.#seq = tail.lastSeq;
    return descriptor;
  }

  /** What differs between the lines and the ledger. While another process writes them, the newest may be on their way. */
  compare(): readonly Fault[] {
    this.flush();
    const mayLag = this.#descriptor === undefined;
    return compareMirror(readLines(this.#options.file), this.#options.source.records(0), { mayLag });
  }

  /** Overwrites the lines of erased bodies in place, so that nothing of them is left. */
  erase(addresses: readonly EventAddress[]): void {
    this.#requireLease();
    this.flush();
    this.#catchUp();
    const wanted = new Set(addresses.map(({ stream, index }) => `${stream} ${index}`));
    const descriptor = openSync(this.#options.file, 'r+');
    try {
      for (const { line, offset } of readLines(this.#options.file)) {
        const record = readable(line);
        if (record === undefined || !('event' in record)) continue;
        const { event } = record;
        if (event.bodyText === null || !wanted.has(`${event.stream} ${event.index}`)) continue;
        const bare = Buffer.from(mirrorLine({ ...event, bodyText: null, salt: null }));
        const padded = Buffer.alloc(Buffer.byteLength(line), ' ');
        bare.copy(padded);
        writeSync(descriptor, padded, 0, padded.length, offset);
      }
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Writes the whole mirror anew from the ledger. */
  rewrite(): void {
    this.#requireLease();
    this.#waiting = [];
    let last = 0;
    const source = this.#options.source.records(0);
    replaceFile(
      this.#options.file,
      (function* () {
        for (const record of source) {
          last = seqOf(record);
          yield `${lineOf(record)}\n`;
        }
      })(),
    );
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = openSync(this.#options.file, 'a+', 0o600);
    this.#seq = last;
  }

  /** True when the events are exactly the next ones: no other process has committed before or between them. */
  #follows(events: readonly LedgerEvent[]): boolean {
    const last = events.at(-1)?.seq ?? 0;
    return events[0]?.seq === this.#seq + 1 && last === this.#seq + events.length;
  }

  #append(records: Iterable<MirrorRecord>): void {
    const descriptor = this.#descriptor as number;
    const before = fstatSync(descriptor).size;
    let text = '';
    let seq = this.#seq;
    try {
      for (const record of records) {
        text += `${lineOf(record)}\n`;
        seq = seqOf(record);
        if (text.length < 1 << 20) continue;
        writeSync(descriptor, text);
        text = '';
      }
      if (text !== '') writeSync(descriptor, text);
      this.#seq = seq;
    } catch (error) {
      ftruncateSync(descriptor, before);
      throw error;
    }
  }

  #catchUp(): void {
    this.#append(this.#options.source.records(this.#seq));
  }

  async #heal(): Promise<string[]> {
    const descriptor = this.#descriptor as number;
    const mended: string[] = [];
    const { size } = fstatSync(descriptor);
    const tail = readTail(this.#options.file, size);
    if (tail.tornBytes > 0) {
      ftruncateSync(descriptor, size - tail.tornBytes);
      mended.push(
        `the last line of the mirror was torn (${tail.tornBytes} bytes); it was cut and written again`,
      );
    }
    const head = await this.#options.source.head();
    this.#seq = tail.lastSeq;
    if (tail.lastSeq > head.seq) mended.push(this.#setAside(head.seq));
    const missing = head.seq - this.#seq;
    if (missing > 0) {
      this.#catchUp();
      mended.push(
        `${missing} line${missing === 1 ? '' : 's'} that the mirror did not have yet ${missing === 1 ? 'was' : 'were'} written`,
      );
    }
    return mended;
  }

  /** Lines that the database does not know are never thrown away. */
  #setAside(headSeq: number): string {
    let cutAt: number | undefined;
    const beyond: string[] = [];
    for (const { line, offset } of readLines(this.#options.file)) {
      const record = readable(line);
      if (cutAt === undefined && record !== undefined && seqOf(record) > headSeq) cutAt = offset;
      if (cutAt !== undefined) beyond.push(line);
    }
    const aside = `${this.#options.file}.beyond-${this.#options.clock.now()}`;
    writeFileSync(aside, `${beyond.join('\n')}\n`, { mode: 0o600 });
    ftruncateSync(this.#descriptor as number, cutAt ?? 0);
    this.#seq = headSeq;
    return `${beyond.length} lines that the database does not know were moved to ${aside}`;
  }

  #holdLease(): boolean {
    const { leases, owner, clock } = this.#options;
    const now = clock.now();
    if (this.#leaseUntil - now > LEASE_MS / 2) return true;
    const held = leases.acquire(LEASE, owner, now + LEASE_MS);
    this.#leaseUntil = held ? now + LEASE_MS : 0;
    return held;
  }

  #requireLease(): void {
    if (this.#holdLease()) return;
    const holder = this.#options.leases.holder(LEASE);
    throw new OkaError(
      'ledger.busy',
      `the mirror is being written by ${holder?.owner ?? 'another process'}; stop it and try again.`,
      {
        data: { holder: holder?.owner ?? null },
      },
    );
  }
}

function lineOf(record: MirrorRecord): string {
  return 'event' in record ? mirrorLine(record.event) : archivedLine(record.archived);
}

function seqOf(record: MirrorRecord): number {
  return 'event' in record ? record.event.seq : record.archived.seq;
}

function readable(line: string): MirrorRecord | undefined {
  try {
    return parseMirrorLine(line);
  } catch (error) {
    if (isOkaError(error, 'ledger.damaged')) return undefined;
    throw error;
  }
}
