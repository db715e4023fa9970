// Owns: `run_ledger.jsonl`, the ledger as lines. Does not own: comparing the two line by line (compare-mirror.ts).
// I1 The process that holds the lease appends lines, in order of seq. On taking the lease it reads where the file ends,
//    because other processes may have written.
// I2 A line is never dropped unless the database has its event. Lines that continue the database's chain are adopted into
//    the database; if they contradict it, nothing is changed and `ledger.diverged` is thrown.
// I3 Content that a tombstone names is removed from the lines before the tombstone's own line is written, so that the next
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
} from 'node:fs';
import { replaceFile } from '../../disk/index.ts';
import { type Clock, isOkaError, OkaError } from '../../kernel/index.ts';
import {
  type Leases,
  type LedgerErrorCode,
  type LedgerEvent,
  type LedgerHead,
  lineOfRecord,
  type MirrorRecord,
  placeOf,
  removalOf,
} from '../../ledger/index.ts';
import { blankLines } from './blank-lines.ts';
import { type MirrorTail, readLines, readTail, recordOf } from './read-lines.ts';

const LEASE = 'mirror';
const LEASE_MS = 15_000;
/** Short, because after a crash the next process that opens the ledger has to write the rest. */
const FLUSH_AFTER_MS = 10;
const RELEASE_AFTER_MS = 1_000;
/** A lease that is not renewed has expired by then. */
const MAX_WAIT_MS = LEASE_MS + 5_000;
/** More events than this are written immediately, because the garbage collector would have to move them. */
const MAX_PENDING = 256;

/** What the mirror needs from the ledger. */
interface MirrorSource {
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

interface MirrorOptions {
  readonly file: string;
  readonly source: MirrorSource;
  readonly leases: Leases;
  readonly owner: string;
  readonly clock: Clock;
  /** Called when the file cannot be written, and when it is complete again. */
  readonly onWarning?: (message: string) => void;
}

export class Mirror {
  readonly #options: MirrorOptions;
  #descriptor: number | undefined;
  #seq = 0;
  #leaseUntil = 0;
  #pending: LedgerEvent[] = [];
  /** Whether the file lacks noted events. */
  #isBehind = false;
  #warning: string | undefined;
  #cancelFlush: (() => void) | undefined;
  #cancelRelease: (() => void) | undefined;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /**
   * Reconciles the file with the database and starts writing, unless another process writes. Returns the repairs. Throws
   * `ledger.diverged` if the two contradict each other. A disk that rejects the file only causes a warning.
   */
  async open(): Promise<readonly string[]> {
    try {
      if (this.#holdLease()) return this.#openFile();
      // Another process writes the file. Nothing may be appended until it has adopted what the database lacks.
      if (this.compareEnds() !== 'sound') await this.hold();
    } catch (error) {
      if (!isDeferred(error)) throw error;
      this.#warn(error);
    }
    return [];
  }

  /**
   * Compares the ends of the file and the database. Reads the file first: a live writer commits to the database before it
   * writes the file, so it never causes `ahead`. A file that lags is `sound`.
   */
  compareEnds(): 'sound' | 'ahead' | 'diverged' {
    const { file, source } = this.#options;
    const { last, damagedLines } = readTail(file, sizeOf(file));
    const head = source.head();
    if (last.seq <= head.seq && source.chainAt(last.seq) !== last.hash) return 'diverged';
    return last.seq + damagedLines > head.seq ? 'ahead' : 'sound';
  }

  /** Queues stored events; they are written a moment later. */
  note = (events: readonly LedgerEvent[]): void => {
    for (const event of events) this.#pending.push(event);
    if (this.#pending.length > MAX_PENDING) this.flush();
    else this.#flushIn(FLUSH_AFTER_MS);
  };

  /** Writes queued events. Failed writes are retried; the database has the events. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const events = this.#pending;
    this.#pending = [];
    if (events.length > 0 || this.#isBehind) this.#write(events);
  }

  #write(events: readonly LedgerEvent[]): void {
    try {
      this.#isBehind = !this.#takeFile();
      if (this.#isBehind) this.#flushIn(RELEASE_AFTER_MS);
      else if (!this.#isNext(events)) this.#catchUp();
      else this.#append(events.map((event) => ({ event })));
      if (!this.#isBehind) this.#clearWarning();
    } catch (error) {
      this.#isBehind = true;
      this.#warn(error);
      this.#flushIn(RELEASE_AFTER_MS);
    }
  }

  #flushIn(ms: number): void {
    const { clock } = this.#options;
    this.#cancelFlush ??= clock.callAt(clock.now() + ms, () => this.flush(), { background: true });
  }

  /** Writes all missing events, unless another process does, and releases the file. */
  close(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#pending = [];
    try {
      if (!this.#takeFile()) return;
      this.#catchUp();
      fdatasyncSync(this.#descriptor as number);
    } catch (error) {
      this.#warn(error);
    } finally {
      this.#release();
    }
  }

  /** Acquires the lease and opens the file; false if another process holds the lease. */
  #takeFile(): boolean {
    if (!this.#holdLease()) return false;
    if (this.#descriptor === undefined) this.#openFile();
    this.#releaseLater();
    return true;
  }

  #openFile(): string[] {
    this.#descriptor = openSync(this.#options.file, 'a+', 0o600);
    try {
      return this.#reconcile();
    } catch (error) {
      this.#release();
      throw error;
    } finally {
      this.#releaseLater();
    }
  }

  /** Releases an idle file, so that other processes can write it. */
  #releaseLater(): void {
    const { clock } = this.#options;
    this.#cancelRelease?.();
    const release = (): void => {
      try {
        this.#release();
      } catch {
        // The database is locked. The lease expires by itself.
      }
    };
    this.#cancelRelease = clock.callAt(clock.now() + RELEASE_AFTER_MS, release, { background: true });
  }

  #release(): void {
    this.#cancelRelease?.();
    this.#closeFile();
    const held = this.#leaseUntil > 0;
    this.#leaseUntil = 0;
    if (held) this.#options.leases.release(LEASE, this.#options.owner);
  }

  #closeFile(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /**
   * Resolves when the file has all current events of the ledger, with tombstones applied, whichever process writes it.
   * Throws `ledger.busy` when another process keeps the lease for too long.
   */
  async settle(): Promise<void> {
    const { source, file } = this.#options;
    const { seq } = source.head();
    await this.#until(() => readTail(file, sizeOf(file)).last.seq >= seq);
  }

  /** Resolves when this process holds the lease for the next synchronous work. Throws as `settle` does. */
  async hold(): Promise<void> {
    await this.#until(() => false);
  }

  /** Waits until this process holds the lease and has written everything, or until `suffices`. */
  async #until(suffices: () => boolean): Promise<void> {
    const { clock } = this.#options;
    for (const until = clock.now() + MAX_WAIT_MS; ; ) {
      if (this.#takeFile()) {
        this.flush();
        this.#catchUp();
        return;
      }
      if (suffices()) return;
      if (clock.now() >= until) throw this.#busy();
      await new Promise<void>((resolve) => clock.callAt(clock.now() + FLUSH_AFTER_MS, resolve));
    }
  }

  /** Rewrites the whole file from the ledger. */
  rewrite(): void {
    if (!this.#holdLease()) throw this.#busy();
    this.#pending = [];
    let last = 0;
    const { source, file } = this.#options;
    const records = source.records(0);
    replaceFile(
      file,
      (function* () {
        for (const record of records) {
          last = placeOf(record).seq;
          yield `${lineOfRecord(record)}\n`;
        }
      })(),
    );
    this.#closeFile();
    this.#descriptor = openSync(file, 'a+', 0o600);
    this.#seq = last;
    this.#releaseLater();
  }

  /** True when the events directly follow the file's end: no other process has committed before or between them. */
  #isNext(events: readonly LedgerEvent[]): boolean {
    const last = events.at(-1)?.seq ?? 0;
    return events[0]?.seq === this.#seq + 1 && last === this.#seq + events.length;
  }

  /** Returns whether the records removed content from earlier lines. */
  #append(records: Iterable<MirrorRecord>): boolean {
    let isArchiving = false;
    let hasRemovals = false;
    this.#appendWhole((descriptor) => {
      let text = '';
      let seq = this.#seq;
      for (const record of records) {
        const removal = 'event' in record ? removalOf(record.event) : undefined;
        hasRemovals ||= removal !== undefined;
        isArchiving ||= removal !== undefined && 'archived' in removal;
        if (isArchiving) break;
        if (text.length > 1 << 20 || removal !== undefined) {
          writeFileSync(descriptor, text);
          text = '';
        }
        if (removal && 'erased' in removal) blankLines(this.#options.file, removal.erased);
        text += `${lineOfRecord(record)}\n`;
        seq = placeOf(record).seq;
      }
      writeFileSync(descriptor, text);
      return seq;
    });
    if (isArchiving) this.rewrite();
    return hasRemovals;
  }

  /** Appends everything that `write` writes, or nothing. `write` returns the last seq. */
  #appendWhole(write: (descriptor: number) => number): void {
    const descriptor = this.#descriptor as number;
    const before = fstatSync(descriptor).size;
    try {
      this.#seq = write(descriptor);
    } catch (error) {
      ftruncateSync(descriptor, before);
      throw error;
    }
  }

  #catchUp(): boolean {
    return this.#append(this.#options.source.records(this.#seq));
  }

  /** Reconciles the end of the file with the end of the database. Returns the repairs. */
  #reconcile(): string[] {
    const { source, file } = this.#options;
    const descriptor = this.#descriptor as number;
    const tail = readTail(file, fstatSync(descriptor).size);
    const { last, soundBytes, damagedLines, tornBytes } = tail;
    const before = source.head().seq;
    if (last.seq > before && damagedLines > 0) throw unreadable(file, damagedLines);
    const repaired = last.seq > before ? this.#adopt(tail) : [];
    const head = source.head();
    this.#seq = Math.min(last.seq, head.seq);
    // The rest of an unfinished transaction has been moved aside.
    if (last.seq > head.seq) return repaired;
    if (source.chainAt(last.seq) !== last.hash)
      throw diverged(file, `event ${last.seq} is not the same in both`);
    const cut = damagedLines + (tornBytes > 0 ? 1 : 0);
    const isCutKnown = last.seq + cut <= head.seq;
    if (!isCutKnown && damagedLines > 0) throw unreadable(file, damagedLines);
    if (cut > 0 && isCutKnown)
      repaired.push(`Rewrote ${count(cut, 'unreadable line')} at the end of run_ledger.jsonl.`);
    else if (cut > 0) repaired.push(this.#setAside(soundBytes, 'An unfinished last line'));
    if (cut > 0) ftruncateSync(descriptor, soundBytes);
    const missing = head.seq - this.#seq;
    if (missing > 0 && this.#catchUp())
      repaired.push('Removed from run_ledger.jsonl what was erased or archived since it was written.');
    return repaired;
  }

  /** Stores events of the file that the database lacks. */
  #adopt({ last, soundBytes }: MirrorTail): string[] {
    const { source, file } = this.#options;
    const { stored, incomplete, brokenAfter } = source.adopt((head) => recordsAfter(file, head, soundBytes));
    if (brokenAfter !== undefined)
      throw diverged(file, `the line after event ${brokenAfter.seq} does not continue the database`);
    const recovered = `Recovered ${count(stored, 'event')} from run_ledger.jsonl that the database did not have.`;
    const repaired = stored > 0 ? [recovered] : [];
    if (incomplete === 0) return repaired;
    const from = offsetOf(file, last.seq - incomplete + 1);
    repaired.push(this.#setAside(from, `${count(incomplete, 'event')} of an unfinished transaction`));
    ftruncateSync(this.#descriptor as number, from);
    return repaired;
  }

  /** Moves the unusable end of the file to a separate file. Returns the message about it. */
  #setAside(from: number, what: string): string {
    const { file, clock } = this.#options;
    const aside = `${file}.beyond-${clock.now()}`;
    const descriptor = this.#descriptor as number;
    const bytes = Buffer.alloc(fstatSync(descriptor).size - from);
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(descriptor, bytes, done, bytes.length - done, from + done);
      if (read === 0) break;
      done += read;
    }
    writeFileSync(aside, bytes, { mode: 0o600, flush: true });
    return `${what} cannot be used and was moved to ${aside}.`;
  }

  #holdLease(): boolean {
    const { leases, owner, clock } = this.#options;
    const now = clock.now();
    if (this.#leaseUntil - now > LEASE_MS / 2) return true;
    // After it has expired, another process may have written the file or replaced it.
    if (this.#leaseUntil <= now) this.#closeFile();
    const held = leases.acquire(LEASE, owner, now + LEASE_MS);
    this.#leaseUntil = held ? now + LEASE_MS : 0;
    if (!held) this.#closeFile();
    return held;
  }

  /** Reports an error once, until the file can be written again. */
  #warn(error: unknown): void {
    const message = `run_ledger.jsonl was not written: ${(error as Error).message} The database has every event; the file is completed when it can be written.`;
    if (this.#warning === message) return;
    this.#warning = message;
    this.#options.onWarning?.(message);
  }

  #clearWarning(): void {
    if (this.#warning === undefined) return;
    this.#warning = undefined;
    this.#options.onWarning?.('run_ledger.jsonl is complete again.');
  }

  #busy(): OkaError {
    const holder = this.#options.leases.holder(LEASE);
    const pid = Number.parseInt(holder?.owner ?? '', 10);
    const who = Number.isNaN(pid) ? 'another process' : `process ${pid}`;
    return new OkaError<LedgerErrorCode>(
      'ledger.busy',
      `${who} keeps writing run_ledger.jsonl. Try again later, or stop that process first.`,
      { data: { holder: holder?.owner ?? null } },
    );
  }
}

/** Whether the error only delays the file: the disk or a lock rejected the write. */
function isDeferred(error: unknown): boolean {
  if (error instanceof OkaError)
    return (
      isOkaError(error, 'ledger.busy') ||
      isOkaError(error, 'ledger.disk_full') ||
      isOkaError(error, 'ledger.read_only')
    );
  return typeof (error as NodeJS.ErrnoException).code === 'string';
}

/** The records of the file after the head of the database, up to an offset. All of them must be readable. */
function* recordsAfter(file: string, head: LedgerHead, to: number): Generator<MirrorRecord> {
  const from = head.seq === 0 ? 0 : offsetOf(file, head.seq);
  let isFirst = head.seq > 0;
  for (const { line } of readLines(file, { from, to })) {
    const record = recordOf(line);
    if (record === undefined) throw unreadable(file, 1);
    if (!isFirst) yield record;
    else if (placeOf(record).hash !== head.hash)
      throw diverged(file, `event ${head.seq} is not the same in both`);
    isFirst = false;
  }
}

/** The offset of the line of a seq; the end of the file if there is none. */
function offsetOf(file: string, seq: number): number {
  for (const { line, offset } of readLines(file))
    if (Number(/^\{"seq":(\d+),/.exec(line)?.[1]) >= seq) return offset;
  return sizeOf(file);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

/** Both cannot be right, so the user has to choose. */
function diverged(file: string, why: string): OkaError {
  return new OkaError<LedgerErrorCode>(
    'ledger.diverged',
    `The database and ${file} contradict each other: ${why}. Nothing was changed. To see both and choose: oka ledger repair.`,
    { data: { mirror: file } },
  );
}

function unreadable(file: string, lines: number): OkaError {
  return diverged(file, `${count(lines, 'line')} cannot be read, and the database does not have the events`);
}
