import { nearEqual } from './near-equal.ts';

/** A reply within a chain. */
export interface Reply {
  readonly agent: string;
  readonly text: string;
}

const REPETITIONS = 3;
const MIN_CYCLE_LENGTH = 2;

/**
 * Detects a cycle of any length: the same agents in the same order with near-equal replies, three times in a row. Expects the
 * newest reply first.
 */
export function cycleOf(replies: readonly Reply[]): readonly string[] | undefined {
  for (let length = MIN_CYCLE_LENGTH; length * REPETITIONS <= replies.length; length++) {
    if (repeats(replies, length))
      return replies
        .slice(0, length)
        .map(({ agent }) => agent)
        .reverse();
  }
  return undefined;
}

function repeats(replies: readonly Reply[], length: number): boolean {
  for (let i = 0; i < length * (REPETITIONS - 1); i++) {
    const [now, before] = [replies[i] as Reply, replies[i + length] as Reply];
    if (now.agent !== before.agent || !nearEqual(now.text, before.text)) return false;
  }
  return true;
}
