// Owns: `run_ledger.jsonl`, the ledger as lines. Does not own: the truth, which is the database.
// I1 Lines are appended in order of seq, by the one process that holds the lease. Whoever gets it anew reads where the file
//    ends: others may have written meanwhile.
// I2 Opening mends only the tail: a torn line is cut, missing lines are appended, lines that the database does not
//    know are set aside in a file of their own. Anything deeper is reported by `compare` and left alone.
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type Clock, OkaError } from '../../kernel/index.ts';
import {
  archivedLine,
  type EventAddress,
  type Fault,
  type Leases,
  type LedgerEvent,
  type LedgerHead,
  type MirrorRecord,
  mirrorLine,
} from '../../ledger/index.ts';
import { blankLines } from './blank-lines.ts';
import { compareMirror } from './compare-mirror.ts';
import { readLines, readTail, recordOf } from './read-lines.ts';
import { replaceFile } from './replace-file.ts';

const LEASE = 'mirror';
const LEASE_MS = 15_000;
/** What a crash leaves unwritten is written when the ledger is opened next, so it should not be much. */
const FLUSH_AFTER_MS = 10;
const LET_GO_AFTER_MS = 1_000;
/** A lease that nobody renews has run out by then. */
const LONGEST_WAIT_MS = LEASE_MS + 5_000;
/** More are written at once: what waits would be moved about by the garbage collector. */
const MOST_WAITING = 256;

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
  #writing = false;
  #waiting: LedgerEvent[] = [];
  /** Whether events were noted that another process had to write. */
  #behind = false;
  #armed: (() => void) | undefined;
  #leaving: (() => void) | undefined;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /** Mends the tail and takes up writing if nobody else does. Answers with what had to be mended. */
  async open(): Promise<readonly string[]> {
    this.#writing = true;
    if (!this.#holdLease()) return [];
    this.#descriptor = openSync(this.#options.file, 'a+', 0o600);
    const mended = await this.#heal();
    this.#letGoLater();
    return mended;
  }

  /**
   * Takes note of stored events; they are written a moment later, off the path of whoever committed them. Where their lines
   * are at hand they are written at once.
   */
  note = (events: readonly LedgerEvent[], lines?: Uint8Array): void => {
    if (lines !== undefined) {
      this.flush();
      this.#write(events, lines);
      return;
    }
    for (const event of events) this.#waiting.push(event);
    if (this.#waiting.length > MOST_WAITING) this.flush();
    else this.#flushIn(FLUSH_AFTER_MS);
  };

  /**
   * Writes all that is known so far. What a full disk keeps from it is tried again; the database has everything. So is what
   * another process keeps from it by having the lease: that one does not hear of what is committed here.
   */
  flush(): void {
    this.#armed?.();
    this.#armed = undefined;
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length > 0 || this.#behind) this.#write(events);
  }

  #write(events: readonly LedgerEvent[], lines?: Uint8Array): void {
    try {
      this.#behind = !this.#takeUp();
      if (this.#behind) this.#flushIn(LET_GO_AFTER_MS);
      else if (!this.#follows(events)) this.#catchUp();
      else if (lines === undefined) this.#append(events.map((event) => ({ event })));
      else this.#appendLines(lines, events.length);
    } catch {
      this.#behind = true;
      this.#flushIn(LET_GO_AFTER_MS);
    }
  }

  #flushIn(ms: number): void {
    const { clock } = this.#options;
    this.#armed ??= clock.callAt(clock.now() + ms, () => this.flush(), { background: true });
  }

  /** Writes everything that the ledger has, if nobody else is at it, and lets go. */
  close(): void {
    this.#armed?.();
    this.#armed = undefined;
    this.#waiting = [];
    try {
      if (!this.#takeUp()) return;
      this.#catchUp();
      fdatasyncSync(this.#descriptor as number);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      this.#letGo();
    }
  }

  /** Has the lease and the file, where the lease can be had: what others wrote or did not write meanwhile is seen to. */
  #takeUp(): boolean {
    if (!this.#holdLease()) return false;
    this.#letGoLater();
    if (this.#descriptor !== undefined) return true;
    const descriptor = openSync(this.#options.file, 'a+', 0o600);
    this.#descriptor = descriptor;
    const { size } = fstatSync(descriptor);
    const tail = readTail(this.#options.file, size);
    if (tail.tornBytes > 0) ftruncateSync(descriptor, size - tail.tornBytes);
    this.#seq = tail.lastSeq;
    this.#catchUp();
    return true;
  }

  /** Whoever has nothing to write does not keep others from it. */
  #letGoLater(): void {
    const { clock } = this.#options;
    this.#leaving?.();
    const letGo = (): void => {
      try {
        this.#letGo();
      } catch {
        // Whoever locks the database now keeps nobody from it for long: the lease runs out.
      }
    };
    this.#leaving = clock.callAt(clock.now() + LET_GO_AFTER_MS, letGo, { background: true });
  }

  #letGo(): void {
    this.#leaving?.();
    this.#closeFile();
    const held = this.#leaseUntil > 0;
    this.#leaseUntil = 0;
    if (held) this.#options.leases.release(LEASE, this.#options.owner);
  }

  #closeFile(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** What differs between the lines and the ledger. While another process writes them, the newest may be on their way. */
  compare(): readonly Fault[] {
    this.flush();
    const mayLag = !this.#writing || !this.#takeUp();
    return compareMirror(readLines(this.#options.file), this.#options.source.records(0), { mayLag });
  }

  /**
   * Resolves when all that the ledger has by now stands in the file, whoever writes it. From then on nobody writes a line of
   * those again from what they remember. Refuses where somebody keeps others from it for too long.
   */
  async settle(): Promise<void> {
    const { source, file } = this.#options;
    const { seq } = await source.head();
    await this.#until(() => readTail(file, statSync(file).size).lastSeq >= seq);
  }

  /** Resolves when nobody else writes lines, for as long as is needed for the next thing done; refuses as `settle` does. */
  async hold(): Promise<void> {
    await this.#until(() => false);
  }

  /** Waits until the lease is ours and everything is written, or until something else suffices. */
  async #until(suffices: () => boolean): Promise<void> {
    const { clock } = this.#options;
    for (const until = clock.now() + LONGEST_WAIT_MS; ; ) {
      if (this.#takeUp()) {
        this.flush();
        this.#catchUp();
        return;
      }
      if (suffices()) return;
      if (clock.now() >= until) throw this.#busy();
      await new Promise<void>((resolve) => clock.callAt(clock.now() + FLUSH_AFTER_MS, resolve));
    }
  }

  /** Takes erased bodies out of the lines, whoever writes them. */
  async erase(addresses: readonly EventAddress[]): Promise<void> {
    await this.settle();
    blankLines(this.#options.file, addresses);
  }

  /** Writes the whole mirror anew from the ledger. */
  rewrite(): void {
    if (!this.#takeUp()) throw this.#busy();
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
    this.#closeFile();
    this.#descriptor = openSync(this.#options.file, 'a+', 0o600);
    this.#seq = last;
  }

  /** True when the events are exactly the next ones: no other process has committed before or between them. */
  #follows(events: readonly LedgerEvent[]): boolean {
    const last = events.at(-1)?.seq ?? 0;
    return events[0]?.seq === this.#seq + 1 && last === this.#seq + events.length;
  }

  #append(records: Iterable<MirrorRecord>): void {
    this.#wholly((descriptor) => {
      let text = '';
      let seq = this.#seq;
      for (const record of records) {
        text += `${lineOf(record)}\n`;
        seq = seqOf(record);
        if (text.length < 1 << 20) continue;
        writeFileSync(descriptor, text);
        text = '';
      }
      writeFileSync(descriptor, text);
      return seq;
    });
  }

  #appendLines(lines: Uint8Array, count: number): void {
    this.#wholly((descriptor) => {
      writeFileSync(descriptor, lines);
      return this.#seq + count;
    });
  }

  /** Adds all that is written to the file, or nothing; what writes it answers with the last seq. */
  #wholly(write: (descriptor: number) => number): void {
    const descriptor = this.#descriptor as number;
    const before = fstatSync(descriptor).size;
    try {
      this.#seq = write(descriptor);
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
      const record = recordOf(line);
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
    // Once it has run out another process may have written, or put another file in its place.
    if (this.#leaseUntil <= now) this.#closeFile();
    const held = leases.acquire(LEASE, owner, now + LEASE_MS);
    this.#leaseUntil = held ? now + LEASE_MS : 0;
    if (!held) this.#closeFile();
    return held;
  }

  #busy(): OkaError {
    const holder = this.#options.leases.holder(LEASE);
    const pid = Number.parseInt(holder?.owner ?? '', 10);
    const who = Number.isNaN(pid) ? 'another process' : `process ${pid}`;
    return new OkaError(
      'ledger.busy',
      `${who} is writing the mirror of the ledger all the time; try again when it is less busy, or stop it first.`,
      { data: { holder: holder?.owner ?? null } },
    );
  }
}

function lineOf(record: MirrorRecord): string {
  return 'event' in record ? mirrorLine(record.event) : archivedLine(record.archived);
}

function seqOf(record: MirrorRecord): number {
  return 'event' in record ? record.event.seq : record.archived.seq;
}
