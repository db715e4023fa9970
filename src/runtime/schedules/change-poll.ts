import type { TreeWatcher } from '../../adapters/watcher/index.ts';
import { type Clock, waitUntil } from '../../kernel/index.ts';
import type { Schedule, Scheduler, ScheduleStore, TickReport } from '../../schedule/index.ts';

const POLL_MS = 2_000;
/** The pause after a poll is at least this multiple of its duration. */
const MAX_REST_FACTOR = 4;
const MAX_REST_MS = 60_000;
const MAX_UNREPORTED = 100;

export interface ChangePollParts {
  readonly watcher: TreeWatcher;
  readonly schedules: ScheduleStore;
  readonly scheduler: Pick<Scheduler, 'notifyChange'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called after each poll, with its error if it failed. */
  readonly onLooked: (error?: unknown) => void;
  /** Called when any process added, changed or deleted schedules. */
  readonly onSchedules: () => void;
  readonly onReport: (report: TickReport) => void;
  /** Called when the watcher could not be closed. */
  readonly onCloseFailed: (error: unknown) => void;
}

/**
 * Polls until the signal aborts: for changes of the schedules, and of the paths they watch, which it reports to the scheduler.
 * Polls earlier when the watcher reports a change. Never rejects.
 */
export async function pollChanges(parts: ChangePollParts): Promise<void> {
  const { clock, signal, watcher } = parts;
  const poll = new ChangePoll(parts);
  let noticed = new AbortController();
  watcher.onNotice(() => noticed.abort());
  while (!signal.aborted) {
    noticed = new AbortController();
    const began = clock.now();
    await poll.look().then(
      () => parts.onLooked(),
      (error: unknown) => parts.onLooked(error),
    );
    const now = clock.now();
    const rested = now + restAfter(now - began);
    const wait = (at: number, signals: readonly AbortSignal[]): Promise<void> =>
      waitUntil(clock, at, signals, { background: true });
    await wait(rested, [signal]);
    await wait(Math.max(rested, now + POLL_MS), [signal, noticed.signal]);
  }
  await watcher.close().catch(parts.onCloseFailed);
}

/** The pause after a poll. If the clock jumped meanwhile, the measured duration can be years or negative. */
function restAfter(tookMs: number): number {
  return Math.min(Math.max(tookMs, 0) * MAX_REST_FACTOR, MAX_REST_MS);
}

class ChangePoll {
  readonly #parts: ChangePollParts;
  #stand: string | undefined;
  /** Changes that the scheduler has not accepted yet. */
  #unreported: readonly { readonly path: string; readonly digest: string }[] = [];

  constructor(parts: ChangePollParts) {
    this.#parts = parts;
  }

  async look(): Promise<void> {
    const { watcher, schedules } = this.#parts;
    const all = await schedules.list();
    this.#notice(all);
    const roots = all.flatMap(({ enabled, trigger }) =>
      enabled && 'onChange' in trigger ? [trigger.onChange] : [],
    );
    const change = await watcher.changes(roots);
    const noticed = change?.paths.map((path) => ({ path, digest: change.digest })) ?? [];
    const unreported = [...this.#unreported, ...noticed];
    this.#unreported = unreported;
    // Reporting a change again with the same digest fires nothing twice.
    const left: typeof unreported = [];
    for (const { path, digest } of unreported) {
      const report = await this.#parts.scheduler.notifyChange(path, digest);
      this.#parts.onReport(report);
      if (report.failures.length > 0) left.push({ path, digest });
    }
    this.#unreported = left.slice(-MAX_UNREPORTED);
  }

  #notice(all: readonly Schedule[]): void {
    const stand = all.map(({ id, index }) => `${id} ${index}`).join('\n');
    if (this.#stand !== undefined && this.#stand !== stand) this.#parts.onSchedules();
    this.#stand = stand;
  }
}
