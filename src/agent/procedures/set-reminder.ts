import type { Decision, Evidence, PlanInput } from '../../engine/index.ts';
import { asObject, type JsonObject } from '../../kernel/index.ts';
import { answerTo, ask, call, callsOf, fail, failWith, isWithheld } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { code } from './markdown-text.ts';
import { repetition, type WantedReminder, wantedReminder } from './reminder-words.ts';
import { type Report, type ReportParameters, reportProcedure } from './report-procedure.ts';

type ReminderParameters = ReportParameters & WantedReminder;

const HOUR_MS = 3_600_000;
/** The hour of a reminder whose goal names only the day. */
const MORNING = 9;
const QUESTION = 'When? Write it as in: tomorrow at 9, in 20 minutes, every Monday at 8';

/** Sets a reminder: a schedule that says its text and does nothing else. */
export const setReminder: Procedure = reportProcedure<ReminderParameters>({
  name: 'set-reminder',
  description: 'Sets a reminder for a time, or one that repeats. The daemon shows it when it is due.',
  example: 'remind me tomorrow at 9 to call Bob',
  triggers: [],
  tools: ['time.now', 'reminders.set', 'reminders.all'],
  understand({ text }) {
    const wanted = wantedReminder(text);
    return wanted && wanted.text !== '' ? { said: 'remind', parameters: wanted } : undefined;
  },
  look(input, parameters) {
    const words = wordsOf(input, parameters);
    if (words === undefined) return ask(QUESTION, 'the goal does not say when');
    const repeats = repetition(words);
    const now = clockFor(input, words);
    if (repeats === null) return unknownTime(words);
    if (now?.failure) return failWith(now);
    if (now === undefined)
      return call('time.now', repeats ? {} : { words }, 'the time of the reminder depends on the clock');
    return dueOf(now, words) === undefined ? unknownTime(words) : undefined;
  },
  effect(input, parameters): Decision | undefined {
    const [made] = callsOf(input, 'reminders.set');
    if (made?.failure) return failWith(made);
    if (made) return undefined;
    const words = wordsOf(input, parameters) ?? '';
    const now = clockFor(input, words);
    const when = dueOf(now, words)?.when as unknown as JsonObject;
    const zone = String(asObject(now?.output)['zone']);
    return call('reminders.set', { text: parameters.text, when, zone }, 'the goal asks for a reminder');
  },
  verify(input) {
    const [made] = callsOf(input, 'reminders.set');
    const [listed] = callsOf(input, 'reminders.all');
    if (listed?.failure) return failWith(listed);
    return listed || isWithheld(made) ? undefined : call('reminders.all', {}, 'the reminder is read back');
  },
  report,
});

function unknownTime(words: string): Decision {
  const reason = `"${words}" is not a time that Oka knows. ${QUESTION.slice('When? '.length)}`;
  return fail('agent.goal_not_understood', reason, 'the words mean no certain time');
}

function wordsOf(input: PlanInput, { words }: ReminderParameters): string | undefined {
  return words ?? answerTo(input, QUESTION);
}

function clockFor(input: PlanInput, words: string): Evidence | undefined {
  const asked = repetition(words) ? undefined : words;
  return callsOf(input, 'time.now').find((made) => asObject(made.input)['words'] === asked);
}

/** When it is due, and whether the goal named the time of day. */
function dueOf(
  now: Evidence | undefined,
  words: string,
): { readonly when: { at: number } | { cron: string }; readonly isTimeGiven: boolean } | undefined {
  const repeats = repetition(words);
  if (repeats) return { when: { cron: repeats.cron }, isTimeGiven: repeats.isTimeGiven };
  const { meant } = asObject(now?.output);
  const { at, time, has_time: hasTime } = asObject(meant ?? null);
  if (typeof at !== 'number' || typeof time !== 'string') return undefined;
  if (hasTime === true) return { when: { at }, isTimeGiven: true };
  const hour = Number(time.slice(0, 2)) + Number(time.slice(3)) / 60;
  return { when: { at: Math.round(at - (hour - MORNING) * HOUR_MS) }, isTimeGiven: false };
}

function report(input: PlanInput, parameters: ReminderParameters): Report {
  const [made] = callsOf(input, 'reminders.set');
  const { id = null, next_local: next, cron, zone } = asObject(made?.output);
  const { reminders, running } = asObject(callsOf(input, 'reminders.all')[0]?.output);
  const isThere = (Array.isArray(reminders) ? reminders.map(asObject) : []).some((one) => one['id'] === id);
  const words = wordsOf(input, parameters) ?? '';
  const noTime = dueOf(clockFor(input, words), words)?.isTimeGiven === false;
  const withheld = isWithheld(made);
  const when = withheld
    ? words
    : `${cron === undefined ? '' : `${words}, first on `}${String(next)} (${String(zone)})`;
  return {
    title: 'Reminder',
    answer: `${withheld ? 'Would be set' : 'Set'} for ${when}: ${code(parameters.text)}.${noTime ? ' The goal names no time of day.' : ''}`,
    sections: [
      {
        title: 'When it is shown',
        lines: [
          running === true
            ? 'The daemon runs. It shows the reminder in `oka status`.'
            : 'It needs the daemon, which does not run now. Start it with: `oka up`. If it is off at that time, the reminder comes late.',
        ],
      },
    ],
    facts: {
      id,
      text: parameters.text,
      next: next ?? null,
      ...(cron === undefined ? {} : { cron }),
      running: running === true,
    },
    leftOut: [],
    checks: [{ check: 'the reminder is in the list', holds: withheld || isThere }],
  };
}
