import { describeFreshness, type Freshness } from '../../kernel/index.ts';
import { dayOf } from '../days.ts';
import type { Episode, Fact, MemoryHit } from '../types.ts';
import { bestPassage } from './best-passage.ts';
import type { PackCandidate, PackRequest, PackSource, PackSpan } from './types.ts';

/** The memory, as packs need it. */
export interface PackMemory {
  /** By importance. */
  facts(limit: number): Promise<readonly (PackFact & Pick<Fact, 'importance'>)[]>;
  /** Undefined if the fact does not exist. */
  fact(id: string): Promise<PackFact | undefined>;
  findFacts(query: string, limit: number): Promise<readonly PackHit[]>;
  /** Finds episodes and runs. */
  findDaily(query: string, limit: number): Promise<readonly PackHit[]>;
  /** What the conversation of a run shows anyway: ids of its messages, and the goals that they were. */
  shownMessages?(vars: PackRequest['vars']): Promise<{
    readonly ids: ReadonlySet<string>;
    readonly goals: ReadonlySet<string>;
  }>;
  episode(id: string): Promise<Pick<Episode, 'text' | 'at' | 'tainted'> | undefined>;
  /** The result of an ended run; undefined for any other run. */
  endedRun(id: string): Promise<
    | {
        readonly goal: string;
        readonly status: string;
        readonly at: number;
        /** Its goal contains untrusted text. */
        readonly untrusted?: true;
      }
    | undefined
  >;
}

type PackFact = Pick<Fact, 'id' | 'text'> &
  Freshness & { readonly source?: string; readonly candidate?: true };
type PackHit = Pick<MemoryHit, 'kind' | 'id' | 'keptId' | 'text' | 'score' | keyof Freshness> & {
  readonly source?: string;
  readonly candidate?: true;
  readonly partial?: true;
};

const PINNED_IMPORTANCE = 5;
const MAX_PINNED_FACTS = 50;
const MAX_SCANNED_FACTS = 500;
const PINNED_FACT_SCORE = 3;
const FACT_WEIGHT = 1.5;
const EPISODE_WEIGHT = 1.2;
/** The position at which a score counts half, so that no kind displaces the others. */
const HALF_SCORE_PLACE = 10;
/** The factor for the score of a stale fact. */
const STALE_SHARE = 0.5;
const MAX_QUERY_LENGTH = 600;

/** Facts of the highest importance. A fact with a source is information, and fenced. */
export function pinnedFactSource(memory: PackMemory): PackSource {
  return {
    name: 'pinned facts',
    candidates: async ({ goal, maxItemTokens }) =>
      (await pinnedFacts(memory)).map((fact) => ({
        ...factCandidate(fact, PINNED_FACT_SCORE, passageOf(fact.text, goal, maxItemTokens)),
        kind: 'constraint' as const,
        id: `fact/${fact.id}`,
        pinned: true as const,
      })),
    read: async ({ kind, id, span }) => {
      if (kind !== 'constraint' || !id.startsWith('fact/')) return undefined;
      return inSpan((await memory.fact(id.slice(5)))?.text, span);
    },
  };
}

/** Facts that match the goal. */
export function factSource(memory: PackMemory): PackSource {
  return {
    name: 'facts',
    candidates: async ({ goal, limit, maxItemTokens }) => {
      const pinned = new Set((await pinnedFacts(memory)).map(({ id }) => id));
      const hits = (await memory.findFacts(aboutGoal(goal), limit)).filter(({ id }) => !pinned.has(id));
      const scores = comparableScores(hits, FACT_WEIGHT);
      const found = hits.map(async (hit, i) => {
        const score = (scores[i] as number) * (hit.stale ? STALE_SHARE : 1);
        const text = hit.partial ? (await memory.fact(hit.id))?.text : hit.text;
        if (text === undefined) return [];
        const span = spanOf(text, hit.text) ?? passageOf(text, goal, maxItemTokens);
        return [factCandidate({ ...hit, text }, score, span)];
      });
      return (await Promise.all(found)).flat();
    },
    read: async ({ kind, id, span }) =>
      kind === 'fact' ? inSpan((await memory.fact(id))?.text, span) : undefined,
  };
}

/** Episodes and ended runs that match the goal. */
export function episodeSource(memory: PackMemory): PackSource {
  return {
    name: 'episodes',
    candidates: async ({ goal, limit, vars, maxItemTokens }) => {
      const shown = await memory.shownMessages?.(vars);
      const hits = (await memory.findDaily(aboutGoal(goal), limit)).filter(
        ({ id, keptId = id, kind, text }) =>
          !(kind === 'run'
            ? [...(shown?.goals ?? [])].some((said) => text.startsWith(`${said} (`))
            : shown?.ids.has(keptId)),
      );
      const scores = comparableScores(hits, EPISODE_WEIGHT);
      const found = await Promise.all(
        hits.map((hit, i) => {
          const score = scores[i] as number;
          return hit.kind === 'run'
            ? runCandidate(memory, { ...hit, score })
            : episodeCandidate(memory, { ...hit, score }, (text) => passageOf(text, goal, maxItemTokens));
        }),
      );
      return found.filter((candidate) => candidate !== undefined);
    },
    read: async ({ kind, id, span }) => {
      if (kind !== 'episode') return undefined;
      if (id.startsWith('run/')) return describeRun(await memory.endedRun(id.slice(4)));
      const episode = await memory.episode(id);
      return episode && describeEpisode(episode, span);
    },
  };
}

function factCandidate(
  { id, text, source, candidate, ...freshness }: PackFact,
  score: number,
  span?: PackSpan,
): PackCandidate {
  const note = describeFreshness(freshness);
  return {
    kind: 'fact',
    id,
    text: inSpan(text, span),
    score,
    ...(span === undefined ? {} : { span }),
    ...(candidate ? { unconfirmed: true } : {}),
    ...(note === '' ? {} : { note }),
    ...(source === undefined ? {} : { untrusted: true }),
    ...(isUntrustedSource(source) ? { ofStrangers: true } : {}),
  };
}

async function episodeCandidate(
  memory: PackMemory,
  { id: shownId, keptId: id = shownId, text, score }: PackHit,
  choose: (text: string) => PackSpan | undefined,
): Promise<PackCandidate | undefined> {
  const episode = await memory.episode(id);
  if (episode === undefined) return undefined;
  const span = spanOf(episode.text, text) ?? choose(episode.text);
  return {
    kind: 'episode',
    id,
    text: describeEpisode(episode, span),
    score,
    untrusted: true,
    ...(episode.tainted ? { ofStrangers: true } : {}),
    ...(span === undefined ? {} : { span }),
  };
}

async function runCandidate(memory: PackMemory, { id, score }: PackHit): Promise<PackCandidate | undefined> {
  const run = await memory.endedRun(id);
  const text = describeRun(run);
  if (text === undefined) return undefined;
  const marked = run?.untrusted ? { ofStrangers: true as const } : {};
  return { kind: 'episode', id: `run/${id}`, text, score, untrusted: true, ...marked };
}

function describeEpisode({ text, at }: Pick<Episode, 'text' | 'at'>, span?: PackSpan): string {
  return `${dayOf(at)}: ${inSpan(text, span)}`;
}

/** Where the matching part of a longer text is. */
function spanOf(whole: string, part: string): PackSpan | undefined {
  const start = whole.indexOf(part);
  return start >= 0 && part.length < whole.length ? { start, end: start + part.length } : undefined;
}

function passageOf(text: string, goal: string, maxTokens = Number.POSITIVE_INFINITY): PackSpan | undefined {
  return bestPassage(text, aboutGoal(goal), maxTokens);
}

function inSpan<Text extends string | undefined>(text: Text, span: PackSpan | undefined): Text {
  return (span === undefined ? text : text?.slice(span.start, span.end)) as Text;
}

function describeRun(run: Awaited<ReturnType<PackMemory['endedRun']>>): string | undefined {
  return run && `${dayOf(run.at)}: "${run.goal}" was tried and is ${run.status}`;
}

/** A goal may contain whole results of other tasks; its subject is at its beginning. */
function aboutGoal(goal: string): string {
  return goal.slice(0, MAX_QUERY_LENGTH).toWellFormed();
}

/** Scores that are comparable across kinds: the best hit has the weight of its kind, each further one counts less. */
function comparableScores(hits: readonly PackHit[], weight: number): number[] {
  const best = Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE);
  return hits.map(({ score }, place) => {
    const share = Math.max(0, score) / best / (1 + place / HALF_SCORE_PLACE);
    return Math.round(weight * share * 1e6) / 1e6;
  });
}

/** Facts that nobody confirmed, and those from untrusted sources, are never pinned. */
async function pinnedFacts(memory: PackMemory) {
  const facts = await memory.facts(MAX_SCANNED_FACTS);
  return facts
    .filter(
      ({ importance, source, candidate }) =>
        importance >= PINNED_IMPORTANCE && !candidate && !isUntrustedSource(source),
    )
    .slice(0, MAX_PINNED_FACTS);
}

/** The suffix of a fact's source if the run had read untrusted content. */
const UNTRUSTED_SUFFIX = ' (untrusted)';

function isUntrustedSource(source: string | undefined): boolean {
  return source?.endsWith(UNTRUSTED_SUFFIX) ?? false;
}
