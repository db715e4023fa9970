import { nearEqual } from './near-equal.ts';

/** Somebody's reply within a chain. */
export interface Said {
  readonly agent: string;
  readonly text: string;
}

const TIMES_OVER = 3;
const SHORTEST_CYCLE = 2;

/**
 * The cycle that a chain goes round in: the same agents in the same order with near-equal replies, three times over. The
 * newest reply comes first. Cycles of any length are seen.
 */
export function cycleOf(replies: readonly Said[]): readonly string[] | undefined {
  for (let length = SHORTEST_CYCLE; length * TIMES_OVER <= replies.length; length++) {
    if (repeats(replies, length))
      return replies
        .slice(0, length)
        .map(({ agent }) => agent)
        .reverse();
  }
  return undefined;
}

function repeats(replies: readonly Said[], length: number): boolean {
  for (let i = 0; i < length * (TIMES_OVER - 1); i++) {
    const [now, before] = [replies[i] as Said, replies[i + length] as Said];
    if (now.agent !== before.agent || !nearEqual(now.text, before.text)) return false;
  }
  return true;
}
