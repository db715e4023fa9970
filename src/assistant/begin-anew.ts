import { goTo, type Move, type Situation } from './moves.ts';

/**
 * The first move of a run that continues a failed one: it marks where the failed one ended. What was done stays done; what
 * failed, was found or was answered there is not looked at again, so that it is tried anew.
 */
export function beginAnew({ state, rounds }: Situation, run: string): Move {
  const round = rounds.at(-1);
  const open = round?.graph.tasks.some(({ id }) => round.results.get(id)?.status !== 'done') ?? false;
  const to = state === 'critique' && open ? 'execute' : state;
  return goTo(to, 'the failed run is continued: what is done stays done, the rest is tried anew', {
    resumed: run,
  });
}
