import { goTo, type Move, type Situation } from './moves.ts';

/**
 * The first move of a run that continues a failed one. It marks where the failed run ended: finished tasks are kept; failures,
 * findings and answers are discarded, so that they are retried.
 */
export function restartFailed({ state, rounds }: Situation, run: string): Move {
  const round = rounds.at(-1);
  const open = round?.graph.tasks.some(({ id }) => round.results.get(id)?.status !== 'done') ?? false;
  const to = state === 'critique' && open ? 'execute' : state;
  return goTo(to, 'continues the failed run: keeps finished tasks and retries the rest', {
    resumed: run,
  });
}
