import { type EpochMs, memoize } from '../kernel/index.ts';
import { chooseComplementary } from './choose-complementary.ts';
import { confidenceOf } from './confidence.ts';
import { type Passage, wordsIn } from './read-passage.ts';
import { fitsShape, type Query } from './read-query.ts';
import { ScoreSheet } from './score-sheet.ts';
import { statisticsOf, TermScorer } from './score-terms.ts';
import { scoresFromConversation, scoresFromNeighbours } from './scores-from-neighbours.ts';
import { rootOf } from './terms.ts';
import { nearness, spansIn, type TimeSpan } from './times.ts';
import type { RankedHit, RankWeights, ScorePart } from './types.ts';

/** The best measured weights; docs/retrieval.md explains how. */
const MEASURED_WEIGHTS: RankWeights = {
  keyword: 1,
  related: 0.8,
  embedding: 0.1,
  neighbours: 0.7,
  conversation: 0.4,
  speaker: 0.4,
  time: 0.6,
  answer: 0.3,
  question: 0.6,
  importance: 0.3,
  recency: 0.05,
};

/** Optional input of a ranking. */
export interface RankOptions {
  /** The reference time for "last week" and for the age of texts. */
  readonly now?: EpochMs;
  /** The similarity of a candidate to the query by an embedder, from 0 to 1; undefined without a vector. */
  readonly embedding?: (id: string, place: number) => number | undefined;
  /** The weight of `embedding`, which follows from the measured quality of the embedder. */
  readonly embeddingWeight?: number;
  /** The similarity of passages to these terms by static word vectors; used where `embedding` has no answer. */
  readonly wordLikeness?: (terms: readonly string[]) => ((passage: Passage) => number) | undefined;
  /** Loads the texts of candidates without one, in the order of `places`. */
  readonly textsOf?: (places: readonly number[]) => readonly string[];
  readonly weights?: Partial<RankWeights>;
}

const MAX_SPEAKERS = 10_000;
const MONTH_MS = 30 * 86_400_000;
const TIME_REACH_MS = 21 * 86_400_000;
/** The base score for speaker and time where words score nothing. */
const BASE_SCORES: Partial<Record<ScorePart, number>> = { speaker: 0.05, time: 0.1 };
/** The weight of the similarities of neighbouring turns within the similarity of a turn. */
const NEIGHBOUR_LIKENESS = 0.35;
/** How many of the best texts are read for times and for the requested kind of answer. */
const MAX_READ_TEXTS = 120;

interface PassageOrder {
  /** Places of passages, best first. */
  readonly order: readonly number[];
  readonly hit: (place: number) => RankedHit;
  /** Whether a passage contains words of the query, or related ones. */
  readonly holdsWords: (place: number) => boolean;
  /** How likely the best passages are evidence for the query, from 0 to 1. */
  readonly confidence: number;
}

/** Ranks passages, best first; ties by the store's score, then by id. Keeps everything that the store scored. */
export function rankPassages(
  query: Query,
  passages: readonly Passage[],
  given: readonly number[],
  options: RankOptions,
): PassageOrder {
  const weights = { ...MEASURED_WEIGHTS, ...options.weights };
  const read = withoutSpeakers(query, passages);
  const sheet = scoreAll({ passages, weights, options }, read);
  const sums = sheet.sums();
  const order: number[] = [];
  for (let place = 0; place < passages.length; place += 1)
    if ((sums[place] as number) > 0 || (given[place] as number) > 0) order.push(place);
  const idOf = (place: number): string => passages[place]?.candidate.id ?? '';
  order.sort(
    (a, b) =>
      (sums[b] as number) - (sums[a] as number) ||
      (given[b] as number) - (given[a] as number) ||
      (idOf(a) < idOf(b) ? -1 : 1),
  );
  return {
    order: query.asksTwice ? chooseComplementary(sheet, order) : order,
    hit: (place) => sheet.hit(place, idOf(place)),
    holdsWords: (place) => sheet.terms(place).length > 0,
    confidence: confidenceOf(sheet, order),
  };
}

interface Ranking {
  readonly passages: readonly Passage[];
  readonly weights: RankWeights;
  readonly options: RankOptions;
}

/** Removes speakers' names from the terms: people often say each other's name, and seldom their own. */
function withoutSpeakers(query: Query, passages: readonly Passage[]): Query {
  const speakers = [...new Set(passages.map(({ speaker }) => speaker))];
  const names = new Set(speakers.flatMap((speaker) => wordsIn(speaker).map(rootOf)));
  const terms = query.terms.filter(({ term }) => !names.has(term));
  return { ...query, terms: terms.length === 0 ? query.terms : terms };
}

function scoreAll(ranking: Ranking, query: Query): ScoreSheet {
  const { passages, weights } = ranking;
  const sheet = new ScoreSheet(passages.length);
  scoreWords(ranking, query, sheet);
  const own = sheet.sums();
  const neighbours = scoresFromNeighbours(passages, own);
  const conversations = scoresFromConversation(passages, own);
  for (let place = 0; place < passages.length; place += 1) {
    sheet.add(place, 'neighbours', weights.neighbours * (neighbours[place] as number));
    sheet.add(place, 'conversation', weights.conversation * (conversations[place] as number));
  }
  // The other parts scale the score of words and neighbours.
  const bases = sheet.sums();
  const scale = (place: number, part: ScorePart, share: number): void => {
    if (share === 0) return;
    const base = (bases[place] as number) + (BASE_SCORES[part] ?? 0);
    sheet.add(place, part, base * share * weights[part]);
  };
  const isNamed = memoize(MAX_SPEAKERS, (speaker) => wordsIn(speaker).some((name) => query.words.has(name)));
  for (const [place, { candidate, speaker, asking }] of passages.entries()) {
    scale(place, 'question', -asking);
    scale(place, 'importance', candidate.importance ?? 0);
    if (isNamed(speaker)) scale(place, 'speaker', 1);
    const { now } = ranking.options;
    if (now !== undefined) scale(place, 'recency', 2 ** (-Math.max(now - candidate.at, 0) / MONTH_MS));
  }
  scoreTexts(ranking, query, sheet, scale);
  scoreLikeness(ranking, query, sheet);
  return sheet;
}

/**
 * Adds the similarity of vectors last: the parts before it grow with the words and the neighbours of a text, and must not grow
 * with a similarity that almost every text has.
 */
function scoreLikeness({ passages, weights, options }: Ranking, query: Query, sheet: ScoreSheet): void {
  const { embedding, embeddingWeight = weights.embedding } = options;
  const byWords = options.wordLikeness?.(query.terms.map(({ term }) => term));
  if (weights.embedding === 0 || (embedding === undefined && byWords === undefined)) return;
  const scores = Float64Array.from(passages, (passage, place) => {
    const similarity = embedding?.(passage.candidate.id, place);
    if (similarity !== undefined) return embeddingWeight * similarity;
    return weights.embedding * (byWords?.(passage) ?? 0);
  });
  const around = scoresFromNeighbours(passages, scores);
  for (let place = 0; place < passages.length; place += 1)
    sheet.add(place, 'embedding', (scores[place] as number) + NEIGHBOUR_LIKENESS * (around[place] as number));
}

/** Scores the words of each passage. */
function scoreWords({ passages, weights }: Ranking, query: Query, sheet: ScoreSheet): void {
  const scorer = new TermScorer(query.terms, statisticsOf(passages, query.terms), weights.related);
  for (const [place, passage] of passages.entries()) {
    const score = scorer.score(passage);
    sheet.add(place, 'keyword', weights.keyword * score.keyword);
    sheet.add(place, 'related', score.related);
    sheet.setTerms(place, score.found);
  }
}

/** Reads the best texts for times and for the requested kind of answer. */
function scoreTexts(
  { passages, options }: Ranking,
  query: Query,
  sheet: ScoreSheet,
  scale: (place: number, part: ScorePart, share: number) => void,
): void {
  if (query.shape === undefined && query.spans.length === 0) return;
  const sums = sheet.sums();
  const minimum = nthBest(sums, MAX_READ_TEXTS);
  const chosen = Array.from(passages.keys()).filter((place) => (sums[place] as number) >= minimum);
  const missing = chosen.filter((place) => passages[place]?.candidate.text === undefined);
  const texts = missing.length === 0 ? [] : (options.textsOf?.(missing) ?? []);
  const textOf = new Map(missing.map((place, i) => [place, texts[i]]));
  for (const place of chosen) {
    const { candidate } = passages[place] as Passage;
    const text = candidate.text ?? textOf.get(place) ?? '';
    if (query.shape && fitsShape(text, query.shape)) scale(place, 'answer', 1);
    if (query.spans.length > 0) scale(place, 'time', timeFit(text, candidate.at, query.spans));
  }
}

function nthBest(scores: Float64Array, n: number): number {
  if (scores.length <= n) return Number.NEGATIVE_INFINITY;
  return scores.slice().sort()[scores.length - 1 - n] as number;
}

function timeFit(text: string, at: EpochMs, wanted: readonly TimeSpan[]): number {
  const own = [{ from: at, to: at }, ...spansIn(text, at)];
  return Math.max(...wanted.flatMap((span) => own.map((one) => nearness(span, one, TIME_REACH_MS))));
}
