import {
  type Candidate,
  type Query,
  type RankedHit,
  rankForQuery,
  readQuery,
  readText,
  type ScorePart,
} from '../retrieval/index.ts';
import { parseDay } from './days.ts';
import type { MemoryParts } from './memory-parts.ts';
import type { FoundEpisode, SearchScope, TextMatch, VectorReading } from './ports.ts';
import { searchTerms } from './search-terms.ts';
import type { DayRun, Fact, Found, MemoryHit, ScoreParts } from './types.ts';

/** What is asked for. */
export interface MemoryQuery {
  readonly query: string;
  readonly namespace?: string;
  /** Only episodes and runs of this day, as in 2026-01-31. */
  readonly day?: string;
  readonly limit: number;
}

type Parts = Pick<MemoryParts, 'search' | 'vectors' | 'runs' | 'nodes' | 'clock'>;

/** As many as rank well among more than are wanted; fewer where much text is looked through, so that it stays quick. */
const CANDIDATES = { usual: 150, amongMany: 80 };
const MANY_TEXTS = 20_000;
/** So many more are looked at because their vectors are near. */
const NEAR = 40;
/** Runs are looked through, not indexed. */
const NEWEST_RUNS = 200;
/** The least share of the hits that facts get beside what happened, and the other way round. */
const KIND_SHARE = 1 / 3;
/** Episodes are shown whole up to so many characters; of longer ones the part that was found. */
const LONGEST_SHOWN = 8_000;

type Shown = Omit<MemoryHit, 'score' | 'why'>;

/** What may be a hit: what ranking needs of it, and where the rest is to be had. */
interface Known {
  readonly kind: MemoryHit['kind'];
  /** Of the fact, episode or run. */
  readonly id: string;
  readonly candidate: Candidate;
  readonly match?: TextMatch;
  /** A run is shown as it was found. */
  readonly shown?: Shown;
}

interface Ranked {
  readonly known: Known;
  readonly ranked: RankedHit;
}

/** Facts that fit the query, best first. */
export async function findFacts(parts: Parts, query: MemoryQuery): Promise<Found> {
  const look = await Look.of(parts, query);
  return look.found(look.rank(await look.facts()).slice(0, query.limit));
}

/** Episodes and runs that fit the query, best first. */
export async function findDaily(parts: Parts, query: MemoryQuery): Promise<Found> {
  const look = await Look.of(parts, query);
  return look.found(look.rank(await look.daily()).slice(0, query.limit));
}

/** Facts and what happened together, best first; a third is left to each of them, where there is as much. */
export async function retrieve(parts: Parts, query: MemoryQuery): Promise<Found> {
  const look = await Look.of(parts, query);
  const ranked = look.rank([...(await look.facts()), ...(await look.daily())]);
  const share = query.limit < 2 ? 0 : Math.max(1, Math.floor(query.limit * KIND_SHARE));
  const isFact = ({ known }: Ranked): boolean => known.kind === 'fact';
  const certain = new Set([
    ...ranked.filter((one) => isFact(one) && one.ranked.terms.length > 0).slice(0, share),
    ...ranked.filter((one) => !isFact(one)).slice(0, share),
  ]);
  let free = query.limit - certain.size;
  return look.found(ranked.filter((one) => certain.has(one) || free-- > 0));
}

/** One look for what fits a query. */
class Look {
  readonly #parts: Parts;
  readonly #read: Query;
  readonly #vectors: VectorReading;
  readonly #scope: SearchScope;

  private constructor(parts: Parts, read: Query, vectors: VectorReading, scope: SearchScope) {
    this.#parts = parts;
    this.#read = read;
    this.#vectors = vectors;
    this.#scope = scope;
  }

  static async of(parts: Parts, query: MemoryQuery): Promise<Look> {
    const now = parts.clock.now();
    const read = readQuery(query.query, { now });
    const { namespace, day } = query;
    const only = {
      ...(namespace !== undefined && { namespace }),
      ...(day !== undefined && { day: parseDay(day) }),
    };
    const vectors = await parts.vectors.read(query.query, read);
    const isMuch = namespace === undefined && (vectors.words?.texts ?? 0) > MANY_TEXTS;
    const scope = {
      now,
      limit: Math.max(isMuch ? CANDIDATES.amongMany : CANDIDATES.usual, query.limit),
      ...only,
      ...(vectors.words && { statistics: vectors.words }),
    };
    return new Look(parts, read, vectors, scope);
  }

  async facts(): Promise<readonly Known[]> {
    const { day: _day, ...scope } = this.#scope;
    const near = this.#nearest('facts');
    const matches = await this.#parts.search.facts(searchTerms(this.#read), { ...scope, near });
    return matches.map((match) => known('fact', match));
  }

  async daily(): Promise<readonly Known[]> {
    const scope = { ...this.#scope, near: this.#nearest('episodes'), spans: this.#read.spans };
    const terms = searchTerms(this.#read);
    const episodes = await this.#parts.search.episodes(terms, scope);
    const isAll = scope.namespace === undefined && terms.own.length > 0;
    const runs = isAll ? await this.#parts.runs.newest({ ...this.#scope, limit: NEWEST_RUNS }) : [];
    return [
      ...episodes.map((match) => known('episode', match)),
      ...runs.flatMap((run) => knownRun(run, terms.own)),
    ];
  }

  /** Best first, and of the parts of one episode only the best. */
  rank(found: readonly Known[]): readonly Ranked[] {
    const byId = new Map(found.map((one) => [one.candidate.id, one]));
    const { words, wordLikeness, likeness } = this.#vectors;
    const ask = (id: string, how: VectorReading['wordLikeness']): number | undefined => {
      const { kind, match } = byId.get(id) as Known;
      return match && how?.(tableOf(kind), match.place, match.passage.namespace);
    };
    const ranking = rankForQuery(
      this.#read,
      found.map(({ candidate }) => candidate),
      {
        now: this.#scope.now,
        ...(words && { vectors: words, statistics: words }),
        ...(wordLikeness && { likeness: ({ id }: Candidate) => ask(id, wordLikeness) }),
        ...(likeness && { embedding: (id: string) => ask(id, likeness) }),
        textsOf: (ids) => this.#textsOf(ids.map((id) => byId.get(id) as Known)),
      },
    );
    const seen = new Set<string>();
    return ranking.flatMap((ranked) => {
      const known = byId.get(ranked.id) as Known;
      if (seen.has(known.id)) return [];
      seen.add(known.id);
      return [{ known, ranked }];
    });
  }

  async found(chosen: readonly Ranked[]): Promise<Found> {
    const [facts, episodes] = await Promise.all([
      this.#parts.search.factsAt(placesOf('fact', chosen)),
      this.#parts.search.episodesAt(placesOf('episode', chosen), LONGEST_SHOWN),
    ]);
    const hits = chosen.map(async ({ known, ranked }): Promise<readonly MemoryHit[]> => {
      const { kind, match, shown } = known;
      const fact = kind === 'fact' ? facts.get(match?.place ?? -1) : undefined;
      const episode = kind === 'episode' ? episodes.get(match?.place ?? -1) : undefined;
      const hit = (fact && shownFact(fact)) ?? (episode && shownEpisode(episode)) ?? shown;
      // It may have been deleted since it was found.
      if (hit === undefined) return [];
      const stale = fact !== undefined && (await isStale(this.#parts, fact));
      return [{ ...hit, ...explain(ranked), ...(stale ? { stale: true } : {}) }];
    });
    const notice = this.#vectors.degraded;
    return {
      hits: (await Promise.all(hits)).flat(),
      degraded: notice !== undefined,
      ...(notice === undefined ? {} : { notice }),
    };
  }

  #textsOf(wanted: readonly Known[]): ReadonlyMap<string, string> {
    const texts = new Map<string, string>();
    for (const kind of ['fact', 'episode'] as const) {
      const matches = wanted.filter((one) => one.kind === kind);
      const places = matches.map(({ match }) => match?.place ?? -1);
      const read = places.length === 0 ? undefined : this.#parts.search.textsAt(tableOf(kind), places);
      for (const { candidate, match } of matches)
        texts.set(candidate.id, read?.get(match?.place ?? -1) ?? '');
    }
    return texts;
  }

  #nearest(kind: 'facts' | 'episodes'): readonly number[] {
    const { namespace } = this.#scope;
    return this.#vectors.nearest(kind, { limit: NEAR, ...(namespace !== undefined && { namespace }) });
  }
}

function tableOf(kind: MemoryHit['kind']): 'facts' | 'episodes' {
  return kind === 'fact' ? 'facts' : 'episodes';
}

function placesOf(kind: MemoryHit['kind'], chosen: readonly Ranked[]): readonly number[] {
  return chosen.flatMap(({ known }) => (known.kind === kind && known.match ? [known.match.place] : []));
}

function known(kind: 'fact' | 'episode', match: TextMatch): Known {
  const { place, score, passage } = match;
  const { id, at, talk, turn, importance, reading } = passage;
  const candidate: Candidate = {
    id: `${kind} ${place}`,
    at,
    kind,
    score,
    reading,
    ...(talk !== undefined && turn !== undefined && { conversation: talk, order: turn }),
    ...(importance !== undefined && { importance }),
  };
  return { kind, id: `${kind} ${id}`, candidate, match };
}

function shownFact({ id, text, at, namespace, importance, source }: Fact): Shown {
  return { kind: 'fact', id, text, at, namespace, importance, ...(source === undefined ? {} : { source }) };
}

function shownEpisode({ id, text, at, namespace, conversation, source, partial }: FoundEpisode): Shown {
  return {
    kind: 'episode',
    id,
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
      id: `run ${id}`,
      candidate: { id: `run ${id}`, text, at, kind: 'episode', score: found / words.length, reading },
      shown: { kind: 'run', id, text, at },
    },
  ];
}

const SHOWN_AS: Readonly<Record<ScorePart, keyof ScoreParts>> = {
  keyword: 'keyword',
  related: 'keyword',
  vector: 'vector',
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
