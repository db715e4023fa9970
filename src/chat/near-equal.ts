const LIKE_ENOUGH = 0.9;
/** Of longer texts the beginning is compared, and their lengths. */
const COMPARED = 20_000;

/**
 * Whether two texts say the same in nearly the same words, whatever their punctuation and case. Texts whose numbers differ
 * do not: somebody counts, or gets on.
 */
export function nearEqual(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = [one.length, other.length].sort((a, b) => a - b) as [number, number];
  if (long > COMPARED && short < LIKE_ENOUGH * long) return false;
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.length === 0 || b.length === 0) return a.length === b.length && one.trim() === other.trim();
  return numbersOf(a) === numbersOf(b) && likeness(pairsOf(a), pairsOf(b)) >= LIKE_ENOUGH;
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

/** Words two by two, with their beginning and end. */
function pairsOf(words: readonly string[]): readonly string[] {
  const framed = ['', ...words, ''];
  return framed.slice(1).map((word, i) => `${framed[i]} ${word}`);
}

/** How much of two lists is the same: 0 to 1. */
function likeness(a: readonly string[], b: readonly string[]): number {
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
