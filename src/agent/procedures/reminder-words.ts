// Owns: how goals say when a reminder is due, and what it is about.

/** What a goal asks to be reminded of; `words` say when, as they are in the goal. */
export interface WantedReminder {
  readonly text: string;
  readonly words?: string | undefined;
}

const POLITE = String.raw`^\s*(?:(?:please|kindly|hey|oka|can you|could you|would you|i want you to|i'd like you to)[\s,]+)*`;
const ASKED = new RegExp(
  `${POLITE}(?:remind (?:me|us)|(?:set|create|add|make)(?: me)? (?:a |an |another )?(?:new )?reminder|don['’]?t let me forget)(?<rest>[\\s:,].+?)\\s*[.!]*\\s*$`,
  'isu',
);
/** "remember to" is a reminder only if the goal says when. */
const TO_REMEMBER = new RegExp(`${POLITE}(?:remember|don['’]?t forget) to (?<rest>.+?)\\s*[.!]*\\s*$`, 'isu');

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY_NAME = '(?:sun|mon|tues|wednes|thurs|fri|satur)days?';
const TIME_WORD = new RegExp(
  String.raw`^(?:tomorrow|today|tonight|morning|afternoon|evening|night|noon|midnight|this|next|in|on|at|by|every|each|daily|weekly|monthly|hourly|days?|weeks?|weekdays?|weekends?|months?|hours?|minutes?|mins?|years?|from|now|am|pm|o['’]clock|the|of|a|an|half|and|other|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty-five|${DAY_NAME}|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|christmas|halloween|\d{1,2}(?::\d{2})?(?:am|pm|st|nd|rd|th|h)?|\d{4}(?:-\d{2}-\d{2})?(?:t\d{2}:\d{2})?),?$`,
  'iu',
);
const TIME_START = new RegExp(
  String.raw`^(?:tomorrow|today|tonight|this|next|in|on|at|by|every|each|daily|weekly|hourly|${DAY_NAME}|\d{4}-\d{2}-\d{2}\S*)$`,
  'iu',
);

/** Reads a goal that asks for a reminder; undefined for any other goal. */
export function wantedReminder(goal: string): WantedReminder | undefined {
  if (goal.length > 1_000) return undefined;
  const later = TO_REMEMBER.exec(goal)?.groups?.['rest'];
  if (later !== undefined) {
    const split = whenAtEnd(later);
    return split.words === undefined ? undefined : split;
  }
  const rest = ASKED.exec(goal)?.groups?.['rest']?.trim();
  if (rest === undefined) return undefined;
  const [, lead = '', text] = /^(.*?)(?:^|\s|:\s*)(?:to|about|that|of)\s+(.+)$|^$/is.exec(rest) ?? [];
  const words = lead
    .trim()
    .replace(/^for\s+/i, '')
    .replace(/[,:]$/, '');
  if (text !== undefined && words === '') return whenAtEnd(text);
  if (text !== undefined) return isTime(words) ? { text: text.trim(), words } : undefined;
  const [, before = '', after = ''] = /^(.+?):\s+(.+)$/s.exec(rest) ?? [];
  return isTime(before) ? { text: after.trim(), words: before.trim() } : undefined;
}

/** "call Bob tomorrow at 9": the longest end that consists of words of time only. */
function whenAtEnd(text: string): WantedReminder {
  const words = text.trim().split(/\s+/);
  for (let i = 1; i < words.length; i++) {
    const end = words.slice(i);
    if (
      TIME_START.test(end[0] ?? '') &&
      end.every((word) => TIME_WORD.test(word)) &&
      end.join(' ').length > 3
    )
      return { text: words.slice(0, i).join(' ').replace(/,$/, ''), words: end.join(' ') };
  }
  return { text: words.join(' ') };
}

function isTime(words: string): boolean {
  const said = words.trim().split(/\s+/);
  return words.trim() !== '' && said.every((word) => TIME_WORD.test(word));
}

const DEFAULT_TIME = { hour: 9, minute: 0 };

/** The cron expression of words such as "every Monday at 8"; undefined when they do not repeat, null when it is not certain. */
export function repetition(
  words: string,
): { readonly cron: string; readonly isTimeGiven: boolean } | null | undefined {
  const said = words
    .trim()
    .toLowerCase()
    .replace(/,/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^on (?=\w+days\b|weekends\b)/, 'every ');
  const [, what, at] =
    /^(?:(?:every|each) )?(.+?)(?: at (.+))?$/.exec(said.replace(/^(daily|weekly|hourly)\b/, 'every $1')) ??
    [];
  if (!/^(?:every|each|daily|weekly|hourly)\b/.test(said)) return undefined;
  const time = at === undefined ? undefined : timeOf(at);
  if (what === undefined || time === null) return null;
  const { hour, minute } = time ?? { ...DEFAULT_TIME, ...(/evening|night/.test(what) ? { hour: 18 } : {}) };
  const isTimeGiven = time !== undefined;
  const each = (days: string, date = '*') => ({ cron: `${minute} ${hour} ${date} * ${days}`, isTimeGiven });
  const interval = /^(\d+)? ?(minute|hour)s?$|^hourly$/.exec(what);
  if (interval && at === undefined) return everyInterval(Number(interval[1] ?? 1), interval[2] ?? 'hour');
  if (/^(?:day|daily|morning|evening|night)$/.test(what)) return each('*');
  if (/^(?:weekday|working day)s?$/.test(what)) return each('1-5');
  if (/^weekends?$/.test(what)) return each('0,6');
  if (/^month$/.test(what)) return null;
  const date = /^(?:month on the )?(\d{1,2})(?:st|nd|rd|th)(?: of (?:the|each|every) month)?$/.exec(
    what,
  )?.[1];
  if (date !== undefined && Number(date) >= 1 && Number(date) <= 28) return each('*', date);
  const days = what
    .replace(/ (?:morning|evening|night)s?$/, '')
    .split(/ and | /)
    .map((day) => WEEKDAYS.indexOf(day.replace(/days$/, 'day')));
  return days.length > 0 && !days.includes(-1) ? each(days.join(',')) : null;
}

/** Only intervals that divide the hour or the day repeat evenly. */
function everyInterval(amount: number, unit: string): { cron: string; isTimeGiven: boolean } | null {
  const whole = unit === 'minute' ? 60 : 24;
  if (amount < 1 || whole % amount !== 0 || amount === whole) return null;
  const step = amount === 1 ? '*' : `*/${amount}`;
  return { cron: unit === 'minute' ? `${step} * * * *` : `0 ${step} * * *`, isTimeGiven: true };
}

function timeOf(text: string): { readonly hour: number; readonly minute: number } | null {
  if (text === 'noon') return { hour: 12, minute: 0 };
  if (text === 'midnight') return { hour: 0, minute: 0 };
  const [, hours, minutes = '0', half] =
    /^(\d{1,2})(?::(\d{2}))? ?(am|pm)?(?: ?(?:h|o['’]clock))?$/.exec(text) ?? [];
  if (hours === undefined) return null;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0);
  return hour < 24 && Number(minutes) < 60 ? { hour, minute: Number(minutes) } : null;
}
