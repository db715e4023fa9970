import { passageOf, readText } from '../../src/retrieval/index.ts';
import { type RankOptions, rankPassages } from '../../src/retrieval/rank-passages.ts';
import { readQuery } from '../../src/retrieval/read-query.ts';
import type { Candidate, RankedHit } from '../../src/retrieval/types.ts';

/** A candidate with its text and the score of its store. */
export interface ScoredCandidate extends Candidate {
  readonly score?: number;
  /** By default the `Name:` at the start of the text. */
  readonly speaker?: string;
}

/** Ranks texts without a store. */
export function rankHits(
  query: string,
  candidates: readonly ScoredCandidate[],
  options: RankOptions & { readonly limit?: number } = {},
): RankedHit[] {
  const passages = candidates.map((one) => passageOf(one, readText(one.text ?? '', one.speaker)));
  const scores = candidates.map(({ score }) => score ?? 0);
  const { order, hit } = rankPassages(readQuery(query, options), passages, scores, options);
  return order.slice(0, options.limit).map(hit);
}
