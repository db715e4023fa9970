import { tokenise } from '../retrieval/index.ts';
import { parseDay } from './days.ts';
import type { MemoryParts } from './memory-parts.ts';
import type { SearchScope } from './ports.ts';
import { queryWords } from './query-words.ts';
import { type RankCandidate, type Ranked, rankMemories } from './rank-memories.ts';
import type { DayRun, EpisodePart, Fact, Found, MemoryHit } from './types.ts';

/** What is asked for. */
export interface MemoryQuery {
  readonly query: string;
  readonly namespace?: string;
  /** Only episodes and runs of this day, as in 2026-01-31. */
  readonly day?: string;
  readonly limit: number;
}

type Parts = Pick<MemoryParts, 'search' | 'runs' | 'nodes' | 'clock'>;

/** As many as rank well among more than are wanted. */
const CANDIDATES = 200;
/** Runs are looked through, not indexed. */
const NEWEST_RUNS = 500;
/** The least share of the hits that what happened gets beside facts, where there is any. */
const DAILY_SHARE = 1 / 3;

type Candidate = RankCandidate & { readonly hit: Omit<MemoryHit, 'score' | 'why'>; readonly fact?: Fact };

/** Facts that fit the query, best first. */
export async function findFacts(parts: Parts, query: MemoryQuery): Promise<Found> {
  const ranked = rankMemories(await factCandidates(parts, query), parts.clock.now());
  return found(parts, ranked.slice(0, query.limit));
}

/** Episodes and runs that fit the query, best first. */
export async function findDaily(parts: Parts, query: MemoryQuery): Promise<Found> {
  const ranked = rankMemories(await dailyCandidates(parts, query), parts.clock.now());
  return found(parts, onePartEach(ranked).slice(0, query.limit));
}

/** Facts and what happened together: important facts come first, and a third is left to what happened. */
export async function retrieve(parts: Parts, query: MemoryQuery): Promise<Found> {
  const [facts, daily] = await Promise.all([factCandidates(parts, query), dailyCandidates(parts, query)]);
  const ranked = onePartEach(rankMemories([...facts, ...daily], parts.clock.now()));
  const happened = ranked.filter(({ candidate }) => candidate.kind !== 'fact');
  const kept = Math.min(
    happened.length,
    query.limit < 2 ? 0 : Math.max(1, Math.floor(query.limit * DAILY_SHARE)),
  );
  const certain = new Set(happened.slice(0, kept));
  let free = query.limit - kept;
  return found(
    parts,
    ranked.filter((one) => certain.has(one) || free-- > 0),
  );
}

async function factCandidates(parts: Parts, query: MemoryQuery): Promise<readonly Candidate[]> {
  const { day: _day, ...scope } = scopeOf(parts, query);
  const matches = await parts.search.facts(queryWords(query.query), scope);
  return matches.map(({ item: fact, score }) => {
    const { id, text, at, namespace, importance, confidence, source } = fact;
    const hit = {
      kind: 'fact' as const,
      id,
      text,
      at,
      namespace,
      importance,
      ...(source === undefined ? {} : { source }),
    };
    return { kind: 'fact', id, score, at, importance, confidence, hit, fact };
  });
}

async function dailyCandidates(parts: Parts, query: MemoryQuery): Promise<readonly Candidate[]> {
  const scope = scopeOf(parts, query);
  const words = queryWords(query.query);
  const [episodes, runs] = await Promise.all([
    parts.search.episodes(words, scope),
    query.namespace === undefined && words.length > 0
      ? parts.runs.newest({ ...scope, limit: NEWEST_RUNS })
      : [],
  ]);
  return [
    ...episodes.map(({ item, score }) => episodeCandidate(item, score)),
    ...runCandidates(runs, query.query),
  ];
}

function scopeOf(parts: Parts, query: MemoryQuery): SearchScope {
  return {
    now: parts.clock.now(),
    limit: Math.max(CANDIDATES, query.limit),
    ...(query.namespace === undefined ? {} : { namespace: query.namespace }),
    ...(query.day === undefined ? {} : { day: parseDay(query.day) }),
  };
}

function episodeCandidate(part: EpisodePart, score: number): Candidate {
  const { id, text, at, namespace, conversation, turn, source } = part;
  const hit = {
    kind: 'episode' as const,
    id,
    text,
    at,
    namespace,
    ...(conversation === undefined ? {} : { conversation }),
    ...(source === undefined ? {} : { source }),
  };
  const place =
    conversation === undefined || turn === undefined
      ? {}
      : { conversation: `${namespace} ${conversation}`, turn };
  return { kind: 'episode', id, score, at, hit, ...place };
}

/** Runs count by the share of the query's words that their goal holds. */
function runCandidates(runs: readonly DayRun[], query: string): Candidate[] {
  const wanted = new Set(queryWords(query).flatMap((word) => tokenise(word)));
  return runs.flatMap(({ id, goal, outcome, at }) => {
    const held = new Set(tokenise(goal));
    const score = [...wanted].filter((word) => held.has(word)).length / (wanted.size || 1);
    const text = `${goal} (${outcome})`;
    return score === 0 ? [] : [{ kind: 'run', id, score, at, hit: { kind: 'run', id, text, at } }];
  });
}

/** Of the parts of one episode the best is enough. */
function onePartEach(ranked: readonly Ranked<Candidate>[]): readonly Ranked<Candidate>[] {
  const seen = new Set<string>();
  return ranked.filter(({ candidate: { kind, id } }) => {
    const name = `${kind} ${id}`;
    return !seen.has(name) && seen.add(name);
  });
}

async function found(parts: Parts, ranked: readonly Ranked<Candidate>[]): Promise<Found> {
  const hits = ranked.map(async ({ candidate, score, why }): Promise<MemoryHit> => {
    const stale = candidate.fact !== undefined && (await isStale(parts, candidate.fact));
    return { ...candidate.hit, score, why, ...(stale ? { stale: true } : {}) };
  });
  return { hits: await Promise.all(hits), degraded: true };
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
