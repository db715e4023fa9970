// Owns: mapping wall-clock readings to times across clock changes. Does not own: which readings match.
// I1 Occurrences are in time order; only a skipped gap may share its time with the next occurrence.
// I2 An expression that excludes hours means times of the day: a repeated reading counts only the first time, and readings
//    inside a gap occur together, once, at its end.
// I3 An expression that matches every hour means a rhythm: a clock change does not interrupt the minutes, as far as they are
//    the same minutes on the changed clock.
import type { EpochMs } from '../kernel/index.ts';
import { type CronExpression, parseCron } from './cron.ts';
import type { DstPolicy } from './types.ts';
import { type ClockChange, type ZoneClock, zoneClock } from './zone-clock.ts';

/** A time at which a schedule is due. */
export interface Occurrence {
  readonly at: EpochMs;
  /** The number of readings inside a gap that occur here instead. */
  readonly jumped?: number;
  /** True if the policy skips them. */
  readonly skipped?: true;
}

const DAY_MS = 86_400_000;
/** Longer than the effect of any clock change. */
const FAR_MS = 4 * DAY_MS;

/** The occurrences after `after`; infinite unless the expression ends. */
function* occurrences(
  expression: CronExpression,
  clock: ZoneClock,
  after: EpochMs,
  dst: DstPolicy,
): Generator<Occurrence, void> {
  let at = after;
  let offset = clock.offsetAt(after);
  let changesSeen = after;
  for (;;) {
    const wall = expression.next(at + offset);
    if (wall === undefined) return;
    const candidate = wall - offset;
    const change = clock.firstChange(changesSeen, Math.min(candidate, at + FAR_MS));
    if (change) {
      const gap = gapOccurrence(expression, change, dst);
      if (gap) yield gap;
      at = change.at - 1;
      offset = change.after;
      changesSeen = change.at;
    } else if (candidate > at + FAR_MS) {
      // Nothing matches before the candidate at any offset: restart shortly before it.
      at = candidate - 2 * DAY_MS;
      offset = clock.offsetAt(at);
      changesSeen = at;
    } else {
      at = candidate;
      changesSeen = Math.max(changesSeen, candidate);
      if (occursAt(expression, clock, candidate, wall)) yield { at: candidate };
    }
  }
}

/** False for a repeated reading that does not count again. */
function occursAt(expression: CronExpression, clock: ZoneClock, at: EpochMs, wall: number): boolean {
  const back = clock.repeatedBy(at);
  if (back === 0) return true;
  return expression.everyHour && expression.minuteMatches(wall + back);
}

/** The readings inside a gap, as one occurrence at its end; undefined if none is lost. */
function gapOccurrence(
  expression: CronExpression,
  change: ClockChange,
  dst: DstPolicy,
): Occurrence | undefined {
  const forward = change.after - change.before;
  const end = change.at + change.after;
  let jumped = 0;
  let wall = expression.next(change.at + change.before - 1);
  for (; wall !== undefined && wall < end; wall = expression.next(wall)) {
    if (!expression.everyHour || !expression.minuteMatches(wall + forward)) jumped += 1;
  }
  if (jumped === 0) return undefined;
  if (dst === 'skip') return { at: change.at, jumped, skipped: true };
  return wall === end ? undefined : { at: change.at, jumped };
}

/** The next `count` times after `after` at which the expression fires in the zone. */
export function nextFirings(
  cron: string,
  zone: string,
  after: EpochMs,
  count: number,
  dst: DstPolicy = 'run_after',
): readonly EpochMs[] {
  return firingsBetween({ cron, zone }, { after, until: Number.POSITIVE_INFINITY, count }, dst);
}

/** The first `count` times after `after` and before `until` at which the expression fires in the zone. */
export function firingsBetween(
  { cron, zone }: { readonly cron: string; readonly zone: string },
  { after, until, count }: { readonly after: EpochMs; readonly until: EpochMs; readonly count: number },
  dst: DstPolicy = 'run_after',
): readonly EpochMs[] {
  const firings: EpochMs[] = [];
  if (count <= 0) return firings;
  for (const { at, skipped } of occurrences(parseCron(cron), zoneClock(zone), after, dst)) {
    if (at >= until) break;
    if (skipped) continue;
    firings.push(at);
    if (firings.length >= count) break;
  }
  return firings;
}

/** What came due in an interval: the newest one by one, earlier ones as a count. */
export interface DueOccurrences {
  readonly earlier?: {
    readonly first: EpochMs;
    /** The last planned time included in the count. */
    readonly until: EpochMs;
    readonly count: number;
    /** True if counting stopped early. */
    readonly more: boolean;
  };
  readonly latest: readonly Occurrence[];
}

const MAX_LATEST = 200;
const MAX_COUNTED = 10_000;

/** What came due after `after` and up to `until`. The cost is bounded for any interval. */
export function dueOccurrences(
  trigger: { readonly cron: string; readonly zone: string },
  dst: DstPolicy,
  after: EpochMs,
  until: EpochMs,
): DueOccurrences {
  const expression = parseCron(trigger.cron);
  const clock = zoneClock(trigger.zone);
  const counted = collect(occurrences(expression, clock, after, dst), until, MAX_COUNTED);
  if (counted.length <= MAX_LATEST) return { latest: counted };
  const complete = counted.length < MAX_COUNTED;
  const latest = complete
    ? counted.slice(-MAX_LATEST)
    : latestBefore(expression, clock, { after: (counted.at(-1) as Occurrence).at, until, dst });
  const older = complete ? counted.slice(0, -MAX_LATEST) : counted;
  const first = (older[0] as Occurrence).at;
  const before = complete ? (older.at(-1) as Occurrence).at : (latest[0]?.at ?? until + 1) - 1;
  return { earlier: { first, until: before, count: older.length, more: !complete }, latest };
}

function collect(source: Iterable<Occurrence>, until: EpochMs, max: number): Occurrence[] {
  const found: Occurrence[] = [];
  for (const occurrence of source) {
    if (occurrence.at > until || found.length >= max) break;
    found.push(occurrence);
  }
  return found;
}

/** The newest occurrences up to `until`, searched from the end. */
function latestBefore(
  expression: CronExpression,
  clock: ZoneClock,
  stretch: { readonly after: EpochMs; readonly until: EpochMs; readonly dst: DstPolicy },
): Occurrence[] {
  const { after, until, dst } = stretch;
  const offset = clock.offsetAt(until);
  const oldest = expression.previous(until + offset + 1_000, MAX_LATEST).at(-1) ?? after + offset;
  const near = oldest - offset;
  // A clock change in between shifts the readings by its size.
  const change = clock.firstChange(near - DAY_MS, until);
  const start = near - 1 - (change ? Math.abs(change.after - change.before) : 0);
  const source = occurrences(expression, clock, Math.max(after, start), dst);
  return collect(source, until, Number.POSITIVE_INFINITY).slice(-MAX_LATEST);
}
