// Owns: what the governor makes of a round: done, planned again, handed to a person, or ended.
import type { Json } from '../kernel/index.ts';
import { askPerson, decide, fail, goTo, type Move, type Situation } from './moves.ts';
import { boundedValue } from './show-value.ts';
import type { Rejection, Round } from './types.ts';

const TRY_AGAIN = 'try again';
const ACCEPT = 'accept it as it is';
const STOP = 'stop';
const LONGEST_OUTPUT = 20_000;

/** A rejected round: planned again while the limit allows it, then a person says how to go on. */
export function concludeRound(situation: Situation, round: Round, rejected: readonly Rejection[]): Move {
  const { rounds, settings, withModel } = situation;
  const told = tell(rejected);
  const again = (rationale: string): Move =>
    goTo('plan', rationale, { rejected: rejected as unknown as Json });
  if (withModel && rounds.length <= settings.replans) return again(`rejected: ${told}`);
  const incomplete = rejected.some(({ task }) => round.results.get(task)?.status !== 'done');
  if (!withModel && incomplete) {
    const reason = `the goal was not reached: ${told}`;
    return fail('assistant.task_failed', reason, 'without a model there is no other plan');
  }
  const question = `After ${rounds.length} plans the goal is still not reached: ${told} How should it go on?`;
  const options = incomplete ? [TRY_AGAIN, STOP] : [TRY_AGAIN, ACCEPT, STOP];
  switch (round.answers.findLast((one) => options.includes(one.answer))?.answer) {
    case undefined:
      return askPerson(question, options, 'the limit of plans is reached, so a person decides');
    case TRY_AGAIN:
      return again('a person asks for another plan');
    case ACCEPT:
      return finishRound(situation, round, 'a person accepts it as it is', rejected);
    default:
      return fail('assistant.handed_off', `a person stopped the work: ${told}`, 'a person said to stop');
  }
}

/** The end with success. `unmet` is what a person has let pass. */
export function finishRound(
  { goal, rounds }: Situation,
  { graph, results }: Round,
  rationale: string,
  unmet: readonly Rejection[] = [],
): Move {
  const tasks = graph.tasks.map(({ id, title }) => {
    const { output = null, status = 'failed', attempts = 0 } = results.get(id) ?? {};
    return { id, title, status, attempts, output: boundedValue(output, LONGEST_OUTPUT) };
  });
  const needed = new Set(graph.tasks.flatMap((task) => task.depends_on));
  const last = tasks.filter(({ id }) => !needed.has(id));
  const result =
    last.length === 1
      ? (last[0]?.output ?? null)
      : Object.fromEntries(last.map(({ id, output }) => [id, output]));
  return decide({
    kind: 'finish',
    output: { goal, result, tasks, plans: rounds.length, unmet: unmet as unknown as Json },
    rationale,
  });
}

function tell(rejected: readonly Rejection[]): string {
  const all = rejected
    .map(({ task, criterion, evidence }) => `"${task}": ${criterion}: ${evidence}`)
    .join('; ');
  return all.length > 4_000 ? `${all.slice(0, 4_000).toWellFormed()}…` : all;
}
