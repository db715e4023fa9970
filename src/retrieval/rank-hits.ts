import type { EpochMs } from '../kernel/index.ts';
import { fitsShape } from './answer-shape.ts';
import { lendFromConversation, lendToNeighbours } from './lend-to-neighbours.ts';
import { type Passage, readPassage, wordsIn } from './read-passage.ts';
import { type Query, readQuery } from './read-query.ts';
import { ScoreSheet } from './score-sheet.ts';
import { statisticsOf, TermScorer } from './score-terms.ts';
import { rootOf } from './terms.ts';
import { nearness, spansIn, type TimeSpan } from './times.ts';
import type { Candidate, RankedHit, RankWeights, ScorePart } from './types.ts';

/** The weights that were measured to find most; docs/retrieval.md says how. */
const MEASURED_WEIGHTS: RankWeights = {
  keyword: 1,
  related: 1,
  embedding: 0.4,
  neighbours: 0.5,
  conversation: 0.4,
  speaker: 0.8,
  time: 0.4,
  answer: 0.15,
  question: 0.6,
  importance: 0.3,
  recency: 0.05,
};

/** What a ranking may know beside the candidates. */
export interface RankOptions {
  readonly limit?: number;
  /** The moment from which "last week" and the age of a text are counted. */
  readonly now?: EpochMs;
  /** How near an embedder finds a candidate to the query, from 0 to 1; undefined where it has not seen it. */
  readonly embedding?: (id: string, place: number) => number | undefined;
  /** Gives the texts of candidates that came without, by their places and in that order. */
  readonly textsOf?: (places: readonly number[]) => readonly string[];
  readonly weights?: Partial<RankWeights>;
}

const MONTH_MS = 30 * 86_400_000;
const TIME_REACH_MS = 21 * 86_400_000;
/** What speaker and time have to grow from where the words of a passage say nothing. */
const GROUND: Partial<Record<ScorePart, number>> = { speaker: 0.02, time: 0.1 };
const EVERYTHING = Number.MAX_SAFE_INTEGER;
/** So many of the best are read more closely: for times that they name, and for the kind of thing that is asked for. */
const READ_CLOSELY = 120;

/** Puts candidates in the order in which they answer a query, best first, ties by the store's score and then by id; what the store scored stays. */
export function rankHits(
  query: string,
  candidates: readonly Candidate[],
  options: RankOptions = {},
): RankedHit[] {
  const given = candidates.map(({ score }) => score ?? 0);
  const { order, hit } = rankPassages(readQuery(query, options), candidates.map(readPassage), given, options);
  return order.slice(0, options.limit ?? EVERYTHING).map(hit);
}

/** An order of passages. */
export interface PassageOrder {
  /** Which passages, best first. */
  readonly order: readonly number[];
  /** The passage as a hit. */
  readonly hit: (place: number) => RankedHit;
  /** True of a passage that holds words of the query, or words for them. */
  readonly holdsWords: (place: number) => boolean;
}

/** Puts passages in order that were read before, with the scores that their store gave them. */
export function rankPassages(
  query: Query,
  passages: readonly Passage[],
  given: readonly number[],
  options: Omit<RankOptions, 'limit'>,
): PassageOrder {
  const weights = { ...MEASURED_WEIGHTS, ...options.weights };
  const read = knowingSpeakers(query, passages);
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
    order,
    hit: (place) => sheet.hit(place, idOf(place)),
    holdsWords: (place) => sheet.terms(place).length > 0,
  };
}

interface Ranking {
  readonly passages: readonly Passage[];
  readonly weights: RankWeights;
  readonly options: RankOptions;
}

/** A query without the names of speakers as words, because people seldom say their own name and often each other's. */
function knowingSpeakers(query: Query, passages: readonly Passage[]): Query {
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
  const lent = lendToNeighbours(passages, own);
  const shared = lendFromConversation(passages, own);
  for (let place = 0; place < passages.length; place += 1) {
    sheet.add(place, 'neighbours', weights.neighbours * (lent[place] as number));
    sheet.add(place, 'conversation', weights.conversation * (shared[place] as number));
  }
  // What words and the turns around give: the rest makes that grow or shrink.
  const grounds = sheet.sums();
  const grow = (place: number, part: ScorePart, share: number): void => {
    if (share === 0) return;
    const ground = (grounds[place] as number) + (GROUND[part] ?? 0);
    sheet.add(place, part, ground * share * weights[part]);
  };
  const isNamed = namedBy(query);
  for (const [place, { candidate, speaker, asking }] of passages.entries()) {
    grow(place, 'question', -asking);
    grow(place, 'importance', candidate.importance ?? 0);
    if (isNamed(speaker)) grow(place, 'speaker', 1);
    const { now } = ranking.options;
    if (now !== undefined) grow(place, 'recency', 2 ** (-Math.max(now - candidate.at, 0) / MONTH_MS));
  }
  readClosely(ranking, query, sheet, grow);
  return sheet;
}

/** Scores a passage's own words and, where there is an embedder, its vector. */
function scoreWords({ passages, weights, options }: Ranking, query: Query, sheet: ScoreSheet): void {
  const scorer = new TermScorer(query.terms, statisticsOf(passages), weights.related);
  for (const [place, passage] of passages.entries()) {
    const score = scorer.score(passage);
    sheet.add(place, 'keyword', weights.keyword * score.keyword);
    sheet.add(place, 'related', score.related);
    sheet.setTerms(place, score.found);
    if (options.embedding)
      sheet.add(
        place,
        'embedding',
        weights.embedding * (options.embedding(passage.candidate.id, place) ?? 0),
      );
  }
}

/** Says whether a query names a speaker. */
function namedBy(query: Query): (speaker: string) => boolean {
  const known = new Map<string, boolean>();
  return (speaker) => {
    const before = known.get(speaker);
    if (before !== undefined) return before;
    const isNamed = wordsIn(speaker).some((name) => query.words.has(name));
    known.set(speaker, isNamed);
    return isNamed;
  };
}

/** Reads the texts of the best for what takes longer to find in them. */
function readClosely(
  { passages, options }: Ranking,
  query: Query,
  sheet: ScoreSheet,
  grow: (place: number, part: ScorePart, share: number) => void,
): void {
  if (query.shape === undefined && query.spans.length === 0) return;
  const sums = sheet.sums();
  const least = nthBest(sums, READ_CLOSELY);
  const chosen = Array.from(passages.keys()).filter((place) => (sums[place] as number) >= least);
  const missing = chosen.filter((place) => passages[place]?.candidate.text === undefined);
  const texts = missing.length === 0 ? [] : (options.textsOf?.(missing) ?? []);
  const textOf = new Map(missing.map((place, i) => [place, texts[i]]));
  for (const place of chosen) {
    const { candidate } = passages[place] as Passage;
    const text = candidate.text ?? textOf.get(place) ?? '';
    if (query.shape && fitsShape(text, query.shape)) grow(place, 'answer', 1);
    if (query.spans.length > 0) grow(place, 'time', timeFit(text, candidate.at, query.spans));
  }
}

function nthBest(scores: Float64Array, n: number): number {
  if (scores.length <= n) return Number.NEGATIVE_INFINITY;
  return scores.slice().sort()[scores.length - 1 - n] as number;
}

function timeFit(text: string, at: EpochMs, wanted: readonly TimeSpan[]): number {
  const spoken = [{ from: at, to: at }, ...spansIn(text, at)];
  return Math.max(...wanted.flatMap((span) => spoken.map((own) => nearness(span, own, TIME_REACH_MS))));
}
