import type { ScheduleSuggestion } from './types.ts';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY = `(?:${DAYS.join('|')})s?`;
const DAY_LIST = `${DAY}(?:(?:,|,? and|,? or) (?:every |each )?${DAY})*`;
const TIME = "(?:\\d{1,2}(?::\\d{2})?(?: ?[ap]\\.?m\\b\\.?| o'clock)?|noon|midnight)";
const PARTS: ReadonlyMap<string, number> = new Map([
  ['morning', 8],
  ['noon', 12],
  ['afternoon', 14],
  ['evening', 18],
  ['night', 22],
]);
const DEFAULT_HOUR = 9;

const REPEATED = [
  `(?:every|each) (?:(?:single|week ?|work(?:ing )?)?day|weekend|${[...PARTS.keys()].join('|')})`,
  `(?:on )?(?:weekdays|weekends|work(?:ing )?days)`,
  `(?:every|each) ${DAY_LIST}`,
  `on (?:${DAYS.join('|')})s(?:(?:,|,? and) (?:${DAYS.join('|')})s)*`,
  '(?<!\\b(?:the|an?|my|our|your|this|that) )(?:daily|weekly|monthly)',
  '(?:every|each) week(?: on [a-z]+day)?',
  '(?:every|each) month(?: on the \\d{1,2}(?:st|nd|rd|th))?',
  'on the (?:first|\\d{1,2}(?:st|nd|rd|th)?)(?: day)? of (?:every|each|the) month',
].join('|');
const STEPPED =
  '(?:every|each) (?:(?:\\d+|other|two|three|four|five|ten|fifteen|thirty) )?(?:minute|hour)s?|hourly';

const PATTERN = new RegExp(
  `(?<![\\w-])(?:(?:at (${TIME}) )?(${REPEATED})(?:,? at (${TIME}))?|(${STEPPED}))(?![\\w-])`,
  'i',
);
const WORDS: Readonly<Record<string, number>> = {
  other: 2,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  ten: 10,
  fifteen: 15,
  thirty: 30,
};

/** The schedule in an intent, and the intent without it. Quoted words are ignored. */
export function readSchedule(intent: string): {
  rest: string;
  schedule?: ScheduleSuggestion;
  unclear?: string;
} {
  const open = intent.replaceAll(/"[^"]*"|“[^”]*”|`[^`]*`|https?:\S+/g, (quoted) =>
    '\u0000'.repeat(quoted.length),
  );
  const found = PATTERN.exec(open);
  if (!found) return { rest: intent };
  const [said, before, repeated, after, stepped] = found;
  const cron = stepped === undefined ? cronOfDays(repeated ?? '', before ?? after) : cronOfSteps(stepped);
  const without = `${intent.slice(0, found.index)} ${intent.slice(found.index + said.length)}`;
  const rest = without.replace(/^[\s,]+/, '');
  return cron === undefined
    ? { rest, unclear: said.trim() }
    : { rest, schedule: { cron, said: said.trim() } };
}

function cronOfSteps(said: string): string | undefined {
  const [, amount = '1', unit = 'hour'] = /(\d+|[a-z]+) (minute|hour)/i.exec(said.toLowerCase()) ?? [];
  const step = WORDS[amount] ?? (Number.parseInt(amount, 10) || 1);
  // A step that does not divide the hour or day would not be regular.
  if (unit === 'minute')
    return 60 % step === 0 ? (step === 60 ? '0 * * * *' : `${every(step)} * * * *`) : undefined;
  return 24 % step === 0 ? `0 ${step === 24 ? '0' : every(step)} * * *` : undefined;
}

function every(step: number): string {
  return step === 1 ? '*' : `*/${step}`;
}

function cronOfDays(said: string, time: string | undefined): string | undefined {
  const text = said.toLowerCase();
  const part = [...PARTS].find(([name]) => text.endsWith(name));
  const at = time === undefined ? { hour: part?.[1] ?? DEFAULT_HOUR, minute: 0 } : readTime(time);
  if (!at) return undefined;
  const clock = `${at.minute} ${at.hour}`;
  if (/month/.test(text)) {
    const day = /first/.test(text) ? 1 : Number(/\d+/.exec(text)?.[0] ?? 1);
    return day >= 1 && day <= 31 ? `${clock} ${day} * *` : undefined;
  }
  return `${clock} * * ${weekdays(text)}`;
}

function weekdays(text: string): string {
  const named = DAYS.flatMap((day, i) => (text.includes(day) ? [i] : []));
  if (named.length > 0) return named.join(',');
  if (/weekend/.test(text)) return '0,6';
  if (/week ?day|work/.test(text)) return '1-5';
  return /week/.test(text) ? '1' : '*';
}

function readTime(text: string): { hour: number; minute: number } | undefined {
  const time = text.toLowerCase();
  if (time === 'noon') return { hour: 12, minute: 0 };
  if (time === 'midnight') return { hour: 0, minute: 0 };
  const [, hours = '', minutes = '0', half] = /^(\d+)(?::(\d+))?\s*(a|p)?/.exec(time) ?? [];
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0);
  const minute = Number(minutes);
  return hour < 24 && minute < 60 && !(half && Number(hours) > 12) ? { hour, minute } : undefined;
}
