import type { Answer } from '../../api/query.ts';

export type ScoreParts = Answer<'/v1/memory/search'>['hits'][number]['why'];
export type PartName = keyof ScoreParts;

/** The parts of a score, and what each says. They add up to the score. */
export const SCORE_PARTS: Readonly<Record<PartName, string>> = {
  keyword: 'It contains the words of the query, or synonyms.',
  vector: 'An embedder finds it similar.',
  neighbours: 'The turns around it, or its whole conversation, match.',
  fit: 'The right person said it, at the right time, or it has the kind of thing asked for. Negative for a mere question.',
  importance: 'It is important.',
  recency: 'It is new.',
};

const SMALLEST = 0.005;

/** The parts that count, the largest first. */
export function shownParts(
  parts: ScoreParts,
): readonly { readonly name: PartName; readonly value: number }[] {
  return (Object.keys(SCORE_PARTS) as PartName[])
    .map((name) => ({ name, value: parts[name] }))
    .filter(({ value }) => Math.abs(value) >= SMALLEST)
    .toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));
}
