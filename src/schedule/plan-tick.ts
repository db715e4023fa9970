// Owns: what a tick must do about one schedule. Pure: no reading, no writing, no clock.
// I1 Every planned time after the cursor and up to now gets exactly one verdict.
// I2 A planned time that has fired never fires again. The cursor goes back only when it lies further ahead of the clock than
//    a correction explains; what fired by the wrong clock is then known by its firing id.
import type { EpochMs } from '../kernel/index.ts';
import { dueOccurrences, type Occurrence } from './occurrences.ts';
import type { FiringReason, OverlapPolicy, Schedule, SkipReason } from './types.ts';
import { usableCursor } from './usable-cursor.ts';

/** A firing that is later than this was missed, and the misfire policy speaks. */
export const GRACE_MS = 60_000;
/** How many missed firings `misfire: all` makes up for. */
export const MOST_MADE_UP = 100;
const ON_TIME_MS = 1_000;

/** One verdict of a tick. Carried out in order; `cursor` is where the schedule stands afterwards. */
export type TickAction =
  | {
      readonly do: 'fire';
      readonly firing: string;
      readonly plannedAt: EpochMs;
      readonly reason: FiringReason;
      readonly cursor: EpochMs;
      /** True when the firing was waiting. */
      readonly queued?: true;
    }
  | {
      readonly do: 'queue';
      readonly firing: string;
      readonly plannedAt: EpochMs;
      readonly reason: FiringReason;
      readonly cursor: EpochMs;
    }
  | {
      readonly do: 'skip';
      readonly firing: string;
      readonly plannedAt: EpochMs;
      readonly why: SkipReason;
      /** How many planned times this stands for, and the last of them. */
      readonly count: number;
      readonly until: EpochMs;
      readonly more?: true;
      readonly cursor: EpochMs;
      readonly queued?: true;
    }
  | { readonly do: 'correct_clock'; readonly cursor: EpochMs; readonly previousCursor: EpochMs };

/** What a plan depends on beside the schedule and the time. */
export interface TickState {
  /** A run of the schedule that has not ended, if there is one. */
  readonly runningRun?: string | undefined;
  /** Firings of planned times that were decided before the cursor went back. */
  readonly decided?: ReadonlySet<string>;
}

type Verdict = { readonly run: true } | { readonly skip: SkipReason };

/** The id of the firing of a planned time: the same for whoever computes it. */
export function firingId(schedule: string, plannedAt: EpochMs): string {
  return `${schedule}@${new Date(plannedAt).toISOString()}`;
}

/** Decides about all that came due after `previousCursor` and up to `now`, and about what is queued. */
export function planTick(
  schedule: Schedule,
  previousCursor: EpochMs,
  now: EpochMs,
  { runningRun, decided = new Set() }: TickState = {},
): readonly TickAction[] {
  if (!schedule.enabled) return [];
  const cursor = 'cron' in schedule.trigger ? usableCursor(previousCursor, now) : previousCursor;
  const plan = new Plan(schedule, cursor, now, runningRun !== undefined);
  if (cursor !== previousCursor) plan.actions.push({ do: 'correct_clock', cursor, previousCursor });
  plan.takeQueued();
  if ('cron' in schedule.trigger) {
    // After a clock that was behind, the cursor may lie before the schedule was there.
    const after = schedule.addedAt <= now ? Math.max(cursor, schedule.addedAt) : cursor;
    const { earlier, latest } = dueOccurrences(schedule.trigger, schedule.policies.dst, after, now);
    if (earlier) plan.skip('misfire', earlier);
    for (const [occurrence, verdict] of judged(latest, schedule, now, decided))
      plan.take(occurrence, verdict);
  }
  return plan.actions;
}

/** The misfire and dst policies' word on each occurrence. */
function judged(
  latest: readonly Occurrence[],
  schedule: Schedule,
  now: EpochMs,
  decided: ReadonlySet<string>,
): [Occurrence, Verdict][] {
  const isDecided = ({ at }: Occurrence): boolean => decided.has(firingId(schedule.id, at));
  const isMissed = (occurrence: Occurrence): boolean => now - occurrence.at > GRACE_MS;
  const runnable = latest.filter((occurrence) => !occurrence.skipped);
  const missed = runnable.filter(isMissed);
  const { misfire } = schedule.policies;
  // A firing in time makes up for what was missed before it.
  const wanted =
    misfire === 'all' ? MOST_MADE_UP : misfire === 'one' && missed.length === runnable.length ? 1 : 0;
  const madeUp = new Set(wanted === 0 ? [] : missed.slice(-wanted));
  return latest.map((occurrence) => {
    if (schedule.inputErased) return [occurrence, { skip: 'input_erased' }];
    if (occurrence.skipped) return [occurrence, { skip: 'dst' }];
    if (isDecided(occurrence)) return [occurrence, { skip: 'clock' }];
    if (isMissed(occurrence) && !madeUp.has(occurrence)) return [occurrence, { skip: 'misfire' }];
    return [occurrence, { run: true }];
  });
}

/** The verdict on a firing that should run, given the runs before it. */
export function judgeOverlap(
  overlap: OverlapPolicy,
  state: { readonly busy: boolean; readonly queued: boolean },
): 'fire' | 'queue' | 'skip' {
  if (overlap === 'allow' || !state.busy) return 'fire';
  return overlap === 'queue' && !state.queued ? 'queue' : 'skip';
}

/** A record that must not replace the one of a firing at the same planned time has an id of its own. */
const ID_SUFFIX: { readonly [why in SkipReason]?: string } = { dst: '~gap', clock: '~clock' };

class Plan {
  readonly actions: TickAction[] = [];
  readonly #schedule: Schedule;
  readonly #now: EpochMs;
  #cursor: EpochMs;
  #busy: boolean;
  #queued: boolean;

  constructor(schedule: Schedule, cursor: EpochMs, now: EpochMs, busy: boolean) {
    this.#schedule = schedule;
    this.#now = now;
    this.#cursor = cursor;
    this.#busy = busy;
    this.#queued = schedule.queued !== undefined;
  }

  takeQueued(): void {
    const { queued, inputErased } = this.#schedule;
    if (queued === undefined) return;
    const { firing, plannedAt, reason } = queued;
    const cursor = this.#cursor;
    if (inputErased) {
      const why = 'input_erased';
      this.actions.push({
        do: 'skip',
        firing,
        plannedAt,
        why,
        count: 1,
        until: plannedAt,
        cursor,
        queued: true,
      });
    } else if (this.#busy) return;
    else {
      this.actions.push({ do: 'fire', firing, plannedAt, reason, cursor, queued: true });
      this.#busy = true;
    }
    this.#queued = false;
  }

  take(occurrence: Occurrence, verdict: Verdict): void {
    const { at } = occurrence;
    if ('skip' in verdict) {
      const count = occurrence.skipped ? (occurrence.jumped ?? 1) : 1;
      this.skip(verdict.skip, { first: at, until: at, count, more: false });
      return;
    }
    const { overlap } = this.#schedule.policies;
    const ruling = judgeOverlap(overlap, { busy: this.#busy, queued: this.#queued });
    if (ruling === 'skip') {
      this.skip('overlap', { first: at, until: at, count: 1, more: false });
      return;
    }
    this.#cursor = Math.max(this.#cursor, at);
    const firing = firingId(this.#schedule.id, at);
    const common = { firing, plannedAt: at, cursor: this.#cursor };
    if (ruling === 'queue') {
      this.actions.push({ do: 'queue', ...common, reason: 'late' });
      this.#queued = true;
    } else {
      this.actions.push({ do: 'fire', ...common, reason: this.#now - at > ON_TIME_MS ? 'late' : 'due' });
      this.#busy = true;
    }
  }

  /** Neighbours that are skipped for the same reason become one. */
  skip(
    why: SkipReason,
    times: {
      readonly first: EpochMs;
      readonly until: EpochMs;
      readonly count: number;
      readonly more: boolean;
    },
  ): void {
    this.#cursor = Math.max(this.#cursor, times.until);
    const last = this.actions.at(-1);
    const joins = last?.do === 'skip' && last.why === why && !last.queued;
    if (joins) this.actions.pop();
    const own = firingId(this.#schedule.id, times.first) + (ID_SUFFIX[why] ?? '');
    this.actions.push({
      do: 'skip',
      firing: joins ? last.firing : own,
      plannedAt: joins ? last.plannedAt : times.first,
      why,
      count: times.count + (joins ? last.count : 0),
      until: times.until,
      cursor: this.#cursor,
      ...(times.more || (joins && last.more) ? { more: true as const } : {}),
    });
  }
}
