// Owns: turning readings of a wall clock into moments, across changes of the clock. Does not own: which readings match.
// I1 Occurrences come in order of time; only a skipped gap may share its moment with the occurrence after it.
// I2 An expression that leaves out hours means times of the day: a reading that occurs twice occurs the first time
//    only, and readings that the clock jumps over occur together, once, when it has jumped.
// I3 An expression of every hour means a rhythm: when the clock is moved, the minutes go on as if it had not been, as far
//    as they are the same minutes on the moved clock.
import type { EpochMs } from '../kernel/index.ts';
import { type CronExpression, parseCron } from './cron.ts';
import type { DstPolicy } from './types.ts';
import { type ClockChange, type ZoneClock, zoneClock } from './zone-clock.ts';

/** A moment at which a schedule is due. */
export interface Occurrence {
  readonly at: EpochMs;
  /** How many readings the clock jumped over; they occur here instead. */
  readonly jumped?: number;
  /** True when the policy says that they do not run. */
  readonly skipped?: true;
}

const DAY_MS = 86_400_000;
/** Further ahead than any change of a clock reaches. */
const FAR_MS = 4 * DAY_MS;

/** The moments after `after`, without end unless the expression has one. */
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
      const gap = jumpedOver(expression, change, dst);
      if (gap) yield gap;
      at = change.at - 1;
      offset = change.after;
      changesSeen = change.at;
    } else if (candidate > at + FAR_MS) {
      // Nothing matches before the candidate, on whatever clock: start again shortly before it.
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

/** False for a reading that was shown before and does not count again. */
function occursAt(expression: CronExpression, clock: ZoneClock, at: EpochMs, wall: number): boolean {
  const back = clock.repeatedBy(at);
  if (back === 0) return true;
  return expression.everyHour && expression.minuteMatches(wall + back);
}

/** The readings that a change jumps over, as one occurrence at the change; none when nothing is lost by it. */
function jumpedOver(expression: CronExpression, change: ClockChange, dst: DstPolicy): Occurrence | undefined {
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

/** The next `count` moments after `after` at which the expression fires in the zone. */
export function nextFirings(
  cron: string,
  zone: string,
  after: EpochMs,
  count: number,
  dst: DstPolicy = 'run_after',
): readonly EpochMs[] {
  const firings: EpochMs[] = [];
  if (count <= 0) return firings;
  for (const occurrence of occurrences(parseCron(cron), zoneClock(zone), after, dst)) {
    if (occurrence.skipped) continue;
    firings.push(occurrence.at);
    if (firings.length >= count) break;
  }
  return firings;
}

/** What came due in a stretch of time: the newest one by one, those before them only counted. */
interface DueOccurrences {
  readonly earlier?: {
    readonly first: EpochMs;
    /** All that is counted here was planned up to this moment. */
    readonly until: EpochMs;
    readonly count: number;
    /** True when there were more than were counted. */
    readonly more: boolean;
  };
  readonly latest: readonly Occurrence[];
}

const MOST_LATEST = 200;
const MOST_COUNTED = 10_000;

/** What came due after `after` and up to `until`. Costs no more when the stretch is very long. */
export function dueOccurrences(
  trigger: { readonly cron: string; readonly zone: string },
  dst: DstPolicy,
  after: EpochMs,
  until: EpochMs,
): DueOccurrences {
  const expression = parseCron(trigger.cron);
  const clock = zoneClock(trigger.zone);
  const counted = collect(occurrences(expression, clock, after, dst), until, MOST_COUNTED);
  if (counted.length <= MOST_LATEST) return { latest: counted };
  const complete = counted.length < MOST_COUNTED;
  const latest = complete
    ? counted.slice(-MOST_LATEST)
    : latestBefore(expression, clock, { after: (counted.at(-1) as Occurrence).at, until, dst });
  const older = complete ? counted.slice(0, -MOST_LATEST) : counted;
  const first = (older[0] as Occurrence).at;
  const before = complete ? (older.at(-1) as Occurrence).at : (latest[0]?.at ?? until + 1) - 1;
  return { earlier: { first, until: before, count: older.length, more: !complete }, latest };
}

function collect(source: Iterable<Occurrence>, until: EpochMs, most: number): Occurrence[] {
  const found: Occurrence[] = [];
  for (const occurrence of source) {
    if (occurrence.at > until || found.length >= most) break;
    found.push(occurrence);
  }
  return found;
}

/** The newest occurrences up to `until`, found from the end. */
function latestBefore(
  expression: CronExpression,
  clock: ZoneClock,
  stretch: { readonly after: EpochMs; readonly until: EpochMs; readonly dst: DstPolicy },
): Occurrence[] {
  const { after, until, dst } = stretch;
  const offset = clock.offsetAt(until);
  const oldest = expression.previous(until + offset + 1_000, MOST_LATEST).at(-1) ?? after + offset;
  const near = oldest - offset;
  // A change of the clock in between moves what it counted by as much.
  const change = clock.firstChange(near - DAY_MS, until);
  const start = near - 1 - (change ? Math.abs(change.after - change.before) : 0);
  const found = collect(
    occurrences(expression, clock, Math.max(after, start), dst),
    until,
    Number.POSITIVE_INFINITY,
  );
  return found.slice(-MOST_LATEST);
}
