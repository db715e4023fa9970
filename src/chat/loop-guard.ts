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

const MIN_SIMILARITY = 0.9;
/** Longer texts are compared by their beginning and their length. */
const COMPARED = 20_000;

/**
 * Whether two texts are nearly the same, ignoring punctuation and case. Texts with different numbers are not: an agent that
 * counts makes progress.
 */
export function nearEqual(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = [one.length, other.length].sort((a, b) => a - b) as [number, number];
  if (long > COMPARED && short < MIN_SIMILARITY * long) return false;
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.length === 0 || b.length === 0) return a.length === b.length && one.trim() === other.trim();
  return numbersOf(a) === numbersOf(b) && similarity(pairsOf(a), pairsOf(b)) >= MIN_SIMILARITY;
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .slice(0, COMPARED)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function numbersOf(words: readonly string[]): string {
  return words.filter((word) => /\p{N}/u.test(word)).join(' ');
}

/** Pairs of adjacent words, including start and end. */
function pairsOf(words: readonly string[]): readonly string[] {
  const framed = ['', ...words, ''];
  return framed.slice(1).map((word, i) => `${framed[i]} ${word}`);
}

/** Sørensen–Dice coefficient of two lists: 0 to 1. */
function similarity(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const pair of a) left.set(pair, (left.get(pair) ?? 0) + 1);
  let shared = 0;
  for (const pair of b) {
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(pair, count - 1);
  }
  return (2 * shared) / (a.length + b.length);
}
