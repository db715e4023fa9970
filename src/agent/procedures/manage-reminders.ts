import type { Decision, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { plainLine } from '../describe-text.ts';
import { answerTo, ask, call, callsOf, fail, failWith, isWithheld } from '../findings.ts';
import type { Procedure } from '../types.ts';
import { code, count } from './markdown-text.ts';
import { subjectStems } from './memory-words.ts';
import { type ReportParameters, reportProcedure } from './report-procedure.ts';

interface ReminderItem {
  readonly id: string;
  readonly text: string;
  readonly cron?: string;
  readonly next_local?: string;
  readonly fired_local?: string;
}

interface CancelParameters extends ReportParameters {
  /** What the reminder is about; all reminders without it. */
  readonly about?: string | undefined;
}

const POLITE = String.raw`^\s*(?:(?:please|kindly|hey|oka|can you|could you|would you)[\s,]+)*`;
const LISTED = new RegExp(
  `${POLITE}(?:(?:list|show|print|display|give me|tell me)(?: me)?\\s+)?(?:(?:what|which|do i have|are there)\\s+)?(?:are\\s+)?(?:all\\s+|any\\s+|of\\s+)*(?:my\\s+|our\\s+|the\\s+)?(?:open\\s+|pending\\s+|upcoming\\s+|active\\s+)?reminders(?:\\s+(?:do i have|are (?:set|there|open|pending)|i have|have i set|did i set))?\\s*[?.!]*\\s*$`,
  'iu',
);
const CANCELLED = new RegExp(
  `${POLITE}(?:cancel|delete|remove|drop|stop|dismiss|clear)\\s+(?:(?<all>(?:all|every)(?:\\s+(?:of\\s+)?(?:the|my|our))?)\\s+reminders?|(?:the|my|our|that|a)?\\s*reminders?\\s+(?:about|to|for|of|that|with)\\s+(?<about>.+?)|(?:the|my|our)\\s+(?<kind>[\\p{L}\\p{N} -]{2,60}?)\\s+reminder)\\s*[.!]*\\s*$`,
  'iu',
);
const QUESTION = 'Which reminder shall be cancelled?';

/** Lists reminders: those that will come, and those that came. */
export const listReminders: Procedure = reportProcedure<ReportParameters>({
  name: 'list-reminders',
  description: 'Lists the reminders: when each comes, and which came already.',
  example: 'list my reminders',
  triggers: [],
  tools: ['reminders.all'],
  understand: ({ text }) => (LISTED.test(text) ? { said: 'reminders', parameters: {} } : undefined),
  look: lookUp,
  report(input) {
    const items = itemsIn(input);
    const { running } = asObject(callsOf(input, 'reminders.all')[0]?.output);
    return {
      title: 'Reminders',
      answer: items.length === 0 ? 'There are no reminders.' : `${count(items.length, 'reminder')}.`,
      sections: [
        { title: 'To come', lines: items.filter(({ next_local }) => next_local).map(showNext) },
        {
          title: 'Came',
          lines: items
            .filter(({ fired_local }) => fired_local)
            .map(({ text, fired_local }) => `- ${plainLine(text, 200)} (${fired_local})`),
        },
      ],
      facts: { reminders: items.slice(0, 50) as unknown as never[], running: running === true },
      leftOut:
        running === true || items.length === 0
          ? []
          : ['the daemon does not run, so that no reminder comes now; start it with: oka up'],
      checks: [
        { check: 'the reminders were read', holds: callsOf(input, 'reminders.all')[0]?.output !== undefined },
      ],
    };
  },
});

/** Cancels the reminder that a goal names. */
export const cancelReminder: Procedure = reportProcedure<CancelParameters>({
  name: 'cancel-reminder',
  description: 'Cancels a reminder by its words. If several have them, it asks which one.',
  example: 'cancel the reminder about Bob',
  triggers: [],
  tools: ['reminders.all', 'reminders.cancel'],
  understand({ text }) {
    const found = CANCELLED.exec(text)?.groups;
    if (found === undefined) return undefined;
    const about = found['about'] ?? found['kind'];
    if (found['all'] === undefined && subjectStems(about ?? '').length === 0) return undefined;
    return { said: 'cancel reminder', parameters: { about } };
  },
  look(input, parameters) {
    const unread = lookUp(input);
    if (unread) return unread;
    const found = matching(input, parameters);
    const answer = answerTo(input, QUESTION);
    if (found.length === 0) {
      const what =
        parameters.about === undefined
          ? 'There is no reminder'
          : `No reminder is about "${parameters.about}"`;
      return fail(
        'agent.not_validated',
        `${what}; nothing was cancelled. See: oka do "list my reminders"`,
        'there is none',
      );
    }
    if (found.length === 1 || parameters.about === undefined || answer !== undefined) return undefined;
    return ask(QUESTION, 'several reminders have these words', found.map(choice));
  },
  effect(input, parameters) {
    const [made] = callsOf(input, 'reminders.cancel');
    if (made?.failure) return failWith(made);
    const ids = chosen(input, parameters).map(({ id }) => id);
    return made ? undefined : call('reminders.cancel', { ids }, 'the goal names the reminder');
  },
  report(input, parameters) {
    const [made] = callsOf(input, 'reminders.cancel');
    const items = chosen(input, parameters);
    const { cancelled } = asObject(made?.output);
    const done = Array.isArray(cancelled) ? cancelled : [];
    return {
      title: 'Reminders',
      answer: `${isWithheld(made) ? 'Would be cancelled' : 'Cancelled'}: ${items.map(({ text }) => code(text)).join(', ')}.`,
      sections: [],
      facts: { cancelled: items.map(({ id }) => id) },
      leftOut: [],
      checks: [
        {
          check: 'each was cancelled',
          holds: isWithheld(made) || items.every(({ id }) => done.includes(id)),
        },
      ],
    };
  },
});

function lookUp(input: PlanInput): Decision | undefined {
  const [made] = callsOf(input, 'reminders.all');
  if (made?.failure) return failWith(made);
  return made ? undefined : call('reminders.all', {}, 'the list tells the reminders');
}

function itemsIn(input: PlanInput): readonly ReminderItem[] {
  const { reminders } = asObject(callsOf(input, 'reminders.all')[0]?.output);
  return Array.isArray(reminders) ? (reminders as unknown as ReminderItem[]) : [];
}

/** The reminders with every word of the goal. */
function matching(input: PlanInput, { about }: CancelParameters): readonly ReminderItem[] {
  const words = subjectStems(about ?? '');
  return itemsIn(input).filter(({ text }) => {
    const said = subjectStems(text);
    return words.every((word) => said.includes(word));
  });
}

function chosen(input: PlanInput, parameters: CancelParameters): readonly ReminderItem[] {
  const answer = answerTo(input, QUESTION);
  const found = matching(input, parameters);
  return answer === undefined ? found : found.filter((item) => choice(item) === answer);
}

function choice(item: ReminderItem): string {
  return `${item.id}: ${plainLine(item.text, 80)}`;
}

function showNext({ text, next_local, cron }: ReminderItem): string {
  return `- ${next_local}${cron === undefined ? '' : ' and again'}: ${plainLine(text, 200)}`;
}
