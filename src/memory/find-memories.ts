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
import { givenEpisodeId } from './episode-ids.ts';
import type { MemoryParts } from './memory-parts.ts';
import type { FoundEpisode, SearchScope, TextMatch, VectorReading } from './ports.ts';
import { searchTerms } from './search-terms.ts';
import type { DayRun, Fact, Found, MemoryHit, ScoreParts } from './types.ts';

/** What is asked for. */
export interface MemoryQuery {
  readonly query: string;
  readonly namespace?: string;
  /** Only what was said in this conversation; facts and runs are in none. */
  readonly conversation?: string;
  /** Only episodes and runs of this day, as in 2026-01-31. */
  readonly day?: string;
  readonly limit: number;
}

type Parts = Pick<MemoryParts, 'search' | 'vectors' | 'runs' | 'nodes' | 'clock'>;

/**
 * How many texts of each kind words choose, around how many of these the neighbouring turns are ranked too, and how many
 * an embedder adds; fewer among many texts, so that a question stays quick.
 */
const USUAL = { candidates: 150, around: 75, near: 40 };
const AMONG_MANY = { candidates: 80, around: 20, near: 16 };
const MANY_TEXTS = 40_000;
/** Runs are looked through, not indexed. */
const NEWEST_RUNS = 200;
/** The least share of the hits that facts get beside what happened, and the other way round. */
const KIND_SHARE = 1 / 3;
/** Episodes are shown whole up to so many characters; of longer ones the part that was found. */
const LONGEST_SHOWN = 8_000;

type Shown = Omit<MemoryHit, 'score' | 'why'>;

/** What may be a hit: a match in a table, or a run, which is shown as it was found. */
type Known =
  | { readonly kind: 'fact' | 'episode'; readonly match: TextMatch }
  | { readonly kind: 'run'; readonly passage: Passage; readonly score: number; readonly shown: Shown };

/** What was found, in order. */
interface Ranked {
  /** The best, each fact, episode and run once. */
  readonly best: Iterable<number>;
  readonly known: readonly Known[];
  readonly hit: (place: number) => RankedHit;
  readonly holdsWords: (place: number) => boolean;
}

/** Facts that fit the query, best first. */
export async function findFacts(parts: Parts, query: MemoryQuery): Promise<Found> {
  const look = await Look.of(parts, query);
  const ranked = look.rank(await look.facts());
  return look.found(ranked, firstOf(ranked.best, query.limit));
}

/** Episodes and runs that fit the query, best first. */
export async function findDaily(parts: Parts, query: MemoryQuery): Promise<Found> {
  const look = await Look.of(parts, query);
  const ranked = look.rank(await look.daily());
  return look.found(ranked, firstOf(ranked.best, query.limit));
}

/** Facts and what happened together, best first; a third is left to each of them, where there is as much. */
export async function retrieve(parts: Parts, query: MemoryQuery): Promise<Found> {
  const look = await Look.of(parts, query);
  const ranked = look.rank([...(await look.facts()), ...(await look.daily())]);
  return look.found(ranked, shared(ranked, query.limit));
}

function firstOf(places: Iterable<number>, limit: number): readonly number[] {
  const first: number[] = [];
  for (const place of places) {
    if (first.length >= limit) break;
    first.push(place);
  }
  return first;
}

/** Goes through the best only as far as it must. */
function shared({ best, known, holdsWords }: Ranked, limit: number): readonly number[] {
  const share = limit < 2 ? 0 : Math.max(1, Math.floor(limit * KIND_SHARE));
  const [order, certain]: [number[], Set<number>] = [[], new Set()];
  const left = { facts: share, others: share };
  for (const place of best) {
    const isFact = known[place]?.kind === 'fact';
    order.push(place);
    if (isFact && left.facts > 0 && holdsWords(place)) {
      left.facts -= 1;
      certain.add(place);
    } else if (!isFact && left.others > 0) {
      left.others -= 1;
      certain.add(place);
    }
    if (left.facts === 0 && left.others === 0 && order.length >= limit) break;
  }
  let free = limit - certain.size;
  return order.filter((place) => certain.has(place) || free-- > 0);
}

/** One look for what fits a query. */
class Look {
  readonly #parts: Parts;
  readonly #read: Query;
  readonly #vectors: VectorReading;
  readonly #scope: SearchScope;
  readonly #near: number;

  private constructor(parts: Parts, read: Query, vectors: VectorReading, scope: SearchScope, near: number) {
    this.#near = near;
    this.#parts = parts;
    this.#read = read;
    this.#vectors = vectors;
    this.#scope = scope;
  }

  static async of(parts: Parts, query: MemoryQuery): Promise<Look> {
    const now = parts.clock.now();
    const { namespace, conversation, day } = query;
    const only = {
      ...(namespace !== undefined && { namespace }),
      ...(conversation !== undefined && { conversation }),
      ...(day !== undefined && { day: parseDay(day) }),
    };
    const read = await readAsked(parts, query.query, { now, ...only });
    const vectors = await parts.vectors.read(query.query);
    const isMuch = namespace === undefined && parts.search.texts() > MANY_TEXTS;
    const { candidates, around, near } = isMuch ? AMONG_MANY : USUAL;
    const scope = { now, limit: Math.max(candidates, query.limit), around, ...only };
    return new Look(parts, read, vectors, scope, near);
  }

  async facts(): Promise<readonly Known[]> {
    const { day: _day, conversation, ...scope } = this.#scope;
    if (conversation !== undefined) return [];
    const near = this.#nearest('facts');
    const matches = await this.#parts.search.facts(searchTerms(this.#read), { ...scope, near });
    return matches.map((match) => ({ kind: 'fact', match }));
  }

  async daily(): Promise<readonly Known[]> {
    const scope = { ...this.#scope, near: this.#nearest('episodes'), spans: this.#read.spans };
    const terms = searchTerms(this.#read);
    const episodes = await this.#parts.search.episodes(terms, scope);
    const isAll = scope.namespace === undefined && scope.conversation === undefined && terms.own.length > 0;
    const runs = isAll ? await this.#parts.runs.newest({ ...this.#scope, limit: NEWEST_RUNS }) : [];
    return [
      ...episodes.map((match) => ({ kind: 'episode' as const, match })),
      ...runs.flatMap((run) => knownRun(run, terms.own)),
    ];
  }

  /** Best first, and of the parts of one episode only the best. */
  rank(known: readonly Known[]): Ranked {
    const { likeness } = this.#vectors;
    const embedding = (_id: string, place: number): number | undefined => {
      const one = known[place] as Known;
      return one.kind === 'run' ? undefined : likeness?.(TABLES[one.kind], one.match.place);
    };
    const { order, hit, holdsWords } = rankPassages(
      this.#read,
      known.map((one) => (one.kind === 'run' ? one.passage : one.match.kept.passage)),
      known.map((one) => (one.kind === 'run' ? one.score : one.match.score)),
      {
        now: this.#scope.now,
        ...(likeness && { embedding }),
        textsOf: (places) => this.#textsOf(places.map((place) => known[place] as Known)),
      },
    );
    return { best: withoutDoubles(order, known), known, hit, holdsWords };
  }

  async found({ known, hit }: Ranked, chosen: readonly number[]): Promise<Found> {
    const placesOf = (kind: Known['kind']): readonly number[] =>
      chosen.flatMap((place) => {
        const one = known[place] as Known;
        return one.kind === kind && one.kind !== 'run' ? [one.match.place] : [];
      });
    const [facts, episodes] = await Promise.all([
      this.#parts.search.factsAt(placesOf('fact')),
      this.#parts.search.episodesAt(placesOf('episode'), LONGEST_SHOWN),
    ]);
    const hits = chosen.map(async (place): Promise<readonly MemoryHit[]> => {
      const one = known[place] as Known;
      const fact = one.kind === 'fact' ? facts.get(one.match.place) : undefined;
      const episode = one.kind === 'episode' ? episodes.get(one.match.place) : undefined;
      const shown =
        one.kind === 'run' ? one.shown : ((fact && shownFact(fact)) ?? (episode && shownEpisode(episode)));
      // It may have been deleted since it was found.
      if (shown === undefined) return [];
      const stale = fact !== undefined && (await isStale(this.#parts, fact));
      return [{ ...shown, ...explain(hit(place)), ...(stale ? { stale: true } : {}) }];
    });
    const notice = this.#vectors.degraded;
    return {
      hits: (await Promise.all(hits)).flat(),
      degraded: notice !== undefined,
      ...(notice === undefined ? {} : { notice }),
    };
  }

  #textsOf(wanted: readonly Known[]): readonly string[] {
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
      limit: this.#near,
      ...(namespace !== undefined && { namespace }),
    });
  }
}

/** A month without its year is one in which something happened: what is asked about may have ended long ago. */
async function readAsked(
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

function* withoutDoubles(order: readonly number[], known: readonly Known[]): Generator<number> {
  const seen = new Set<string>();
  for (const place of order) {
    const one = known[place] as Known;
    if (one.kind === 'episode') {
      if (seen.has(one.match.kept.id)) continue;
      seen.add(one.match.kept.id);
    }
    yield place;
  }
}

function shownFact({ id, text, at, namespace, importance, source }: Fact): Shown {
  return { kind: 'fact', id, text, at, namespace, importance, ...(source === undefined ? {} : { source }) };
}

function shownEpisode(episode: FoundEpisode): Shown {
  const { id: keptId, text, at, namespace, conversation, source, partial } = episode;
  const id = givenEpisodeId(episode);
  return {
    kind: 'episode',
    id,
    ...(id === keptId ? {} : { keptId }),
    text,
    at,
    namespace,
    ...(conversation === undefined ? {} : { conversation }),
    ...(source === undefined ? {} : { source }),
    ...(partial === undefined ? {} : { partial }),
  };
}

/** A run whose goal holds a word of the query. */
function knownRun({ id, goal, outcome, at }: DayRun, words: readonly string[]): Known[] {
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

/** Whether the workspace node that a fact rests on is known to be another by now. */
export async function isStale(
  parts: Pick<MemoryParts, 'nodes'>,
  fact: Pick<Fact, 'restsOn'>,
): Promise<boolean> {
  if (fact.restsOn === undefined) return false;
  const version = await parts.nodes.versionOf(fact.restsOn.path);
  return version !== undefined && version !== fact.restsOn.version;
}
