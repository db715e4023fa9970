import { type Clock, OkaError, unlessAborted } from '../../kernel/index.ts';
import type { Leases } from '../../ledger/index.ts';
import type { EnvironmentErrorCode } from '../../tools/index.ts';

const LEASE = 'installs';
const LOOK_AGAIN_MS = 250;

/** The last that stands in line, for each workspace that this process works in. */
const lines = new Map<string, Promise<void>>();

export interface InstallTurnsOptions {
  readonly workspace: string;
  readonly leases: Leases;
  /** This process, as the leases name it. */
  readonly owner: string;
  readonly clock: Clock;
  /** The longest that one turn may take, and that anybody waits for one. */
  readonly longestMs: number;
}

/** Lets one install go on at a time: by a line inside this process, by a lease between processes. */
export class InstallTurns {
  readonly #options: InstallTurnsOptions;

  constructor(options: InstallTurnsOptions) {
    this.#options = options;
  }

  async take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const { workspace } = this.#options;
    const before = lines.get(workspace) ?? Promise.resolve();
    const mine = this.#inTurn(before, work, signal);
    // Whoever gives up its place must not let the next one in before those ahead of it are done.
    const end = Promise.allSettled([before, mine]).then(() => undefined);
    lines.set(workspace, end);
    void end.then(() => lines.get(workspace) === end && lines.delete(workspace));
    return mine;
  }

  async #inTurn<T>(before: Promise<void>, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await unlessAborted(before, signal);
    await this.#acquire(signal);
    try {
      return await work();
    } finally {
      this.#options.leases.release(LEASE, this.#options.owner);
    }
  }

  /** A holder that has died is replaced at once, one that lives is waited for. */
  async #acquire(signal: AbortSignal): Promise<void> {
    const { leases, owner, clock, longestMs } = this.#options;
    const giveUpAt = clock.now() + longestMs;
    while (!leases.acquire(LEASE, owner, clock.now() + longestMs)) {
      if (clock.now() >= giveUpAt) throw busy(leases.holder(LEASE)?.owner);
      await later(clock, LOOK_AGAIN_MS, signal);
    }
  }
}

function later(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let cancel = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    cancel = clock.callAt(clock.now() + ms, resolve);
  });
  return unlessAborted(passed, signal).finally(cancel);
}

function busy(owner = 'another process'): OkaError<EnvironmentErrorCode> {
  return new OkaError(
    'environment.busy',
    `${owner} has been installing into this workspace for too long; wait for it or stop it, then try again.`,
    { data: { owner }, transient: true },
  );
}
