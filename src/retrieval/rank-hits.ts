import type { EpochMs } from '../kernel/index.ts';
import { fitsShape } from './answer-shape.ts';
import { lendFromConversation, lendToNeighbours } from './lend-to-neighbours.ts';
import { type Passage, readPassage } from './read-passage.ts';
import { type Query, readQuery } from './read-query.ts';
import { statisticsOf, TermScorer } from './score-terms.ts';
import { rootOf } from './terms.ts';
import { nearness, spansIn, type TimeSpan } from './times.ts';
import type { Candidate, RankedHit, RankWeights, ScorePart, ScoreReason, TermStatistics } from './types.ts';
import { dot, type WordVectors } from './word-vectors.ts';

/** The weights that were measured to find most; docs/retrieval.md says how. */
export const MEASURED_WEIGHTS: RankWeights = {
  keyword: 1,
  related: 1,
  vector: 0.2,
  embedding: 0.4,
  neighbours: 0.5,
  conversation: 0.3,
  speaker: 0.6,
  time: 0.4,
  answer: 0.15,
  question: 0.5,
  importance: 0.3,
  recency: 0.05,
};

/** What a ranking may know beside the candidates. */
export interface RankOptions {
  readonly limit?: number;
  /** The moment from which "last week" and the age of a text are counted. */
  readonly now?: EpochMs;
  /** How common terms are in the whole store; else the candidates are taken for the whole. */
  readonly statistics?: TermStatistics;
  /** Vectors learned from the workspace's own texts. */
  readonly vectors?: WordVectors;
  /** How near an embedder finds a candidate to the query, from 0 to 1; undefined where it has not seen it. */
  readonly embedding?: (id: string) => number | undefined;
  readonly weights?: Partial<RankWeights>;
}

const MONTH_MS = 30 * 86_400_000;
const TIME_REACH_MS = 21 * 86_400_000;
/** What speaker and time have to grow from where the words of a passage say nothing. */
const GROUND: Partial<Record<ScorePart, number>> = { speaker: 0.02, time: 0.1 };
/** So many texts must be learned until the vectors count half of their weight. */
const HALF_LEARNED = 3000;
const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** Puts candidates in the order in which they answer a query, best first, ties by the store's score and then by id; what the store scored stays. */
export function rankHits(
  query: string,
  candidates: readonly Candidate[],
  options: RankOptions = {},
): RankedHit[] {
  return rankForQuery(readQuery(query, options), candidates, options);
}

/** `rankHits` for a query that was read before. */
export function rankForQuery(
  query: Query,
  candidates: readonly Candidate[],
  options: RankOptions,
): RankedHit[] {
  const passages = candidates.map(readPassage);
  const weights = { ...MEASURED_WEIGHTS, ...options.weights };
  const read = knowingSpeakers(query, passages);
  const statistics = options.statistics ?? statisticsOf(passages);
  const ranking = { passages, weights, statistics, options };
  return scoreAll(ranking, read)
    .map((hit, place) => ({ hit, given: candidates[place]?.score ?? 0 }))
    .filter(({ hit, given }) => hit.score > 0 || given > 0)
    .sort((a, b) => b.hit.score - a.hit.score || b.given - a.given || (a.hit.id < b.hit.id ? -1 : 1))
    .slice(0, options.limit ?? EVERYTHING)
    .map(({ hit }) => hit);
}

interface Ranking {
  readonly passages: readonly Passage[];
  readonly weights: RankWeights;
  readonly statistics: TermStatistics;
  readonly options: RankOptions;
}

/** A query without the names of speakers as words, because people seldom say their own name and often each other's. */
function knowingSpeakers(query: Query, passages: readonly Passage[]): Query {
  const names = new Set(passages.flatMap(({ speaker }) => speaker.map(rootOf)));
  const terms = query.terms.filter(({ term }) => !names.has(term));
  return { ...query, terms: terms.length === 0 ? query.terms : terms };
}

function scoreAll(ranking: Ranking, query: Query): RankedHit[] {
  const { passages, weights, statistics, options } = ranking;
  const scorer = new TermScorer(query.terms, statistics, weights.related);
  const direction = directionOf(query, options.vectors);
  const found = passages.map((passage) => scorer.score(passage));
  const own = passages.map((passage, place) => {
    const { keyword = 0, related = 0 } = found[place] ?? {};
    const parts: ScoreReason[] = [
      { part: 'keyword', score: weights.keyword * keyword },
      { part: 'related', score: related },
      { part: 'vector', score: weights.vector * likeness(passage, direction, options.vectors) },
      { part: 'embedding', score: weights.embedding * (options.embedding?.(passage.candidate.id) ?? 0) },
    ];
    return parts;
  });
  const sums = own.map(sumOf);
  const lent = lendToNeighbours(passages, sums);
  const shared = lendFromConversation(passages, sums);
  return passages.map((passage, place) => {
    const parts: ScoreReason[] = [
      ...(own[place] ?? []),
      { part: 'neighbours', score: weights.neighbours * (lent[place] ?? 0) },
      { part: 'conversation', score: weights.conversation * (shared[place] ?? 0) },
    ];
    const ground = sumOf(parts);
    for (const [part, share] of circumstances(passage, query, ranking))
      parts.push({ part, score: (ground + (GROUND[part] ?? 0)) * share * weights[part] });
    const why = parts.filter(({ score }) => score !== 0);
    return { id: passage.candidate.id, score: sumOf(why), why, terms: found[place]?.found ?? [] };
  });
}

/** What speaks for or against a passage beside its words: each a share by which its score grows or shrinks. */
function circumstances(passage: Passage, query: Query, { options }: Ranking): [ScorePart, number][] {
  const { candidate, speaker, asking } = passage;
  const shares: [ScorePart, number][] = [
    ['question', -asking],
    ['importance', candidate.importance ?? 0],
  ];
  if (speaker.some((name) => query.words.has(name))) shares.push(['speaker', 1]);
  if (query.shape && fitsShape(candidate.text, query.shape)) shares.push(['answer', 1]);
  if (query.spans.length > 0) shares.push(['time', timeFit(candidate, query.spans)]);
  if (options.now !== undefined)
    shares.push(['recency', 2 ** (-Math.max(options.now - candidate.at, 0) / MONTH_MS)]);
  return shares;
}

function timeFit({ text, at }: Candidate, wanted: readonly TimeSpan[]): number {
  const spoken = [{ from: at, to: at }, ...spansIn(text, at)];
  return Math.max(...wanted.flatMap((span) => spoken.map((own) => nearness(span, own, TIME_REACH_MS))));
}

function directionOf(query: Query, vectors: WordVectors | undefined): Float32Array | undefined {
  return vectors?.vectorOfTerms(query.terms.map(({ term, weight }) => ({ term, weight })));
}

function likeness(
  { counts }: Passage,
  direction: Float32Array | undefined,
  vectors: WordVectors | undefined,
): number {
  if (!direction || !vectors) return 0;
  const terms = [...counts].map(([term, count]) => ({ term, weight: count }));
  const trust = vectors.texts / (vectors.texts + HALF_LEARNED);
  return trust * Math.max(dot(direction, vectors.vectorOfTerms(terms)), 0);
}

function sumOf(parts: readonly ScoreReason[]): number {
  return parts.reduce((sum, { score }) => sum + score, 0);
}
