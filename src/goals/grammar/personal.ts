// Owns: goals that are not about files: facts, reminders, the time, tests, and what Oka can do.
import type { Goal } from '../meaning.ts';
import { inOrder, map, maybe, oneOf, type Rule, rule, said } from '../parser.ts';
import type { Words } from '../words.ts';

/** Everything up to the end, in the person's own words. */
const rest: Rule<string> = (words: Words, at) => {
  const end = words.list.length;
  const text = words.between(at, end).replace(/^[:,]\s*/, '').replace(/[.!]+$/, '').trim();
  words.reach(end);
  return at < end && text !== '' ? [{ value: text, end }] : [];
};

/** The parts of a reminder are read by its tool, which knows dates and repetitions; here both must be there. */
function reminder(asked: string): Goal | undefined {
  return /\b(?:to|about|that|for)\b/.test(asked) ? { remind: asked.replace(/^(?:me|us)\s+/i, ''), when: 'said' } : undefined;
}

export const personalGoal: Rule<Goal> = rule(() =>
  oneOf<Goal>(
    map(inOrder(said("remember that|note that|keep in mind that|do not forget that|please remember|, remember|make note that|take note that|remember :"), rest), ([, remember]) => ({ remember })),
    map(inOrder(said('what do you remember about|what do you know about|do you remember anything about|recall|recall what you know about|what did i tell you about|what is my|where is my'), rest), ([, recall]) => ({ recall })),
    map(inOrder(said('forget that|forget about|forget what i said about'), rest), ([, forget]) => ({ forget })),
    map(inOrder(said('remind'), rest), ([, asked]) => reminder(asked)),
    map(inOrder(said('set|create|add|make'), said('reminder'), rest), ([, , asked]) => reminder(asked)),
    map(inOrder(said('cancel|delete|remove|drop'), said('reminder'), rest), ([, , about]) => ({ cancel: about.replace(/^(?:about|to|for)\s+/i, '') })),
    map(inOrder(said('how many days until|how many days are there until|how long until|days until|how many weeks until|which day of week is|which weekday is|what day of week is|what time is it in|what is time in'), rest), ([asked, about]) => ({ time: `${asked} ${about}` })),
    map(inOrder(said('list|show|what|which|what are'), said('reminders|reminders do i have|my reminders')), () => ({ reminders: 'list' as const })),
    map(said('what time is it|what is time|what date is it|what is date|what is date today|what day is today|what is today|time|date|what is today date'), () => ({ time: 'now' })),
    map(said('what day is it|what day is it today'), () => ({ time: 'now' })),
    map(inOrder(maybe(said('run')), said('tests|run tests|run test suite|test suite|do tests pass|are tests passing|which tests are failing|which tests fail|do all tests pass'), maybe(said('and tell me what fails|and tell me which fail|and tell me which ones fail|and show failures|and report failures|and tell me result'))), () => ({ tests: 'run' as const })),
  ),
);
