import type { SqlScheduleStore } from '../../adapters/sql/index.ts';
import type { TreeWatcher } from '../../adapters/watcher/index.ts';
import type { WorkerOutcome } from '../../api/index.ts';
import { type Clock, type Failure, OkaError, toFailure } from '../../kernel/index.ts';
import {
  type FiredRun,
  runScheduleLoop,
  type ScheduleErrorCode,
  type Scheduler,
  type TickReport,
} from '../../schedule/index.ts';
import type { ProcessLease } from '../process/process-lease.ts';
import { UnfinishedRuns, type UnfinishedRunsParts } from '../runs/unfinished-runs.ts';
import { pollChanges } from './change-poll.ts';

const LAST_WORDS_MS = 3_000;
const NOT_STARTED: ScheduleErrorCode = 'schedule.not_started';

/** Tasks that fail and recover independently. */
type TaskKind = 'schedule' | 'change' | 'run' | 'watcher' | 'look' | 'lease';

export interface ScheduleLoopParts {
  readonly lease: ProcessLease;
  readonly unfinished: Omit<UnfinishedRunsParts, 'onEnded' | 'onDriven' | 'onWarning' | 'onLooked'>;
  readonly scheduler: Scheduler;
  readonly schedules: SqlScheduleStore;
  readonly watcher: TreeWatcher;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onFired: (fired: FiredRun) => void;
  /** Called after each attempt; failures are retried. */
  readonly onOutcome: (outcome: WorkerOutcome) => void;
}

/** Fires due and changed schedules, and continues every unfinished run of the workspace, until the signal aborts. */
export class ScheduleLoop {
  readonly #parts: ScheduleLoopParts;
  readonly #runs: UnfinishedRuns;
  readonly #stop = new AbortController();
  /** Failed tasks of the last round, by kind. */
  readonly #failing = new Map<TaskKind, Set<string>>();
  /** Changes of the current poll that the scheduler did not accept. */
  #unreported: TickReport['failures'] = [];
  #wake: () => void = () => undefined;
  #announced = false;
  #failure: unknown;

  constructor(parts: ScheduleLoopParts) {
    this.#parts = parts;
    this.#runs = new UnfinishedRuns({
      ...parts.unfinished,
      // Runs queued behind this one may start now.
      onEnded: () => this.#wake(),
      onDriven: (run) => this.#succeed('run', run),
      onWarning: (run, error) => this.#fail('run', run, toFailure(error, NOT_STARTED)),
      onLooked: (error, open) => {
        if (error !== undefined) return this.#fail('look', '', toFailure(error, NOT_STARTED));
        this.#succeed('look', '');
        // A run that another process ended is no failure.
        for (const id of this.#failing.get('run') ?? []) if (!open.has(id)) this.#succeed('run', id);
      },
    });
  }

  /** Runs once. Requires the lease, and releases it at the end if all runs could be released. */
  async run(): Promise<void> {
    const { clock, scheduler, schedules, watcher, lease } = this.#parts;
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
      onLooked: (error) => {
        this.#onLooked(error);
        onLooked();
      },
      onSchedules: () => this.#wake(),
      onReport: (report) => {
        this.#takeUp(report.fired);
        this.#unreported = [...this.#unreported, ...report.failures];
      },
      onCloseFailed: (error) => this.#fail('watcher', '', toFailure(error, NOT_STARTED)),
    });
    const wakeOn = (wake: () => void): (() => void) => {
      this.#wake = wake;
      return () => {
        this.#wake = () => undefined;
      };
    };
    try {
      // Every change after the process reports ready is noticed. Polling ends without a look if the signal has aborted.
      await Promise.race([looked, polling]);
      if (!signal.aborted) this.#runs.start();
      await runScheduleLoop({ clock, scheduler, signal, wakeOn, onTick: (report) => this.#onTick(report) });
    } finally {
      this.#stop.abort();
      // A process that cannot release its runs keeps the lease until it exits.
      if (await within(LAST_WORDS_MS, clock, Promise.all([polling, this.#runs.stop()])))
        await lease.release();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #onTick(report: TickReport): Promise<void> {
    this.#takeUp(report.fired);
    this.#settle('schedule', report.failures);
    this.#parts.onOutcome({ ok: true, task: 'tick' });
    try {
      await this.#stayOn();
    } catch (error) {
      this.#failure = error;
      this.#stop.abort();
    }
  }

  async #stayOn(): Promise<void> {
    const { lease } = this.#parts;
    if (!(await this.#isKept())) {
      const message = 'Another process took over the schedules, so this one stopped.';
      throw new OkaError(NOT_STARTED, message);
    }
    if (!this.#announced) lease.announce();
    this.#announced = true;
  }

  async #isKept(): Promise<boolean> {
    try {
      const isKept = await this.#parts.lease.renew();
      this.#succeed('lease', '');
      return isKept;
    } catch (error) {
      // The database lock ends before the lease expires.
      this.#fail('lease', '', toFailure(error, NOT_STARTED));
      return true;
    }
  }

  #takeUp(fired: TickReport['fired']): void {
    for (const one of fired) {
      this.#parts.onFired(one);
      this.#runs.drive(one.run);
    }
  }

  #onLooked(error: unknown): void {
    this.#settle('change', this.#unreported);
    this.#unreported = [];
    if (error === undefined) this.#succeed('watcher', '');
    else this.#fail('watcher', '', toFailure(error, NOT_STARTED));
  }

  /** Reports schedules that failed, and those that recovered. */
  #settle(kind: 'schedule' | 'change', failures: TickReport['failures']): void {
    const failed = new Set(failures.map(({ schedule }) => schedule));
    for (const id of this.#failing.get(kind) ?? []) if (!failed.has(id)) this.#succeed(kind, id);
    for (const { schedule, failure } of failures) this.#fail(kind, schedule, failure);
  }

  #fail(kind: TaskKind, id: string, { code, message }: Failure): void {
    const failing = this.#failing.get(kind) ?? new Set();
    this.#failing.set(kind, failing.add(id));
    const subject = kind === 'change' ? `schedule ${id}` : `${kind} ${id}`;
    const told = id === '' ? message : `${subject}: ${message}`;
    this.#parts.onOutcome({ ok: false, task: `${kind} ${id}`, code, message: told });
  }

  #succeed(kind: TaskKind, id: string): void {
    if (this.#failing.get(kind)?.delete(id)) this.#parts.onOutcome({ ok: true, task: `${kind} ${id}` });
  }
}

/** Waits for a promise up to a time limit; true if it settled in time. */
async function within(ms: number, clock: Clock, work: Promise<unknown>): Promise<boolean> {
  let cancel = (): void => undefined;
  const late = new Promise<false>((resolve) => {
    cancel = clock.callAt(clock.now() + ms, () => resolve(false));
  });
  return Promise.race([work.then(() => true), late]).finally(() => cancel());
}
