import { dayOf } from '../days.ts';
import type { Episode, Fact, MemoryHit } from '../types.ts';
import { isOfStrangers } from './of-strangers.ts';
import type { PackSource } from './ports.ts';
import type { PackCandidate, PackSpan } from './types.ts';

/** What packs need of memory. */
export interface PackMemory {
  /** The most important first. */
  facts(limit: number): Promise<readonly (PackFact & Pick<Fact, 'importance'>)[]>;
  /** Undefined when there is no such fact, or none any more. */
  fact(id: string): Promise<PackFact | undefined>;
  findFacts(query: string, limit: number): Promise<readonly PackHit[]>;
  /** Episodes and runs that fit. */
  findDaily(query: string, limit: number): Promise<readonly PackHit[]>;
  episode(id: string): Promise<Pick<Episode, 'text' | 'at'> | undefined>;
  /** The end of a run that is over; undefined for any other. */
  endedRun(
    id: string,
  ): Promise<{ readonly goal: string; readonly status: string; readonly at: number } | undefined>;
}

type PackFact = Pick<Fact, 'id' | 'text'> & { readonly source?: string };
type PackHit = Pick<MemoryHit, 'kind' | 'id' | 'keptId' | 'text' | 'score'> & {
  readonly source?: string;
  readonly stale?: true;
};

const MUST_NOT_BE_FORGOTTEN = 5;
const PINNED_FACTS = 50;
const LOOKED_THROUGH = 500;
const PINNED_FACT_SCORE = 3;
const FACT_WEIGHT = 1.5;
const EPISODE_WEIGHT = 1.2;
/** After so many of a kind, the next counts half of what it would, so that no kind crowds out the others. */
const HALVED_AFTER = 10;
/** What is left of a score when what the fact rests on has changed since. */
const STALE_SHARE = 0.5;
const LONGEST_QUERY = 600;

/** What a person said must not be forgotten. A fact that somebody else is named for is information, and fenced. */
export function pinnedFactSource(memory: PackMemory): PackSource {
  return {
    name: 'pinned facts',
    candidates: async () =>
      (await pinnedFacts(memory)).map((fact) => ({
        ...factCandidate(fact, PINNED_FACT_SCORE),
        kind: 'constraint' as const,
        id: `fact/${fact.id}`,
        pinned: true as const,
      })),
    read: async ({ kind, id }) =>
      kind === 'constraint' && id.startsWith('fact/') ? (await memory.fact(id.slice(5)))?.text : undefined,
  };
}

/** The facts that fit the goal. */
export function factSource(memory: PackMemory): PackSource {
  return {
    name: 'facts',
    candidates: async ({ goal, limit }) => {
      const pinned = new Set((await pinnedFacts(memory)).map(({ id }) => id));
      const hits = (await memory.findFacts(aboutGoal(goal), limit)).filter(({ id }) => !pinned.has(id));
      const scores = comparable(hits, FACT_WEIGHT);
      return hits.map((hit, i) => factCandidate(hit, (scores[i] as number) * (hit.stale ? STALE_SHARE : 1)));
    },
    read: async ({ kind, id }) => (kind === 'fact' ? (await memory.fact(id))?.text : undefined),
  };
}

/** What happened that fits the goal: episodes, and runs that are over. */
export function episodeSource(memory: PackMemory): PackSource {
  return {
    name: 'episodes',
    candidates: async ({ goal, limit }) => {
      const hits = await memory.findDaily(aboutGoal(goal), limit);
      const scores = comparable(hits, EPISODE_WEIGHT);
      const found = await Promise.all(
        hits.map((hit, i) => {
          const score = scores[i] as number;
          return hit.kind === 'run'
            ? runCandidate(memory, { ...hit, score })
            : episodeCandidate(memory, { ...hit, score });
        }),
      );
      return found.filter((candidate) => candidate !== undefined);
    },
    read: async ({ kind, id, span }) => {
      if (kind !== 'episode') return undefined;
      if (id.startsWith('run/')) return tellRun(await memory.endedRun(id.slice(4)));
      const episode = await memory.episode(id);
      return episode && tellEpisode(episode, span);
    },
  };
}

function factCandidate({ id, text, source }: PackFact, score: number): PackCandidate {
  return {
    kind: 'fact',
    id,
    text,
    score,
    ...(source === undefined ? {} : { untrusted: true }),
    ...(isOfStrangers(source) ? { ofStrangers: true } : {}),
  };
}

async function episodeCandidate(
  memory: PackMemory,
  { id: shownId, keptId: id = shownId, text, score }: PackHit,
): Promise<PackCandidate | undefined> {
  const episode = await memory.episode(id);
  if (episode === undefined) return undefined;
  const start = episode.text.indexOf(text);
  const span =
    start >= 0 && text.length < episode.text.length ? { start, end: start + text.length } : undefined;
  return {
    kind: 'episode',
    id,
    text: tellEpisode(episode, span),
    score,
    untrusted: true,
    ...(span === undefined ? {} : { span }),
  };
}

async function runCandidate(memory: PackMemory, { id, score }: PackHit): Promise<PackCandidate | undefined> {
  const text = tellRun(await memory.endedRun(id));
  if (text === undefined) return undefined;
  return { kind: 'episode', id: `run/${id}`, text, score, untrusted: true };
}

function tellEpisode({ text, at }: Pick<Episode, 'text' | 'at'>, span?: PackSpan): string {
  return `${dayOf(at)}: ${span === undefined ? text : text.slice(span.start, span.end)}`;
}

function tellRun(run: Awaited<ReturnType<PackMemory['endedRun']>>): string | undefined {
  return run && `${dayOf(run.at)}: "${run.goal}" was tried and is ${run.status}`;
}

/** A goal can carry whole results of other tasks; what it is about stands at its beginning. */
function aboutGoal(goal: string): string {
  return goal.slice(0, LONGEST_QUERY).toWellFormed();
}

/** Scores that kinds can be compared by: the best of each has its weight, and each further one counts less. */
function comparable(hits: readonly PackHit[], weight: number): number[] {
  const best = Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE);
  return hits.map(({ score }, place) => {
    const share = Math.max(0, score) / best / (1 + place / HALVED_AFTER);
    return Math.round(weight * share * 1e6) / 1e6;
  });
}

/** What strangers made a run remember is never pinned, however much it is said to matter. */
async function pinnedFacts(memory: PackMemory) {
  const facts = await memory.facts(LOOKED_THROUGH);
  return facts
    .filter(({ importance, source }) => importance >= MUST_NOT_BE_FORGOTTEN && !isOfStrangers(source))
    .slice(0, PINNED_FACTS);
}
