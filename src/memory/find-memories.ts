import type { Freshness } from '../kernel/index.ts';
import {
  type Passage,
  passageOf,
  type Query,
  type RankedHit,
  rankPassages,
  readQuery,
  readText,
  type ScorePart,
} from '../retrieval/index.ts';
import { parseDay } from './days.ts';
import { importedEpisodeId } from './memory-events.ts';
import type {
  FoundEpisode,
  FoundFact,
  MemoryParts,
  NodeVersion,
  SearchScope,
  TextMatch,
  VectorReading,
} from './ports.ts';
import { searchTerms } from './search-terms.ts';
import type { DayRun, Fact, Found, MemoryHit, ScoreParts } from './types.ts';
import { readWords, type WordReading } from './word-likeness.ts';

export interface MemoryQuery {
  readonly query: string;
  readonly namespace?: string;
  /** Searches only this conversation; it has no facts and no runs. */
  readonly conversation?: string;
  /** Searches only episodes and runs of this day, such as 2026-01-31. */
  readonly day?: string;
  readonly limit: number;
}

type Parts = Pick<MemoryParts, 'search' | 'vectors' | 'wordVectors' | 'runs' | 'nodes' | 'clock'>;

/** How many episodes the words select. */
const MAX_CANDIDATES = 150;
/** How many facts: fewer, because a fact has no neighbouring turns that could raise it from further down. */
const MAX_FACT_CANDIDATES = 100;
/** Around how many of them the neighbouring turns are ranked too. */
const MAX_AROUND = 75;
/** How many an embedder adds. */
const MAX_NEAR = 40;
/** Queries without evidence mostly have a lower confidence; docs/retrieval.md has the measured shares. */
const MIN_CERTAIN = 0.3;
/** Runs are scanned, not indexed. */
const NEWEST_RUNS = 200;
/** The minimum share of the hits for facts, and for episodes with runs. */
const KIND_SHARE = 1 / 3;
/** Of a longer fact or episode, a hit shows only the part that matched. */
const MAX_SHOWN_LENGTH = 8_000;

type Shown = Omit<MemoryHit, 'score' | 'why'>;

/** A match in a table, or a run. */
type Candidate =
  | { readonly kind: 'fact' | 'episode'; readonly match: TextMatch }
  | { readonly kind: 'run'; readonly passage: Passage; readonly score: number; readonly shown: Shown };

interface Ranked {
  /** Places of candidates, best first; each fact, episode and run once. */
  readonly best: Iterable<number>;
  readonly candidates: readonly Candidate[];
  readonly hit: (place: number) => RankedHit;
  readonly holdsWords: (place: number) => boolean;
  readonly confidence: number;
}

/** Finds facts, best first. */
export async function findFacts(parts: Parts, query: MemoryQuery): Promise<Found> {
  const search = await Search.start(parts, query);
  const ranked = search.rank(await search.facts());
  return search.found(ranked, firstOf(ranked.best, query.limit));
}

/** Finds episodes and runs, best first. */
export async function findDaily(parts: Parts, query: MemoryQuery): Promise<Found> {
  const search = await Search.start(parts, query);
  const ranked = search.rank(await search.daily());
  return search.found(ranked, firstOf(ranked.best, query.limit));
}

/** Finds facts, episodes and runs, best first. A third of the hits is reserved for facts, and a third for the others. */
export async function retrieve(parts: Parts, query: MemoryQuery): Promise<Found> {
  const search = await Search.start(parts, query);
  const ranked = search.rank([...(await search.facts()), ...(await search.daily())]);
  return search.found(ranked, withShares(ranked, query.limit));
}

function firstOf(places: Iterable<number>, limit: number): readonly number[] {
  const first: number[] = [];
  for (const place of places) {
    if (first.length >= limit) break;
    first.push(place);
  }
  return first;
}

/** Reads `best` only as far as needed. */
function withShares({ best, candidates, holdsWords }: Ranked, limit: number): readonly number[] {
  const share = limit < 2 ? 0 : Math.max(1, Math.floor(limit * KIND_SHARE));
  const order: number[] = [];
  const reserved = new Set<number>();
  const left = { facts: share, others: share };
  for (const place of best) {
    const isFact = candidates[place]?.kind === 'fact';
    order.push(place);
    if (isFact && left.facts > 0 && holdsWords(place)) {
      left.facts -= 1;
      reserved.add(place);
    } else if (!isFact && left.others > 0) {
      left.others -= 1;
      reserved.add(place);
    }
    if (left.facts === 0 && left.others === 0 && order.length >= limit) break;
  }
  let free = limit - reserved.size;
  return order.filter((place) => reserved.has(place) || free-- > 0);
}

/** One search for one query. */
class Search {
  readonly #parts: Parts;
  readonly #read: Query;
  readonly #vectors: VectorReading;
  readonly #words: WordReading;
  readonly #scope: SearchScope;
  readonly #limit: number;

  private constructor(parts: Parts, read: Query, vectors: VectorReading, scope: SearchScope, limit: number) {
    this.#limit = limit;
    this.#words = readWords(parts, scope.namespace);
    this.#parts = parts;
    this.#read = read;
    this.#vectors = vectors;
    this.#scope = scope;
  }

  static async start(parts: Parts, query: MemoryQuery): Promise<Search> {
    const now = parts.clock.now();
    const { namespace, conversation, day } = query;
    const only = {
      ...(namespace !== undefined && { namespace }),
      ...(conversation !== undefined && { conversation }),
      ...(day !== undefined && { day: parseDay(day) }),
    };
    const read = await interpretQuery(parts, query.query, { now, ...only });
    const vectors = await parts.vectors.read(query.query, namespace);
    const scope = { now, limit: Math.max(MAX_CANDIDATES, query.limit), around: MAX_AROUND, ...only };
    return new Search(parts, read, vectors, scope, query.limit);
  }

  async facts(): Promise<readonly Candidate[]> {
    const { day: _day, conversation, ...scope } = this.#scope;
    if (conversation !== undefined) return [];
    const near = this.#nearest('facts');
    const limit = Math.max(MAX_FACT_CANDIDATES, this.#limit);
    const matches = await this.#parts.search.facts(searchTerms(this.#read), { ...scope, limit, near });
    return matches.map((match) => ({ kind: 'fact', match }));
  }

  async daily(): Promise<readonly Candidate[]> {
    const scope = { ...this.#scope, near: this.#nearest('episodes'), spans: this.#read.spans };
    const terms = searchTerms(this.#read);
    const episodes = await this.#parts.search.episodes(terms, scope);
    const isAll = scope.namespace === undefined && scope.conversation === undefined && terms.own.length > 0;
    const runs = isAll ? await this.#parts.runs.newest({ ...this.#scope, limit: NEWEST_RUNS }) : [];
    return [
      ...episodes.map((match) => ({ kind: 'episode' as const, match })),
      ...runs.flatMap((run) => runCandidate(run, terms.own)),
    ];
  }

  /** Ranks candidates; of an episode with several parts only the best one stays. */
  rank(candidates: readonly Candidate[]): Ranked {
    const { likeness, weight } = this.#vectors;
    const embedding = (_id: string, place: number): number | undefined => {
      const one = candidates[place] as Candidate;
      return one.kind === 'run' ? undefined : likeness?.(TABLES[one.kind], one.match.place);
    };
    const { order, ...ranked } = rankPassages(
      this.#read,
      candidates.map((one) => (one.kind === 'run' ? one.passage : one.match.found.passage)),
      candidates.map((one) => (one.kind === 'run' ? one.score : one.match.score)),
      {
        now: this.#scope.now,
        ...(likeness && { embedding }),
        ...(weight !== undefined && { embeddingWeight: weight }),
        ...(this.#words.likeness && { wordLikeness: this.#words.likeness }),
        textsOf: (places) => this.#textsOf(places.map((place) => candidates[place] as Candidate)),
      },
    );
    return { best: uniqueHits(order, candidates), candidates, ...ranked };
  }

  async found({ candidates, hit, confidence }: Ranked, chosen: readonly number[]): Promise<Found> {
    const placesOf = (kind: Candidate['kind']): readonly number[] =>
      chosen.flatMap((place) => {
        const one = candidates[place] as Candidate;
        return one.kind === kind && one.kind !== 'run' ? [one.match.place] : [];
      });
    const [facts, episodes] = await Promise.all([
      this.#parts.search.factsAt(placesOf('fact'), MAX_SHOWN_LENGTH),
      this.#parts.search.episodesAt(placesOf('episode'), MAX_SHOWN_LENGTH),
    ]);
    const factOf = (one: Candidate) => (one.kind === 'fact' ? facts.get(one.match.place) : undefined);
    const freshness = await freshnessOf(
      this.#parts,
      chosen.map((place) => factOf(candidates[place] as Candidate)),
    );
    const hits = chosen.map((place, at): readonly MemoryHit[] => {
      const one = candidates[place] as Candidate;
      const fact = factOf(one);
      const episode = one.kind === 'episode' ? episodes.get(one.match.place) : undefined;
      const shown =
        one.kind === 'run' ? one.shown : ((fact && shownFact(fact)) ?? (episode && shownEpisode(episode)));
      // Deleted since the search.
      if (shown === undefined) return [];
      return [{ ...shown, ...explain(hit(place)), ...freshness[at] }];
    });
    const notice = this.#vectors.degraded ?? this.#words.degraded;
    return {
      hits: hits.flat(),
      confidence: round(confidence),
      certain: confidence >= MIN_CERTAIN,
      degraded: notice !== undefined,
      ...(notice === undefined ? {} : { notice }),
    };
  }

  #textsOf(wanted: readonly Candidate[]): readonly string[] {
    const read = (kind: 'fact' | 'episode'): ReadonlyMap<number, string> => {
      const places = wanted.flatMap((one) => (one.kind === kind ? [one.match.place] : []));
      return places.length === 0 ? new Map() : this.#parts.search.textsAt(TABLES[kind], places);
    };
    const texts = { fact: read('fact'), episode: read('episode') };
    return wanted.map((one) => (one.kind === 'run' ? '' : (texts[one.kind].get(one.match.place) ?? '')));
  }

  #nearest(kind: 'facts' | 'episodes'): readonly number[] {
    const { namespace } = this.#scope;
    return this.#vectors.nearest(kind, {
      limit: MAX_NEAR,
      ...(namespace !== undefined && { namespace }),
    });
  }
}

/** A month without a year means one with memories: the newest may be years old. */
async function interpretQuery(
  { search }: Pick<Parts, 'search'>,
  text: string,
  scope: Pick<SearchScope, 'now' | 'namespace' | 'conversation'>,
): Promise<Query> {
  const { now } = scope;
  const read = readQuery(text, { now });
  if (read.spans.length === 0) return read;
  const newest = await search.newestAt(scope);
  return newest === undefined || newest >= now ? read : readQuery(text, { now, until: newest });
}

const TABLES = { fact: 'facts', episode: 'episodes' } as const;

function* uniqueHits(order: readonly number[], candidates: readonly Candidate[]): Generator<number> {
  const seen = new Set<string>();
  for (const place of order) {
    const one = candidates[place] as Candidate;
    if (one.kind !== 'run') {
      if (seen.has(one.match.found.id)) continue;
      seen.add(one.match.found.id);
    }
    yield place;
  }
}

function shownFact(fact: FoundFact): Shown {
  const { id, text, at, namespace, importance, source, partial, candidate } = fact;
  return {
    ...{ kind: 'fact', id, text, at, namespace, importance },
    ...(source === undefined ? {} : { source }),
    ...(partial ? { partial } : {}),
    ...(candidate ? { candidate } : {}),
  };
}

function shownEpisode(episode: FoundEpisode): Shown {
  const { index: _index, turn: _turn, id: keptId, text, at, namespace, ...optional } = episode;
  const id = importedEpisodeId(episode);
  return { kind: 'episode', id, ...(id === keptId ? {} : { keptId }), text, at, namespace, ...optional };
}

/** A candidate if the goal contains a word of the query. */
function runCandidate({ id, goal, outcome, at }: DayRun, words: readonly string[]): Candidate[] {
  const reading = readText(goal);
  const held = new Set(reading.terms.split(' '));
  const found = words.filter((word) => held.has(word)).length;
  if (found === 0) return [];
  const text = `${goal} (${outcome})`;
  return [
    {
      kind: 'run',
      passage: passageOf({ id: `run ${id}`, text, at, kind: 'episode' }, reading),
      score: found / words.length,
      shown: { kind: 'run', id, text, at },
    },
  ];
}

const SHOWN_AS: Readonly<Record<ScorePart, keyof ScoreParts>> = {
  keyword: 'keyword',
  related: 'keyword',
  embedding: 'vector',
  neighbours: 'neighbours',
  conversation: 'neighbours',
  speaker: 'fit',
  time: 'fit',
  answer: 'fit',
  question: 'fit',
  importance: 'importance',
  recency: 'recency',
};

function explain({ why }: RankedHit): { score: number; why: ScoreParts } {
  const parts = { keyword: 0, vector: 0, neighbours: 0, fit: 0, importance: 0, recency: 0 };
  for (const { part, score } of why) parts[SHOWN_AS[part]] += score;
  for (const name of Object.keys(parts) as (keyof ScoreParts)[]) parts[name] = round(parts[name]);
  return { score: round(Object.values(parts).reduce((sum, part) => sum + part, 0)), why: parts };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Whether facts still hold for the workspace nodes that they rest on; in the order of the facts. */
export async function freshnessOf(
  { nodes }: Pick<MemoryParts, 'nodes'>,
  facts: readonly (Pick<Fact, 'restsOn'> | undefined)[],
): Promise<readonly Freshness[]> {
  const paths = [...new Set(facts.flatMap((fact) => fact?.restsOn?.path ?? []))];
  const versions = await nodes.versionsOf(paths);
  return facts.map((fact) => {
    const now: NodeVersion | undefined = versions.get(fact?.restsOn?.path ?? '');
    if (now?.unchecked !== undefined) return { unchecked: now.unchecked };
    return now === undefined || now.version === fact?.restsOn?.version ? {} : { stale: true };
  });
}
