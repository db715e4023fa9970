// Owns: moments in words, relative to now, in the time zone of this process.
import { parse } from 'chrono-node/en';
import type { EpochMs } from '../../kernel/index.ts';

export interface Moment {
  readonly at: EpochMs;
  /** Whether the words give a time of day, not only a day. */
  readonly hasTime: boolean;
}

const DAY_MS = 86_400_000;
/** Fixed days of the calendar. */
const DAYS: readonly (readonly [RegExp, string])[] = [
  [/^christmas eve$/i, '24 december'],
  [/^christmas(?: day)?$/i, '25 december'],
  [/^new year['’]?s eve$/i, '31 december'],
  [/^(?:the )?new year(?:['’]?s)?(?: day)?$/i, '1 january'],
  [/^halloween$/i, '31 october'],
];

/** Reads a moment such as "tomorrow at 9" or "24 December"; undefined unless every word belongs to it. */
export function readMoment(text: string, now: EpochMs): Moment | undefined {
  const trimmed = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^(?:on|by) /i, '');
  // 3/4 is a day in April for some and in March for others.
  if (/\d[/.]\d/.test(trimmed) && !/\d{4}/.test(trimmed)) return undefined;
  const phrase =
    DAYS.find(([name]) => name.test(trimmed))?.[1] ?? trimmed.replace(/\bat noon\b/i, 'at 12:00');
  const found = parse(phrase, new Date(now), { forwardDate: true });
  const [only] = found;
  if (found.length !== 1 || only === undefined || only.end) return undefined;
  const rest = (phrase.slice(0, only.index) + phrase.slice(only.index + only.text.length)).trim();
  if (rest !== '' && !/^(?:at|on|the)$/i.test(rest)) return undefined;
  const { start } = only;
  const hasTime = start.isCertain('hour');
  const isTimeOnly = hasTime && !start.isCertain('day') && !start.isCertain('weekday');
  const at = start.date().getTime();
  // "at 9" after 9 means tomorrow.
  return { at: isTimeOnly && at <= now ? at + DAY_MS : at, hasTime };
}
