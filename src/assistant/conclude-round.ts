// Owns: the governor's decision after a round: finish, plan again, ask a person, or fail.
import { taskOutput } from '../agent/index.ts';
import type { Json } from '../kernel/index.ts';
import { askPerson, boundedValue, cut, decide, fail, goTo, type Move, type Situation } from './moves.ts';
import type { Rejection, Round } from './types.ts';

const TRY_AGAIN = 'try again';
const ACCEPT = 'accept it as it is';
const STOP = 'stop';
const MAX_OUTPUT_LENGTH = 20_000;

/** Handles a rejected round: plans again within the limit, then asks a person. */
export function concludeRound(situation: Situation, round: Round, rejected: readonly Rejection[]): Move {
  const { rounds, settings, withModel } = situation;
  const summary = summarize(rejected);
  const again = (rationale: string): Move =>
    goTo('plan', rationale, { rejected: rejected as unknown as Json });
  if (withModel && rounds.length <= settings.replans) return again(`rejected: ${summary}`);
  const incomplete = rejected.some(({ task }) => round.results.get(task)?.status !== 'done');
  if (!withModel && incomplete) {
    const reason = `The goal was not reached: ${summary}`;
    return fail('assistant.task_failed', reason, 'without a model there is no other plan');
  }
  const question = `After ${rounds.length} plans the goal is still not reached: ${summary} How should it go on?`;
  const options = incomplete ? [TRY_AGAIN, STOP] : [TRY_AGAIN, ACCEPT, STOP];
  switch (round.answers.findLast((one) => options.includes(one.answer))?.answer) {
    case undefined:
      return askPerson(question, options, 'the limit of plans is reached, so a person decides');
    case TRY_AGAIN:
      return again('a person requests another plan');
    case ACCEPT:
      return finishRound(situation, round, 'a person accepts the result', rejected);
    default:
      return fail('assistant.handed_off', `A person stopped the work: ${summary}`, 'a person stopped it');
  }
}

/** Completes the run. `unmet` holds the criteria that a person waived. */
export function finishRound(
  { goal, rounds }: Situation,
  { graph, results }: Round,
  rationale: string,
  unmet: readonly Rejection[] = [],
): Move {
  const tasks = graph.tasks.map(({ id, title }) => {
    const { output = null, status = 'failed', attempts = 0 } = results.get(id) ?? {};
    return { id, title, status, attempts, output: boundedValue(output, MAX_OUTPUT_LENGTH) };
  });
  const needed = new Set(graph.tasks.flatMap((task) => task.depends_on));
  const last = tasks.filter(({ id }) => !needed.has(id));
  const result =
    last.length === 1
      ? answerOf(last[0]?.output)
      : Object.fromEntries(last.map(({ id, output }) => [id, answerOf(output)]));
  return decide({
    kind: 'finish',
    output: { goal, result, tasks, plans: rounds.length, unmet: unmet as unknown as Json },
    ...(unmet.length > 0 && {
      outcome: {
        is: 'partial' as const,
        because: unmet.map(({ task, criterion, evidence }) => `"${task}": ${criterion}: ${evidence}`),
      },
    }),
    rationale,
  });
}

/** What a task answers; if its result is in files, these. */
function answerOf(output: Json | undefined): Json {
  const { result, artifacts } = taskOutput(output) ?? { result: output ?? null, artifacts: [] };
  return (result ?? (artifacts.length > 0 ? artifacts.join(', ') : null)) as Json;
}

function summarize(rejected: readonly Rejection[]): string {
  const all = rejected
    .map(({ task, criterion, evidence }) => `"${task}": ${criterion}: ${evidence}`)
    .join('; ');
  return cut(all, 4_000);
}
