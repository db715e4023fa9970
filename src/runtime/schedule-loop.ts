import type { SqliteScheduleStore } from '../adapters/sqlite/index.ts';
import type { TreeWatcher } from '../adapters/watcher/index.ts';
import type { Engine, Owners, RunSummary } from '../engine/index.ts';
import { type Clock, OkaError, toFailure } from '../kernel/index.ts';
import {
  type FiredRun,
  runScheduleLoop,
  type ScheduleErrorCode,
  type Scheduler,
  type TickReport,
} from '../schedule/index.ts';
import { pollChanges } from './change-poll.ts';
import type { ProcessSeat } from './process-seat.ts';
import { RunQueue } from './run-queue.ts';

const SWEEP_MS = 30_000;
const LAST_WORDS_MS = 3_000;
const MOST_TOLD = 1_000;
const NOT_STARTED: ScheduleErrorCode = 'schedule.not_started';

/** What the loop over all schedules of a workspace needs. */
export interface ScheduleLoopParts {
  readonly seat: ProcessSeat;
  readonly engine: Engine;
  readonly scheduler: Scheduler;
  readonly schedules: SqliteScheduleStore;
  readonly watcher: TreeWatcher;
  readonly owners: Owners;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onFired: (fired: FiredRun) => void;
  /** Learns what went wrong and will be tried again. */
  readonly onTrouble: (what: string) => void;
}

/** Fires what comes due or changes, and works on the runs of schedules, until the signal aborts. */
export class ScheduleLoop {
  readonly #parts: ScheduleLoopParts;
  readonly #queue: RunQueue;
  readonly #stop = new AbortController();
  readonly #told = new Set<string>();
  #wake: () => void = () => undefined;
  #announced = false;
  #failure: unknown;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ScheduleLoopParts) {
    this.#parts = parts;
    this.#queue = new RunQueue({
      engine: parts.engine,
      clock: parts.clock,
      longestTimerMs: SWEEP_MS,
      // What is queued behind the run may go now.
      onEnded: () => this.#wake(),
      onTrouble: (run, error) => this.#tell(`run ${run}: ${sentenceOf(error)}`),
    });
  }

  /** Runs once. The place must have been taken; it is left at the end, when all runs could be let go of. */
  async run(): Promise<void> {
    const { clock, scheduler, schedules, watcher, seat } = this.#parts;
    const signal = AbortSignal.any([this.#parts.signal, this.#stop.signal]);
    let onLooked = (): void => undefined;
    const looked = new Promise<void>((resolve) => {
      onLooked = resolve;
    });
    const polling = pollChanges({
      watcher,
      schedules,
      scheduler,
      clock,
      signal,
      onLooked,
      onSchedules: () => this.#wake(),
      onReport: (report) => this.#takeUp(report),
      onTrouble: (error) => this.#tell(sentenceOf(error)),
    });
    const wakeOn = (wake: () => void): (() => void) => {
      this.#wake = wake;
      return () => {
        this.#wake = () => undefined;
      };
    };
    try {
      // From when it says that it is ready no change is overlooked.
      await looked;
      await runScheduleLoop({ clock, scheduler, signal, wakeOn, onTick: (report) => this.#onTick(report) });
    } finally {
      this.#stop.abort();
      // Whoever cannot let go of its runs keeps the place too, until it ends.
      if (await within(LAST_WORDS_MS, clock, Promise.all([polling, this.#queue.stop()]))) seat.leave();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  #onTick(report: TickReport): void {
    this.#takeUp(report);
    try {
      this.#stayOn();
    } catch (error) {
      this.#failure = error;
      this.#stop.abort();
      return;
    }
    const now = this.#parts.clock.now();
    // A clock that was put back must not put off the next sweep.
    if (now >= this.#sweptAt && now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    this.#sweep().catch((error: unknown) => this.#tell(sentenceOf(error)));
  }

  #stayOn(): void {
    const { seat } = this.#parts;
    if (!this.#isKept()) {
      const message = 'another process has taken over the schedules; this one has let go of them.';
      throw new OkaError(NOT_STARTED, message);
    }
    if (!this.#announced) seat.announce();
    this.#announced = true;
  }

  #isKept(): boolean {
    try {
      return this.#parts.seat.keep();
    } catch (error) {
      // Whoever locks the database now will be done before the place is lost.
      this.#tell(sentenceOf(error));
      return true;
    }
  }

  #takeUp({ fired, failures }: TickReport): void {
    for (const one of fired) {
      this.#parts.onFired(one);
      this.#queue.drive(one.run);
    }
    for (const { schedule, failure } of failures) this.#tell(`schedule ${schedule}: ${failure.message}`);
  }

  /** Takes up what a crash left behind, and what waited for a time that has come. */
  async #sweep(): Promise<void> {
    for (const { run } of await this.#parts.schedules.openRuns())
      if (isFree(run, this.#parts.owners)) this.#queue.drive(run.id);
  }

  /** Once each: the same trouble comes back with every attempt. */
  #tell(what: string): void {
    if (this.#told.has(what)) return;
    if (this.#told.size >= MOST_TOLD) this.#told.clear();
    this.#told.add(what);
    this.#parts.onTrouble(what);
  }
}

/** True when no other living process works on the run. */
export function isFree({ owner }: Pick<RunSummary, 'owner'>, owners: Owners): boolean {
  return owner === undefined || owner === owners.self || !owners.isAlive(owner);
}

function sentenceOf(error: unknown): string {
  return toFailure(error, NOT_STARTED).message;
}

/** Waits for something, but not longer than that; true when it came in time. */
async function within(ms: number, clock: Clock, work: Promise<unknown>): Promise<boolean> {
  let cancel = (): void => undefined;
  const late = new Promise<false>((resolve) => {
    cancel = clock.callAt(clock.now() + ms, () => resolve(false));
  });
  return Promise.race([work.then(() => true), late]).finally(() => cancel());
}
