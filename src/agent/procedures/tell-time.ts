import type { PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import type { Goal } from '../../language/index.ts';
import { call, callsOf, fail, failWith } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { count } from './markdown-text.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';

interface TimeParameters extends ReportParameters {
  readonly asked: 'time' | 'day' | 'days until' | 'weekday';
  /** The other moment, in words. */
  readonly words?: string | undefined;
}

const DAY_MS = 86_400_000;
const POLITE = String.raw`^\s*(?:(?:please|hey|oka|tell me|do you know|can you tell me|so)[\s,]+)*`;
const END = String.raw`(?:\s+(?:now|right now|today|please))*\s*[?.!]*\s*$`;
const FORMS: readonly (readonly [TimeParameters['asked'], RegExp])[] = [
  [
    'time',
    form(
      `(?:what(?:['’]s| is)?(?: the)?(?: current| exact)? time(?: is it| it is)?|what(?:['’]s| is) the clock)`,
    ),
  ],
  [
    'day',
    form(
      `(?:what|which)(?:['’]s| is)?(?: the| today['’]s)?(?: current)? (?:day|date|weekday|day of the week)(?: is it| it is| is today| do we have| today is| of the week is it)?`,
    ),
  ],
  [
    'days until',
    form(
      String.raw`how (?:many days|long)(?: is it| are (?:there|left)| left| is left| do we have| remain)?(?: left)? (?:until|till|to|before) (?<words>\S.*?)`,
    ),
  ],
  ['days until', form(String.raw`(?:the )?(?:number of )?days (?:left )?(?:until|till) (?<words>\S.*?)`)],
  [
    'weekday',
    form(String.raw`(?:what|which) (?:weekday|day(?: of the week)?) (?:is|will be) (?<words>\S.*?)`),
  ],
];

function form(words: string): RegExp {
  return new RegExp(`${POLITE}${words}${END}`, 'iu');
}

/** Answers questions about the clock and the calendar of this machine. */
export const tellTime: Procedure = reportProcedure<TimeParameters>({
  name: 'tell-time',
  description: 'Tells the time and the date of this machine, the weekday of a date, and the days until it.',
  example: 'how many days until 24 December?',
  triggers: [],
  tools: ['time.now'],
  understand,
  look(input, { words }) {
    const [made] = callsOf(input, 'time.now');
    if (made === undefined)
      return call('time.now', words === undefined ? {} : { words }, 'the clock answers it');
    if (made.failure) return failWith(made);
    if (words === undefined || asObject(made.output)['meant'] !== undefined) return undefined;
    const reason = `"${words}" is not a date that Oka knows. Write it as in: how many days until 24 December?`;
    return fail('agent.goal_not_understood', reason, 'the words mean no certain date');
  },
  report,
});

function understand({ text }: Goal): { said: string; parameters: TimeParameters } | undefined {
  if (text.length > 200) return undefined;
  for (const [asked, pattern] of FORMS) {
    const found = pattern.exec(text);
    if (found) return { said: asked, parameters: { asked, words: found.groups?.['words'] } };
  }
  return undefined;
}

function report(input: PlanInput, { asked, words }: TimeParameters): Report {
  const now = asObject(callsOf(input, 'time.now')[0]?.output);
  const meant = asObject(now['meant'] ?? null);
  const [date, time, weekday, zone] = ['date', 'time', 'weekday', 'zone'].map((name) => String(now[name]));
  const other = String(meant['date']);
  const days = Math.round((Date.parse(other) - Date.parse(String(date))) / DAY_MS);
  const answers: Readonly<Record<TimeParameters['asked'], string>> = {
    time: `It is ${time} on ${weekday}, ${date} (${zone}).`,
    day: `Today is ${weekday}, ${date}.`,
    'days until': `${count(Math.abs(days), 'day')} ${days < 0 ? 'since' : 'until'} ${String(meant['weekday'])}, ${other}.`,
    weekday: `${other} is a ${String(meant['weekday'])}.`,
  };
  return {
    title: 'Clock',
    answer: answers[asked],
    sections: [],
    facts: {
      date: String(date),
      ...(asked === 'time' ? { time: String(time), zone: String(zone) } : { weekday: String(weekday) }),
      ...(words === undefined ? {} : { meant: other, days }),
    },
    leftOut: [],
    checks: [{ check: 'the clock was read', holds: typeof now['at'] === 'number' }],
  };
}
