// Owns: when this process writes `run_ledger.jsonl`, the ledger as lines.
// I1 The process that holds the lease appends lines, in order of seq. On taking the lease it reads where the file ends,
//    because other processes may have written.
import { type Clock, isOkaError, OkaError, type Warn } from '../../kernel/index.ts';
import type { LeaseHolder, LedgerErrorCode, LedgerEvent } from '../../ledger/index.ts';
import { MirrorFile, type MirrorSource } from './mirror-file.ts';
import { readTail } from './read-lines.ts';
import { compareEnds, reconcileMirror } from './reconcile-mirror.ts';

const LEASE = 'mirror';
const LEASE_MS = 15_000;
/** Short, because after a crash the next process that opens the ledger has to write the rest. */
const FLUSH_AFTER_MS = 10;
const RELEASE_AFTER_MS = 1_000;
/** A lease that is not renewed has expired by then. */
const MAX_WAIT_MS = LEASE_MS + 5_000;
/** More events than this are written immediately, because the garbage collector would have to move them. */
const MAX_PENDING = 256;

/** Leases that answer at once, because stored events are written without waiting. */
interface MirrorLeases {
  acquire(name: string, owner: string, expiresAt: number): boolean;
  release(name: string, owner: string): void;
  holder(name: string): LeaseHolder | undefined;
}

interface MirrorOptions {
  readonly file: string;
  readonly source: MirrorSource;
  readonly leases: MirrorLeases;
  readonly owner: string;
  readonly clock: Clock;
  /** Called when the file cannot be written, and when it is complete again. */
  readonly onWarning?: Warn;
}

const MIRROR_BEHIND = { code: 'ledger.mirror_behind', topic: 'ledger.mirror_behind' };

export class Mirror {
  readonly #options: MirrorOptions;
  #file: MirrorFile | undefined;
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

  compareEnds(): ReturnType<typeof compareEnds> {
    return compareEnds(this.#options.file, this.#options.source);
  }

  /** Queues stored events; they are written a moment later, or at once if the caller waits for them to be durable. */
  note = (events: readonly LedgerEvent[], isSynced = false): void => {
    for (const event of events) this.#pending.push(event);
    if (isSynced || this.#pending.length > MAX_PENDING) this.flush();
    else this.#flushIn(FLUSH_AFTER_MS);
  };

  /** Writes queued events. Failed writes are retried; the database has the events. */
  flush(): void {
    const events = this.#takePending();
    if (events.length > 0 || this.#isBehind) this.#write(events);
  }

  #takePending(): readonly LedgerEvent[] {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const events = this.#pending;
    this.#pending = [];
    return events;
  }

  #write(events: readonly LedgerEvent[]): void {
    try {
      const file = this.#takeFile();
      file?.appendEvents(events);
      this.#isBehind = file === undefined;
      if (!this.#isBehind) this.#clearWarning();
    } catch (error) {
      this.#isBehind = true;
      this.#warn(error);
    }
    if (this.#isBehind) this.#flushIn(RELEASE_AFTER_MS);
  }

  #flushIn(ms: number): void {
    const { clock } = this.#options;
    this.#cancelFlush ??= clock.callAt(clock.now() + ms, () => this.flush(), { background: true });
  }

  /** Writes all missing events, unless another process does, and releases the file. */
  close(): void {
    this.#takePending();
    try {
      const file = this.#takeFile();
      file?.catchUp();
      file?.sync();
    } catch (error) {
      this.#warn(error);
    } finally {
      this.#release();
    }
  }

  /** Acquires the lease and opens the file; undefined if another process holds the lease. */
  #takeFile(): MirrorFile | undefined {
    if (!this.#holdLease()) return undefined;
    if (this.#file === undefined) this.#openFile();
    this.#releaseLater();
    return this.#file;
  }

  #openFile(): string[] {
    const { file, source, clock } = this.#options;
    this.#file = new MirrorFile(file, source);
    try {
      return reconcileMirror(this.#file, source, clock.now());
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
    this.#file?.close();
    this.#file = undefined;
  }

  /**
   * Resolves when the file has all current events of the ledger, with tombstones applied, whichever process writes it.
   * Throws `ledger.busy` when another process keeps the lease for too long.
   */
  async settle(): Promise<void> {
    const { source, file } = this.#options;
    const { seq } = source.head();
    await this.#until(() => readTail(file).last.seq >= seq);
  }

  /** Resolves when this process holds the lease for the next synchronous work. Throws as `settle` does. */
  hold(): Promise<void> {
    return this.#until(() => false);
  }

  /** Waits until this process holds the lease and has written everything, or until `suffices`. */
  async #until(suffices: () => boolean): Promise<void> {
    const { clock } = this.#options;
    for (const until = clock.now() + MAX_WAIT_MS; ; ) {
      if (this.#takeFile() !== undefined) {
        this.flush();
        this.#takeFile()?.catchUp();
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
    this.#file ??= new MirrorFile(this.#options.file, this.#options.source);
    this.#file.rewrite();
    this.#releaseLater();
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
    this.#options.onWarning?.(message, MIRROR_BEHIND);
  }

  #clearWarning(): void {
    if (this.#warning === undefined) return;
    this.#warning = undefined;
    this.#options.onWarning?.('run_ledger.jsonl is complete again.', { ...MIRROR_BEHIND, isOver: true });
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
    return isOkaError(error, ['ledger.busy', 'ledger.disk_full', 'ledger.read_only']);
  return typeof (error as NodeJS.ErrnoException).code === 'string';
}
