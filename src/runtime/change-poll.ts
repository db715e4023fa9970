import type { TreeWatcher } from '../adapters/watcher/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { Scheduler, ScheduleStore, TickReport } from '../schedule/index.ts';

const POLL_MS = 2_000;
/** Looking takes at most this part of the time, however large the tree is. */
const LARGEST_SHARE = 4;
const MOST_UNTOLD = 100;

/** What polling for changes needs. */
export interface ChangePollParts {
  readonly watcher: TreeWatcher;
  readonly schedules: ScheduleStore;
  readonly scheduler: Pick<Scheduler, 'notifyChange'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onReport: (report: TickReport) => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Tells the scheduler of changes beneath the paths that schedules watch, until the signal aborts. Never rejects. */
export async function pollChanges(parts: ChangePollParts): Promise<void> {
  const { clock, signal } = parts;
  const poll = new ChangePoll(parts);
  while (!signal.aborted) {
    const began = clock.now();
    await poll.look().catch(parts.onTrouble);
    const took = clock.now() - began;
    await sleepUntil(clock.now() + Math.max(POLL_MS, took * LARGEST_SHARE), clock, signal);
  }
}

class ChangePoll {
  readonly #parts: ChangePollParts;
  /** What was noticed and could not be told yet. */
  #untold: readonly { readonly path: string; readonly digest: string }[] = [];

  constructor(parts: ChangePollParts) {
    this.#parts = parts;
  }

  async look(): Promise<void> {
    const { watcher, schedules } = this.#parts;
    const roots = (await schedules.list()).flatMap(({ enabled, trigger }) =>
      enabled && 'onChange' in trigger ? [trigger.onChange] : [],
    );
    const change = await watcher.changes(roots);
    const noticed = change?.paths.map((path) => ({ path, digest: change.digest })) ?? [];
    const untold = [...this.#untold, ...noticed];
    this.#untold = untold;
    // A change that is told again with its digest fires nothing twice.
    const left: typeof untold = [];
    for (const { path, digest } of untold) {
      const report = await this.#parts.scheduler.notifyChange(path, digest);
      this.#parts.onReport(report);
      if (report.failures.length > 0) left.push({ path, digest });
    }
    this.#untold = left.slice(-MOST_UNTOLD);
  }
}

function sleepUntil(at: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.callAt(at, wake, { background: true });
    signal.addEventListener('abort', wake, { once: true });
  });
}
