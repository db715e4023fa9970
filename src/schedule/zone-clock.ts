import { type EpochMs, memoize, nearestName, OkaError } from '../kernel/index.ts';
import type { WallTime } from './cron.ts';
import type { ScheduleErrorCode } from './types.ts';

/** A time at which a zone's UTC offset changes: `before` until `at`, `after` from then on. */
export interface ClockChange {
  readonly at: EpochMs;
  readonly before: number;
  readonly after: number;
}

interface ZoneDay {
  readonly offset: number;
  readonly change?: ClockChange;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 5_000;
const MAX_ZONES = 1_000;
const IANA_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** The wall clock of one IANA zone. */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<number, ZoneDay>();

  /** `zone` must have passed `checkZone`. */
  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** The offset from UTC in milliseconds. */
  offsetAt(at: EpochMs): number {
    const { offset, change } = this.#day(Math.floor(at / DAY_MS));
    return change && at >= change.at ? change.after : offset;
  }

  /** The first change after `after`, up to and including `until`. Checks every day in between. */
  firstChange(after: EpochMs, until: EpochMs): ClockChange | undefined {
    for (let day = Math.floor(after / DAY_MS); day * DAY_MS <= until; day++) {
      const { change } = this.#day(day);
      if (change && change.at > after && change.at <= until) return change;
    }
    return undefined;
  }

  /** By how much the clock was set back if `at` repeats a reading; else 0. */
  repeatedBy(at: EpochMs): number {
    const change = this.firstChange(at - DAY_MS, at);
    const back = change ? change.before - change.after : 0;
    return change && back > 0 && at < change.at + back ? back : 0;
  }

  #day(day: number): ZoneDay {
    const known = this.#days.get(day);
    if (known) return known;
    const offset = this.#measure(day * DAY_MS);
    const after = this.#measure((day + 1) * DAY_MS);
    const found =
      offset === after
        ? { offset }
        : { offset, change: { at: this.#momentOf(day, offset), before: offset, after } };
    if (this.#days.size >= MAX_DAYS) this.#days.clear();
    this.#days.set(day, found);
    return found;
  }

  /** The first second of the day at which the offset is no longer `before`. */
  #momentOf(day: number, before: number): EpochMs {
    let low = day * DAY_MS;
    let high = low + DAY_MS;
    while (high - low > 1_000) {
      const middle = low + Math.floor((high - low) / 2_000) * 1_000;
      if (this.#measure(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }

  #measure(at: EpochMs): number {
    const read: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(at)) read[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = read;
    const wall: WallTime = Date.UTC(year, month - 1, day, hour, minute, second);
    return wall - Math.floor(at / 1_000) * 1_000;
  }
}

/** Returns the cached clock of a zone. */
export const zoneClock = memoize(MAX_ZONES, (zone) => new ZoneClock(checkZone(zone)));

/** Normalizes the capitals of a zone. Fails with `schedule.unknown_zone` and suggests the nearest. */
export function checkZone(zone: string): string {
  const names = Intl.supportedValuesOf('timeZone');
  const spelled = names.find((name) => name.toLowerCase() === zone.toLowerCase());
  if (spelled) return spelled;
  if (zone.toLowerCase() === 'utc') return 'UTC';
  if (IANA_NAME.test(zone) && isKnown(zone)) return zone;
  const nearest = nearestZone(zone, names);
  throw new OkaError<ScheduleErrorCode>(
    'schedule.unknown_zone',
    `"${zone}" is not a time zone. Use an IANA name like ${nearest ?? 'Europe/Berlin, America/New_York or UTC'}.`,
    { data: { zone, ...(nearest === undefined ? {} : { nearest }) } },
  );
}

/** The machine knows old names but does not list them. */
function isKnown(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** Also finds a zone by its city alone. */
function nearestZone(zone: string, names: readonly string[]): string | undefined {
  const wanted = zone.replaceAll(' ', '_');
  const cities = new Map(names.map((name) => [name.slice(name.lastIndexOf('/') + 1), name]));
  const whole = nearestName(wanted, names);
  const city = nearestName(wanted.slice(wanted.lastIndexOf('/') + 1), cities.keys());
  if (wanted.includes('/') || city === undefined) return whole ?? (city && cities.get(city));
  return cities.get(city);
}

/** A time on the zone's wall clock with the offset: 2026-03-29T03:00:00+02:00. */
export function formatInZone(at: EpochMs, zone: string): string {
  const offset = zoneClock(zone).offsetAt(at);
  const reading = new Date(at + offset).toISOString().slice(0, 19);
  const minutes = Math.abs(Math.trunc(offset / 60_000));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${reading}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
