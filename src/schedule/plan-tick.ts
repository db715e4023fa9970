// Owns: what a tick does about one schedule. Pure: no IO and no clock.
// I1 Every planned time after the cursor and up to now gets exactly one verdict.
// I2 A planned time that has fired never fires again. The cursor moves back only if it is ahead of the clock by more than the
//    tolerance; what the wrong clock fired is then recognized by its firing id.
import type { EpochMs } from '../kernel/index.ts';
import { type DueOccurrences, dueOccurrences, type Occurrence } from './occurrences.ts';
import { usableCursor } from './planned-firings.ts';
import type { FiringReason, OverlapPolicy, Schedule, SkipReason } from './types.ts';

/** A firing later than this counts as missed, and the misfire policy applies. */
export const GRACE_MS = 60_000;
/** How many missed firings `misfire: all` runs. */
export const MAX_CATCH_UP = 100;
const ON_TIME_MS = 1_000;

interface FiringAction {
  readonly firing: string;
  readonly plannedAt: EpochMs;
  /** The schedule's cursor after the action. */
  readonly cursor: EpochMs;
}

/** One verdict of a tick. Verdicts are applied in order. `queued` is set for the firing that was queued before. */
export type TickAction =
  | (FiringAction & { readonly do: 'fire'; readonly reason: FiringReason; readonly queued?: true })
  | (FiringAction & { readonly do: 'queue'; readonly reason: FiringReason })
  | (FiringAction & {
      readonly do: 'skip';
      readonly why: SkipReason;
      /** The number of planned times, and the last of them. */
      readonly count: number;
      readonly until: EpochMs;
      readonly more?: true;
      readonly queued?: true;
    })
  | { readonly do: 'correct_clock'; readonly cursor: EpochMs; readonly previousCursor: EpochMs };

/** Other inputs of a plan. */
export interface TickState {
  /** An active run of the schedule. */
  readonly runningRun?: string | undefined;
  /** Firings that were decided before the cursor was set back. */
  readonly decided?: ReadonlySet<string>;
}

/** Why an occurrence is skipped; undefined if it should run. */
type Verdict = SkipReason | undefined;

/** The deterministic id of the firing of a planned time. */
export function firingId(schedule: string, plannedAt: EpochMs): string {
  return `${schedule}@${new Date(plannedAt).toISOString()}`;
}

/** Decides about everything due after `previousCursor` and up to `now`, and about the queued firing. */
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
    // After a clock that was behind, the cursor may be earlier than the schedule itself.
    const after = schedule.addedAt <= now ? Math.max(cursor, schedule.addedAt) : cursor;
    const { earlier, latest } = dueOccurrences(schedule.trigger, schedule.policies.dst, after, now);
    if (earlier) plan.skip('misfire', earlier);
    for (const [occurrence, verdict] of judged(latest, schedule, now, decided))
      plan.take(occurrence, verdict);
  }
  return plan.actions;
}

/** Applies the misfire and dst policies to each occurrence. */
function judged(
  latest: readonly Occurrence[],
  schedule: Schedule,
  now: EpochMs,
  decided: ReadonlySet<string>,
): [Occurrence, Verdict][] {
  const isMissed = (occurrence: Occurrence): boolean => now - occurrence.at > GRACE_MS;
  const runnable = latest.filter((occurrence) => !occurrence.skipped);
  const missed = runnable.filter(isMissed);
  const { misfire } = schedule.policies;
  // An on-time firing replaces the ones missed before it.
  const wanted =
    misfire === 'all' ? MAX_CATCH_UP : misfire === 'one' && missed.length === runnable.length ? 1 : 0;
  const caughtUp = new Set(wanted === 0 ? [] : missed.slice(-wanted));
  return latest.map((occurrence) => {
    if (schedule.inputErased) return [occurrence, 'input_erased'];
    if (occurrence.skipped) return [occurrence, 'dst'];
    if (decided.has(firingId(schedule.id, occurrence.at))) return [occurrence, 'clock'];
    if (isMissed(occurrence) && !caughtUp.has(occurrence)) return [occurrence, 'misfire'];
    return [occurrence, undefined];
  });
}

/** Applies the overlap policy to a firing that should run. */
function judgeOverlap(
  overlap: OverlapPolicy,
  state: { readonly busy: boolean; readonly queued: boolean },
): 'fire' | 'queue' | 'skip' {
  if (overlap === 'allow' || !state.busy) return 'fire';
  return overlap === 'queue' && !state.queued ? 'queue' : 'skip';
}

/** Suffixes for records that must not replace the record of a firing at the same planned time. */
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
    const common = { firing, plannedAt, cursor: this.#cursor, queued: true } as const;
    if (inputErased) {
      this.actions.push({ do: 'skip', ...common, why: 'input_erased', count: 1, until: plannedAt });
    } else if (this.#busy) return;
    else {
      this.actions.push({ do: 'fire', ...common, reason });
      this.#busy = true;
    }
    this.#queued = false;
  }

  take(occurrence: Occurrence, verdict: Verdict): void {
    const { at } = occurrence;
    const { overlap } = this.#schedule.policies;
    const ruling = judgeOverlap(overlap, { busy: this.#busy, queued: this.#queued });
    if (verdict !== undefined || ruling === 'skip') {
      const count = occurrence.skipped ? (occurrence.jumped ?? 1) : 1;
      this.skip(verdict ?? 'overlap', { first: at, until: at, count, more: false });
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

  /** Adjacent skips with the same reason are merged. */
  skip(why: SkipReason, times: NonNullable<DueOccurrences['earlier']>): void {
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

/** Decides about one change of a watched path. Pure, like `planTick`. */
export function planChange(
  schedule: Schedule,
  firing: string,
  plannedAt: EpochMs,
  runningRun?: string,
): readonly TickAction[] {
  const { cursor, policies, queued, inputErased } = schedule;
  const skip = { do: 'skip', firing, plannedAt, count: 1, until: plannedAt, cursor } as const;
  if (inputErased) return [{ ...skip, why: 'input_erased' }];
  // The queued firing runs first and will see this change too.
  const state = { busy: runningRun !== undefined || queued !== undefined, queued: queued !== undefined };
  const ruling = judgeOverlap(policies.overlap, state);
  if (ruling === 'skip') return [{ ...skip, why: 'overlap' }];
  return [{ do: ruling, firing, plannedAt, reason: 'change', cursor }];
}
