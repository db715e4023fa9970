import { type Clock, OkaError, unlessAborted, waitUntil } from '../../kernel/index.ts';
import type { Leases } from '../../ledger/index.ts';
import type { EnvironmentErrorCode } from '../../tools/index.ts';

const LEASE = 'installs';
const POLL_MS = 250;

/** The last queued install per workspace in this process. */
const queues = new Map<string, Promise<void>>();

export interface InstallLockOptions {
  readonly workspace: string;
  readonly leases: Leases;
  /** This process, as named in leases. */
  readonly owner: string;
  readonly clock: Clock;
  /** The maximum duration of an install, and of the wait for one. */
  readonly maxMs: number;
}

/** Serializes installs: by a queue within this process, by a lease between processes. */
export class InstallLock {
  readonly #options: InstallLockOptions;

  constructor(options: InstallLockOptions) {
    this.#options = options;
  }

  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const { workspace } = this.#options;
    const before = queues.get(workspace) ?? Promise.resolve();
    const mine = this.#runNext(before, work, signal);
    // A cancelled install must not start the next one before the earlier ones are done.
    const end = Promise.allSettled([before, mine]).then(() => undefined);
    queues.set(workspace, end);
    void end.then(() => queues.get(workspace) === end && queues.delete(workspace));
    return mine;
  }

  async #runNext<T>(before: Promise<void>, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await unlessAborted(before, signal);
    await this.#acquire(signal);
    try {
      return await work();
    } finally {
      await this.#options.leases.release(LEASE, this.#options.owner);
    }
  }

  /** Replaces a dead holder immediately, and waits for a live one. */
  async #acquire(signal: AbortSignal): Promise<void> {
    const { leases, owner, clock, maxMs } = this.#options;
    const giveUpAt = clock.now() + maxMs;
    while (!(await leases.acquire(LEASE, owner, clock.now() + maxMs))) {
      if (clock.now() >= giveUpAt) throw busy((await leases.holder(LEASE))?.owner);
      await waitUntil(clock, clock.now() + POLL_MS, [signal]);
      signal.throwIfAborted();
    }
  }
}

function busy(owner = 'another process'): OkaError<EnvironmentErrorCode> {
  return new OkaError(
    'environment.busy',
    `${owner} is still installing into this workspace. Wait for it or stop it, then try again.`,
    { data: { owner }, transient: true },
  );
}
