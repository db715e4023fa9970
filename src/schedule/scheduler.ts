import {
  type Clock,
  type EpochMs,
  type Failure,
  type Ids,
  isAheadOfClock,
  isOkaError,
  OkaError,
  toFailure,
} from '../kernel/index.ts';
import type { EventDraft, EventStore, StreamAppend } from '../ledger/index.ts';
import { commitToSchedule, type ScheduleChange } from './commit-to-schedule.ts';
import { nextWake } from './next-wake.ts';
import { planChange } from './plan-change.ts';
import { planTick, type TickAction, type TickState } from './plan-tick.ts';
import type { FiringTarget, ScheduleStore } from './ports.ts';
import { scheduleEvent } from './schedule-events.ts';
import { firedEvent, notStartedEvent, putOffEvent } from './tick-events.ts';
import type { FiringReason, Schedule, ScheduleErrorCode } from './types.ts';
import { liesWithin } from './watched-path.ts';

/** A firing that started a run, which is now pending and waits to be driven. */
export interface FiredRun {
  readonly firing: string;
  readonly schedule: string;
  readonly graph: string;
  readonly run: string;
  readonly plannedAt: EpochMs;
  readonly reason: FiringReason;
}

/** What a tick did. A failure concerns one schedule, whose firings are left for the next tick. */
export interface TickReport {
  readonly fired: readonly FiredRun[];
  readonly failures: readonly { readonly schedule: string; readonly failure: Failure }[];
}

type PlanActions = (
  schedule: Schedule,
  state: TickState,
) => Promise<readonly TickAction[]> | readonly TickAction[];

const NOTHING: TickReport = { fired: [], failures: [] };
const MOST_RUNS_REMEMBERED = 100;
const NOT_STARTED: ScheduleErrorCode = 'schedule.not_started';

/**
 * Fires what is due. A firing and the creation of its run are one commit, on the condition that the schedule has not
 * moved, so of several processes that tick together exactly one fires, and after a crash the run is there to be driven.
 */
export class Scheduler {
  readonly #events: EventStore;
  readonly #schedules: ScheduleStore;
  readonly #target: FiringTarget;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #actor: string;

  constructor(parts: {
    readonly events: EventStore;
    readonly schedules: ScheduleStore;
    readonly target: FiringTarget;
    readonly clock: Clock;
    readonly ids: Ids;
    readonly actor?: string;
  }) {
    this.#events = parts.events;
    this.#schedules = parts.schedules;
    this.#target = parts.target;
    this.#clock = parts.clock;
    this.#ids = parts.ids;
    this.#actor = parts.actor ?? 'scheduler';
  }

  /** Decides about all that came due up to `now`. A schedule that fails does not keep the others from firing. */
  async tick(now: EpochMs = this.#clock.now()): Promise<TickReport> {
    const reports: TickReport[] = [];
    for (const schedule of await this.#schedules.list()) {
      if (!schedule.enabled) continue;
      const decide = (current: Schedule, state: TickState): readonly TickAction[] =>
        planTick(current, current.cursor, now, state);
      reports.push(await this.#decide(schedule.id, now, decide));
    }
    return joined(reports);
  }

  /** Fires now because a person wants it, whatever the policies and also when the schedule is off. */
  async trigger(id: string, by: string): Promise<FiredRun> {
    const firing = `${id}!${this.#ids.next()}`;
    const plannedAt = this.#clock.now();
    return commitToSchedule(this.#parts(), id, by, async (schedule) => {
      refuseErasedInput(schedule);
      const { run, appends } = await this.#prepare(schedule, firing, plannedAt);
      const { cursor } = schedule;
      const runs = schedule.policies.overlap === 'allow' ? [run] : remember(schedule.runs, run);
      const reason = 'manual';
      const event = scheduleEvent('schedule.fired', { firing, plannedAt, run, reason, cursor, runs, by });
      const answer = { firing, schedule: id, graph: schedule.graph, run, plannedAt, reason } as const;
      return { events: [event], others: appends, answer };
    });
  }

  /**
   * Fires the schedules that watch `path`. `digest` tells one change from another: each schedule answers a digest once,
   * ever, so a watcher that wants a return to an earlier content to fire must put more than the content into it.
   */
  async notifyChange(path: string, digest: string): Promise<TickReport> {
    const plannedAt = this.#clock.now();
    const reports: TickReport[] = [];
    for (const { id, enabled, trigger } of await this.#schedules.list()) {
      if (!enabled || !('onChange' in trigger) || !liesWithin(path, trigger.onChange)) continue;
      const firing = `${id}#${digest}`;
      reports.push(
        await this.#decide(id, plannedAt, async (current, { runningRun }) => {
          const known = !current.enabled || (await this.#schedules.firing(firing)) !== undefined;
          return known ? [] : planChange(current, firing, plannedAt, runningRun);
        }),
      );
    }
    return joined(reports);
  }

  /** When to tick again after a tick at `now`: the next planned time, if any schedule has one. */
  async nextWake(now: EpochMs): Promise<EpochMs | undefined> {
    return nextWake(await this.#schedules.list(), now);
  }

  /** Carries out what `plan` says. Whether a run has not ended is asked only when there is something to do. */
  async #decide(id: string, now: EpochMs, plan: PlanActions): Promise<TickReport> {
    try {
      return await commitToSchedule(this.#parts(), id, this.#actor, async (schedule) => {
        const unhindered = await plan(schedule, {});
        const runningRun = unhindered.length > 0 ? await this.#runningRun(schedule) : undefined;
        const decided = new Set<string>();
        let actions = runningRun === undefined ? unhindered : await plan(schedule, { runningRun });
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
   * Adds to `decided` the planned times that were decided before the cursor went back; false when there are none. A skip
   * that a clock ahead of this one decided does not count: its time has not come yet.
   */
  async #findDecided(actions: readonly TickAction[], now: EpochMs, decided: Set<string>): Promise<boolean> {
    const { size } = decided;
    for (const action of actions) {
      if (action.do !== 'queue' && (action.do !== 'fire' || action.queued)) continue;
      const found = await this.#schedules.firing(action.firing);
      if (found !== undefined && (found.status !== 'skipped' || !isAheadOfClock(found.decidedAt, now)))
        decided.add(action.firing);
    }
    return decided.size > size;
  }

  async #carryOut(
    schedule: Schedule,
    actions: readonly TickAction[],
    running: string | undefined,
  ): Promise<ScheduleChange<TickReport>> {
    const events: EventDraft[] = [];
    const others: StreamAppend[] = [];
    const fired: FiredRun[] = [];
    let blockedBy = running;
    for (const action of actions) {
      if (action.do !== 'fire') {
        events.push(putOffEvent(action, blockedBy));
        continue;
      }
      const { firing, plannedAt, reason } = action;
      try {
        const { run, appends } = await this.#prepare(schedule, firing, plannedAt);
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

  #prepare(schedule: Schedule, firing: string, plannedAt: EpochMs): ReturnType<FiringTarget['prepare']> {
    const { id, graph, input = null } = schedule;
    return this.#target.prepare({ id: firing, schedule: id, graph, input, plannedAt });
  }

  /** A run of the schedule that has not ended, where that matters. */
  async #runningRun(schedule: Schedule): Promise<string | undefined> {
    if (schedule.policies.overlap === 'allow') return undefined;
    for (const run of schedule.runs.toReversed()) if (await this.#target.isRunning(run)) return run;
    return undefined;
  }

  #parts(): { readonly events: EventStore; readonly schedules: ScheduleStore } {
    return { events: this.#events, schedules: this.#schedules };
  }
}

function refuseErasedInput({ id, inputErased }: Schedule): void {
  if (!inputErased) return;
  const code: ScheduleErrorCode = 'schedule.invalid';
  throw new OkaError(
    code,
    `the input of schedule ${id} was erased; delete it and add it again with its input.`,
    {
      data: { schedule: id },
    },
  );
}

function remember(runs: readonly string[], run: string): readonly string[] {
  return [...runs, run].slice(-MOST_RUNS_REMEMBERED);
}

function joined(reports: readonly TickReport[]): TickReport {
  return {
    fired: reports.flatMap(({ fired }) => fired),
    failures: reports.flatMap(({ failures }) => failures),
  };
}
