import {
  type EpochMs,
  type Failure,
  type Ids,
  isAheadOfClock,
  isOkaError,
  OkaError,
  toFailure,
} from '../kernel/index.ts';
import type { DecidedChange, EventDraft, StreamAppend } from '../ledger/index.ts';
import { commitToSchedule, isWithin, type ScheduleParts } from './change-schedule.ts';
import { planChange, planTick, type TickAction, type TickState } from './plan-tick.ts';
import { nextWake } from './planned-firings.ts';
import type { FiringTarget } from './ports.ts';
import { firedEvent, notFiredEvent, notStartedEvent, scheduleEvent } from './schedule-events.ts';
import type { FiringReason, Schedule, ScheduleErrorCode } from './types.ts';

/** A firing that created a run, which is now pending. */
export interface FiredRun {
  readonly firing: string;
  readonly schedule: string;
  readonly graph: string;
  readonly run: string;
  readonly plannedAt: EpochMs;
  readonly reason: FiringReason;
}

/** The result of a tick. A failure concerns one schedule, whose firings the next tick retries. */
export interface TickReport {
  readonly fired: readonly FiredRun[];
  readonly failures: readonly { readonly schedule: string; readonly failure: Failure }[];
}

type PlanActions = (
  schedule: Schedule,
  state: TickState,
) => Promise<readonly TickAction[]> | readonly TickAction[];

interface SchedulerParts extends ScheduleParts {
  readonly target: FiringTarget;
  readonly ids: Ids;
  readonly actor?: string;
}

const NOTHING: TickReport = { fired: [], failures: [] };
const MAX_ACTIVE_RUNS = 100;
const NOT_STARTED: ScheduleErrorCode = 'schedule.not_started';

/**
 * Fires due schedules. A firing and the creation of its run are one commit, conditional on an unchanged schedule: of several
 * processes exactly one fires, and after a crash the run exists and can be driven.
 */
export class Scheduler {
  readonly #parts: SchedulerParts;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Decides about everything due up to `now`. A failing schedule does not affect the others. */
  async tick(now: EpochMs = this.#parts.clock.now()): Promise<TickReport> {
    const reports: TickReport[] = [];
    for (const schedule of await this.#parts.schedules.list()) {
      if (!schedule.enabled) continue;
      const decide = (current: Schedule, state: TickState): readonly TickAction[] =>
        planTick(current, current.cursor, now, state);
      reports.push(await this.#decide(schedule.id, now, decide));
    }
    return joined(reports);
  }

  /**
   * Fires on request, regardless of policies and even if the schedule is disabled. A second call with the same key
   * returns the run of the first.
   */
  async trigger(id: string, by: string, key: string = this.#parts.ids.next()): Promise<FiredRun> {
    const firing = `${id}!${key}`;
    const plannedAt = this.#parts.clock.now();
    return commitToSchedule(this.#parts, id, by, async (schedule) => {
      rejectErasedInput(schedule);
      const known = await this.#parts.schedules.firing(firing);
      if (known?.run !== undefined) {
        const { run: started, plannedAt: at } = known;
        const first = { firing, schedule: id, graph: schedule.graph, run: started, plannedAt: at } as const;
        return { events: [], answer: { ...first, reason: 'manual' } };
      }
      const { run, appends } = await this.#prepare(schedule, firing, plannedAt, 'person');
      const { cursor } = schedule;
      const others = schedule.policies.overlap === 'allow' ? [] : schedule.runs;
      const runs = [...others, run].slice(-MAX_ACTIVE_RUNS);
      const reason = 'manual';
      const event = scheduleEvent('schedule.fired', { firing, plannedAt, run, reason, cursor, runs, by });
      const answer = { firing, schedule: id, graph: schedule.graph, run, plannedAt, reason } as const;
      return { events: [event], others: appends, answer };
    });
  }

  /**
   * Fires the schedules that watch `path`. Each schedule fires once per `digest`, ever, so a watcher that wants to fire when
   * earlier content returns must put more than the content into it.
   */
  async notifyChange(path: string, digest: string): Promise<TickReport> {
    const plannedAt = this.#parts.clock.now();
    const reports: TickReport[] = [];
    for (const { id, enabled, trigger } of await this.#parts.schedules.list()) {
      if (!enabled || !('onChange' in trigger) || !isWithin(path, trigger.onChange)) continue;
      const firing = `${id}#${digest}`;
      reports.push(
        await this.#decide(id, plannedAt, async (current, { runningRun }) => {
          const known = !current.enabled || (await this.#parts.schedules.firing(firing)) !== undefined;
          return known ? [] : planChange(current, firing, plannedAt, runningRun);
        }),
      );
    }
    return joined(reports);
  }

  /** The time of the next tick: the next planned time, if there is one. */
  async nextWake(now: EpochMs): Promise<EpochMs | undefined> {
    return nextWake(await this.#parts.schedules.list(), now);
  }

  /** Commits what `plan` decides. Active runs are looked up only if there is something to do. */
  async #decide(id: string, now: EpochMs, plan: PlanActions): Promise<TickReport> {
    try {
      return await commitToSchedule(this.#parts, id, this.#parts.actor ?? 'scheduler', async (schedule) => {
        const unblocked = await plan(schedule, {});
        const runningRun = unblocked.length > 0 ? await this.#runningRun(schedule) : undefined;
        const decided = new Set<string>();
        let actions = runningRun === undefined ? unblocked : await plan(schedule, { runningRun });
        while (await this.#findDecided(actions, now, decided))
          actions = await plan(schedule, { runningRun, decided });
        return this.#carryOut(schedule, actions, runningRun);
      });
    } catch (error) {
      if (isOkaError(error, 'schedule.unknown')) return NOTHING;
      return { fired: [], failures: [{ schedule: id, failure: toFailure(error, NOT_STARTED) }] };
    }
  }

  /**
   * Adds to `decided` the firings that were decided before the cursor was set back; returns false if there are none. A skip
   * decided by a clock ahead of this one does not count, because its time is still to come.
   */
  async #findDecided(actions: readonly TickAction[], now: EpochMs, decided: Set<string>): Promise<boolean> {
    const { size } = decided;
    for (const action of actions) {
      if (action.do !== 'queue' && (action.do !== 'fire' || action.queued)) continue;
      const found = await this.#parts.schedules.firing(action.firing);
      if (found !== undefined && (found.status !== 'skipped' || !isAheadOfClock(found.decidedAt, now)))
        decided.add(action.firing);
    }
    return decided.size > size;
  }

  async #carryOut(
    schedule: Schedule,
    actions: readonly TickAction[],
    running: string | undefined,
  ): Promise<DecidedChange<TickReport>> {
    const events: EventDraft[] = [];
    const others: StreamAppend[] = [];
    const fired: FiredRun[] = [];
    let blockedBy = running;
    for (const action of actions) {
      if (action.do !== 'fire') {
        events.push(notFiredEvent(action, blockedBy));
        continue;
      }
      const { firing, plannedAt, reason } = action;
      try {
        const { run, appends } = await this.#prepare(schedule, firing, plannedAt, 'schedule');
        blockedBy = run;
        others.push(...appends);
        events.push(firedEvent(action, run));
        fired.push({ firing, schedule: schedule.id, graph: schedule.graph, run, plannedAt, reason });
      } catch (error) {
        if (isOkaError(error) && error.transient) throw error;
        events.push(notStartedEvent(action, toFailure(error, NOT_STARTED)));
      }
    }
    return { events, others, answer: { fired, failures: [] } };
  }

  #prepare(
    schedule: Schedule,
    firing: string,
    plannedAt: EpochMs,
    by: 'person' | 'schedule',
  ): ReturnType<FiringTarget['prepare']> {
    const { id, graph, input = null } = schedule;
    return this.#parts.target.prepare({ id: firing, schedule: id, graph, input, plannedAt, by });
  }

  /** An active run of the schedule, unless overlap is allowed. */
  async #runningRun(schedule: Schedule): Promise<string | undefined> {
    if (schedule.policies.overlap === 'allow') return undefined;
    for (const run of schedule.runs.toReversed()) if (await this.#parts.target.isRunning(run)) return run;
    return undefined;
  }
}

function rejectErasedInput({ id, inputErased }: Schedule): void {
  if (!inputErased) return;
  const message = `The input of schedule ${id} was erased. Delete the schedule and add it again with its input.`;
  throw new OkaError<ScheduleErrorCode>('schedule.invalid', message, { data: { schedule: id } });
}

function joined(reports: readonly TickReport[]): TickReport {
  return {
    fired: reports.flatMap(({ fired }) => fired),
    failures: reports.flatMap(({ failures }) => failures),
  };
}
