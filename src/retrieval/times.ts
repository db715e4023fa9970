import type { EpochMs } from '../kernel/index.ts';

/** A span of time; both ends are included. */
export interface TimeSpan {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

const DAY_MS = 86_400_000;
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, weekend: 7, month: 30, year: 365 };

const month = `(${MONTHS.map((name) => (name === 'may' ? 'may' : `${name.slice(0, 3)}(?:${name.slice(3)})?`)).join('|')})`;
const day = '(\\d{1,2})(?:st|nd|rd|th)?';
const PATTERNS = {
  iso: /\b(\d{4})-(\d{2})-(\d{2})\b/g,
  dayMonth: new RegExp(`\\b${day}(?: of)? ${month}\\b,?(?: (\\d{4}))?`, 'g'),
  monthDay: new RegExp(`\\b${month} ${day}\\b(?!\\d),?(?: (\\d{4}))?`, 'g'),
  month: new RegExp(
    `\\b(?:in|during|of|since|until|last|early|mid|late|around|by) ${month}\\b,?(?: (\\d{4}))?(?! \\d)`,
    'g',
  ),
  monthYear: new RegExp(`\\b${month},? (\\d{4})\\b`, 'g'),
  year: /\b(?:in|during|of|since) (\d{4})\b/g,
  ago: /\b(a|an|a few|a couple of|\d+|one|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s? ago\b/g,
  side: /\b(last|past|previous|this|next) (day|week|weekend|month|year)\b/g,
  weekday: new RegExp(`\\b(last|this past|this|next|on) (${WEEKDAYS.join('|')})\\b`, 'g'),
  nearDay: /\b(yesterday|last night|today|tonight|this morning|tomorrow|the other day)\b/g,
};
const DAY_SHIFTS = new Map([
  ['yesterday', -1],
  ['last night', -1],
  ['tomorrow', 1],
  ['the other day', -3],
]);

const LOOSE_TIMES =
  /\b(?:ago|recently|soon|since|yesterday|today|tonight|tomorrow|(?:last|next|this|past|every|each) (?:night|week|weekend|month|year|summer|winter|spring|fall|autumn|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:for|in|about|around|over) (?:a|an|\d+|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?(?:day|week|month|year)s?|(?:19|20)\d\d|\d+ (?:year|month|week)s?)\b/;

/** Whether a text mentions a time. */
export function mentionsTime(text: string): boolean {
  const lower = text.toLowerCase();
  return LOOSE_TIMES.test(lower) || spansIn(lower, 0).length > 0;
}

/**
 * The spans of time that a text names. `at` is the reference for words such as "last week". A month without a year is
 * the last one before `until`, by default `at`.
 */
export function spansIn(text: string, at: EpochMs, until: EpochMs = at): TimeSpan[] {
  const lower = text.toLowerCase();
  return [...datesIn(lower, until), ...relativeIn(lower, at)];
}

function datesIn(text: string, at: EpochMs): TimeSpan[] {
  const spans: TimeSpan[] = [];
  for (const [, year, monthNumber, dayNumber] of text.matchAll(PATTERNS.iso))
    spans.push(dayOf(Number(year), Number(monthNumber) - 1, Number(dayNumber)));
  for (const [, dayNumber, name, year] of text.matchAll(PATTERNS.dayMonth))
    spans.push(dayOf(yearOr(year, name, at), monthOf(name), Number(dayNumber)));
  for (const [, name, dayNumber, year] of text.matchAll(PATTERNS.monthDay))
    spans.push(dayOf(yearOr(year, name, at), monthOf(name), Number(dayNumber)));
  if (spans.length > 0) return spans;
  for (const pattern of [PATTERNS.monthYear, PATTERNS.month]) {
    for (const [, name, year] of text.matchAll(pattern))
      spans.push(wholeMonth(yearOr(year, name, at), monthOf(name)));
    if (spans.length > 0) return spans;
  }
  for (const [, year] of text.matchAll(PATTERNS.year))
    spans.push({ from: Date.UTC(Number(year), 0, 1), to: Date.UTC(Number(year) + 1, 0, 1) - 1 });
  return spans;
}

function relativeIn(text: string, at: EpochMs): TimeSpan[] {
  const spans: TimeSpan[] = [];
  for (const [, count = '', unit = ''] of text.matchAll(PATTERNS.ago)) {
    const days = UNIT_DAYS[unit] ?? 1;
    spans.push(around(at - amount(count) * days * DAY_MS, days / 3));
  }
  for (const [, side = '', unit = ''] of text.matchAll(PATTERNS.side)) {
    const days = UNIT_DAYS[unit] ?? 1;
    const shift = side === 'next' ? 1 : side === 'this' ? 0 : -1;
    spans.push(around(at + shift * days * DAY_MS, days / 2));
  }
  for (const [, side = '', name = ''] of text.matchAll(PATTERNS.weekday)) {
    const back = (new Date(at).getUTCDay() - WEEKDAYS.indexOf(name) + 7) % 7 || 7;
    spans.push(around(at + (side === 'next' || side === 'this' ? 7 - back : -back) * DAY_MS, 0.5));
  }
  for (const [, word = ''] of text.matchAll(PATTERNS.nearDay)) {
    spans.push(around(at + (DAY_SHIFTS.get(word) ?? 0) * DAY_MS, word === 'the other day' ? 3 : 0.5));
  }
  return spans;
}

/** The nearness of two spans: 1 if they overlap, falling to 0 at `reachMs` apart. */
export function nearness(one: TimeSpan, other: TimeSpan, reachMs: number): number {
  const gap = Math.max(one.from - other.to, other.from - one.to, 0);
  return gap >= reachMs ? 0 : 1 - gap / reachMs;
}

function around(middle: EpochMs, days: number): TimeSpan {
  return { from: middle - days * DAY_MS, to: middle + days * DAY_MS };
}

function amount(word: string): number {
  if (word === 'a' || word === 'an') return 1;
  if (word === 'a few') return 3;
  if (word === 'a couple of') return 2;
  return /^\d+$/.test(word) ? Number(word) : NUMBERS.indexOf(word);
}

function monthOf(name = ''): number {
  return MONTHS.findIndex((full) => full.startsWith(name.slice(0, 3)));
}

/** The stated year, or the one of the last such month. */
function yearOr(said: string | undefined, name: string | undefined, at: EpochMs): number {
  if (said !== undefined) return Number(said);
  const now = new Date(at);
  return monthOf(name) > now.getUTCMonth() + 1 ? now.getUTCFullYear() - 1 : now.getUTCFullYear();
}

function dayOf(year: number, monthNumber: number, dayNumber: number): TimeSpan {
  const from = Date.UTC(year, monthNumber, dayNumber);
  return { from, to: from + DAY_MS - 1 };
}

function wholeMonth(year: number, monthNumber: number): TimeSpan {
  return { from: Date.UTC(year, monthNumber, 1), to: Date.UTC(year, monthNumber + 1, 1) - 1 };
}
