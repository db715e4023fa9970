// Owns: how people say when: "since Monday", "in the last 3 days", "before 1 May 2026", "this month".
import { inOrder, map, maybe, oneOf, oneWord, type Rule, rule, said } from '../parser.ts';
import type { Moment, Period, Unit } from '../periods.ts';
import { count } from './values.ts';

const UNITS: Readonly<Record<string, Unit>> = {
  minute: 'minute',
  minutes: 'minute',
  hour: 'hour',
  hours: 'hour',
  day: 'day',
  days: 'day',
  week: 'week',
  weeks: 'week',
  month: 'month',
  months: 'month',
  year: 'year',
  years: 'year',
};
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = [
  ['january', 'jan'],
  ['february', 'feb'],
  ['march', 'mar'],
  ['april', 'apr'],
  ['may'],
  ['june', 'jun'],
  ['july', 'jul'],
  ['august', 'aug'],
  ['september', 'sep', 'sept'],
  ['october', 'oct'],
  ['november', 'nov'],
  ['december', 'dec'],
];

const unit = oneWord(({ text, isValue }) => (isValue ? undefined : UNITS[text]));
const weekday = oneWord(({ text }) => {
  const at = WEEKDAYS.indexOf(text.replace(/'s$/, ''));
  return at < 0 ? undefined : at;
});
const month = oneWord(({ text }) => {
  const at = MONTHS.findIndex((names) => names.includes(text.replace(/'s$/, '')));
  return at < 0 ? undefined : at + 1;
});
const year = oneWord(({ text }) => (/^(?:19|20)\d\d$/.test(text) ? Number(text) : undefined));
const dayOfMonth = oneWord(({ text }) => {
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(text) ?? [];
  const day = Number(digits);
  return digits !== undefined && day >= 1 && day <= 31 ? day : undefined;
});
const isoDate = oneWord(({ kind, text }) => (kind === 'date' ? text : undefined));

/** A day, week, month or year with its beginning and end. */
const span: Rule<Required<Period>> = rule(() => oneOf(lastSpan, namedSpan));

const lastSpan: Rule<Required<Period>> = rule(() =>
  map(inOrder(said('last|previous'), calendarUnit), ([, one]) => current(one, -1)),
);

const namedSpan: Rule<Required<Period>> = rule(() =>
  oneOf<Required<Period>>(
    map(said("today|today's"), () => current('day', 0)),
    map(said("yesterday|yesterday's"), () => current('day', -1)),
    map(inOrder(said('this|current'), calendarUnit), ([, one]) => current(one, 0)),
    map(inOrder(maybe(said('last|this')), weekday), ([, day]) => ({
      from: { weekday: day, after: 0 },
      until: { weekday: day, after: 1 },
    })),
    map(fullDate, (date) => ({ from: { date }, until: { date: nextDay(date) } })),
    map(inOrder(month, maybe(said('of')), maybe(year)), ([named, , inYear]) => {
      const about = { month: named, ...(inYear === undefined ? {} : { year: inYear }) };
      return { from: { ...about, after: 0 }, until: { ...about, after: 1 } };
    }),
    map(year, (inYear) => ({ from: { date: `${inYear}-01-01` }, until: { date: `${inYear + 1}-01-01` } })),
  ),
);

const calendarUnit = map(unit, (one) => (one === 'minute' || one === 'hour' ? undefined : one));

const fullDate = oneOf(
  isoDate,
  map(inOrder(month, dayOfMonth, maybe(said(',')), year), ([m, d, , y]) => dateOf(y, m, d)),
  map(inOrder(dayOfMonth, maybe(said('of')), month, maybe(said(',')), year), ([d, , m, , y]) => dateOf(y, m, d)),
);

/** How long: "3 days", "a week". */
const duration = inOrder(count, unit);

const ago: Rule<Moment> = map(inOrder(duration, said('ago')), ([[n, one]]) => ({ ago: n, unit: one }));

const start = oneOf<Moment>(
  map(span, ({ from }) => from),
  ago,
);
const end = oneOf<Moment>(
  map(span, ({ until }) => until),
  ago,
);
/** The time up to now: "the last 3 days", "the past week". */
const upToNow: Rule<Period> = oneOf<Period>(
  map(inOrder(said('last|past'), duration), ([, [n, one]]) => ({ from: { ago: n, unit: one } })),
  map(inOrder(said('past'), unit), ([, one]) => ({ from: { ago: 1, unit: one } })),
);

/** A period that stands after a verb or noun: "changed since Monday", "images from last week". */
export const period: Rule<Period> = rule(() =>
  oneOf<Period>(
    map(inOrder(maybe(said('in|on|from|during|of|within|for|at|dated|dating from')), namedSpan), ([, one]) => one),
    map(inOrder(maybe(said('from|of|dated|dating from')), lastSpan), ([, one]) => one),
    map(inOrder(maybe(said('in|within|over|during|from|of')), upToNow), ([, one]) => one),
    map(inOrder(said('in|within|over|during'), said('last'), unit), ([, , one]) => ({ from: { ago: 1, unit: one } })),
    map(inOrder(said('since'), start), ([, from]) => ({ from })),
    map(inOrder(said('after|later than'), end), ([, from]) => ({ from })),
    map(inOrder(said('before|until|earlier than|prior to'), start), ([, until]) => ({ until })),
    map(inOrder(said('between'), span, said('and'), span), ([, { from }, , { until }]) => ({ from, until })),
    map(inOrder(said('from'), span, said('to|until|till|through'), span), ([, { from }, , { until }]) => ({ from, until })),
    map(inOrder(said('over|more than|at least'), duration, said('ago|old')), ([, [n, one]]) => ({ until: { ago: n, unit: one } })),
    map(inOrder(said('less than|under|at most'), duration, said('ago|old')), ([, [n, one]]) => ({ from: { ago: n, unit: one } })),
    map(inOrder(said('older than'), duration, maybe(said('old'))), ([, [n, one]]) => ({ until: { ago: n, unit: one } })),
    map(inOrder(said('newer than|younger than'), duration, maybe(said('old'))), ([, [n, one]]) => ({ from: { ago: n, unit: one } })),
    map(inOrder(said('older than'), span), ([, { from }]) => ({ until: from })),
    map(inOrder(said('newer than|younger than'), span), ([, { until }]) => ({ from: until })),
  ),
);

/** How long something did not happen: "for 30 days", "since May", "in the last 6 months". The period is the time before. */
export const sinceThen: Rule<Period> = rule(() =>
  oneOf<Period>(
    map(
      inOrder(said('in|for|within|over'), maybe(said('more than|at least|over')), maybe(said('last|past')), duration),
      ([, , , [n, one]]) => ({ until: { ago: n, unit: one } }),
    ),
    map(inOrder(said('in|for'), said('last|past'), unit), ([, , one]) => ({ until: { ago: 1, unit: one } })),
    map(inOrder(said('since'), start), ([, until]) => ({ until })),
    map(inOrder(maybe(said('in|during')), namedSpan), ([, { from }]) => ({ until: from })),
  ),
);

function current(start: Exclude<Unit, 'minute' | 'hour'>, after: number): Required<Period> {
  return { from: { start, after }, until: { start, after: after + 1 } };
}

function dateOf(inYear: number, inMonth: number, day: number): string | undefined {
  const date = new Date(Date.UTC(inYear, inMonth - 1, day));
  return date.getUTCMonth() === inMonth - 1 ? date.toISOString().slice(0, 10) : undefined;
}

function nextDay(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 24 * 60 * 60_000).toISOString().slice(0, 10);
}
