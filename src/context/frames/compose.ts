import { didYouMean, isOkaError, nearestName } from '../../kernel/index.ts';
import { parentOf } from '../paths.ts';
import type { NodeRecord } from '../types.ts';
import {
  byAgent,
  byRecency,
  byType,
  type Candidate,
  type CompositionSource,
  type CustomOrdering,
  checkMaxFrames,
  type FrameFilter,
  frameFilter,
} from './context-view.ts';
import { frameError, invalid } from './frame-error.ts';
import type { ContextParts } from './ports.ts';
import { tryReadFrame } from './read-content.ts';
import { resolveNode } from './resolve-node.ts';
import type { Frame, FrameSummary } from './types.ts';

/** How frames of several nodes are combined for a reader. */
export interface CompositionPolicy extends FrameFilter {
  readonly maxFrames?: number;
  /** By default node, parent and siblings, and `related` if there are related nodes. */
  readonly sources?: readonly string[];
  /** The nodes of the source `related`, by path or id. */
  readonly related?: readonly string[];
  readonly order?: string;
  readonly typePriority?: readonly string[];
  readonly agentPriority?: readonly string[];
  /** The query of the order `relevance`; by default the node's own path and frames. */
  readonly query?: string;
}

interface ComposedFrame extends Frame {
  readonly source: CompositionSource;
}

export interface Composition {
  readonly frames: readonly ComposedFrame[];
  /** The number of matching frames, before `maxFrames`. */
  readonly candidates: number;
  /** Frames and nodes that could not be read or found. */
  readonly skipped: readonly { readonly what: string; readonly why: string }[];
}

const SOURCES: readonly CompositionSource[] = ['node', 'parent', 'siblings', 'related'];
const DEFAULT_SOURCES: readonly CompositionSource[] = ['node', 'parent', 'siblings'];
const ORDERS = ['recency', 'type', 'agent', 'relevance'];
const DEFAULT_MAX_FRAMES = 100;
/** How many of the newest candidates are read and scored for relevance. */
const MAX_SCORED = 500;

/** Combines the frames around a node. Read-only. */
export async function compose(
  parts: ContextParts,
  node: NodeRecord,
  policy: CompositionPolicy,
): Promise<Composition> {
  const { maxFrames = DEFAULT_MAX_FRAMES } = policy;
  checkMaxFrames(maxFrames);
  const skipped: { what: string; why: string }[] = [];
  const isWanted = frameFilter(policy);
  const candidates = (await collect(parts, node, policy, skipped)).filter(isWanted);
  const ordered = await orderCandidates(parts, node, policy, candidates);
  const frames: ComposedFrame[] = [];
  for (const { id, source } of ordered) {
    if (frames.length >= maxFrames) break;
    const read = await tryRead(parts, id);
    if ('why' in read) skipped.push({ what: id, why: read.why });
    else frames.push({ ...read.frame, source });
  }
  return { frames, candidates: candidates.length, skipped };
}

/** Each frame once, under the first source that has it. */
async function collect(
  parts: ContextParts,
  { path }: NodeRecord,
  policy: CompositionPolicy,
  skipped: { what: string; why: string }[],
): Promise<Candidate[]> {
  const { records, tree } = parts;
  const parent = parentOf(path);
  const found = new Map<string, Candidate>();
  const add = (source: CompositionSource, frames: readonly FrameSummary[]): void => {
    for (const frame of frames) if (!found.has(frame.id)) found.set(frame.id, { ...frame, source });
  };
  for (const source of checkSources(policy)) {
    if (source === 'node') add(source, await records.framesOf(path));
    else if (source === 'parent') add(source, parent === null ? [] : await records.framesOf(parent));
    else if (source === 'siblings') {
      const siblings = parent === null ? [] : await records.framesBelow(parent);
      add(
        source,
        siblings.filter((frame) => frame.path !== path),
      );
    } else {
      for (const name of policy.related ?? []) {
        try {
          add(source, await records.framesOf((await resolveNode(tree, name)).path));
        } catch (error) {
          if (!isOkaError(error)) throw error;
          skipped.push({ what: name, why: error.message });
        }
      }
    }
  }
  return [...found.values()].filter(({ erased }) => !erased);
}

function checkSources({ sources: asked, related }: CompositionPolicy): readonly CompositionSource[] {
  const sources = asked ?? (related === undefined ? DEFAULT_SOURCES : SOURCES);
  for (const source of sources) {
    if ((SOURCES as readonly string[]).includes(source)) continue;
    const hint = didYouMean(nearestName(source, SOURCES), `Known are ${SOURCES.join(', ')}.`);
    throw invalid('sources', `Unknown source "${source}". ${hint}`);
  }
  // In a fixed order, so that a frame of two sources always has the same one.
  return SOURCES.filter((source) => sources.includes(source));
}

async function orderCandidates(
  parts: ContextParts,
  node: NodeRecord,
  policy: CompositionPolicy,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const { order = 'recency', typePriority, agentPriority } = policy;
  if (order === 'recency') return [...candidates].sort(byRecency);
  if (order === 'type') return [...candidates].sort(byType(typePriority));
  if (order === 'agent') return [...candidates].sort(byAgent(agentPriority));
  if (order === 'relevance') return orderByRelevance(parts, node, policy, candidates);
  const custom = customOrdering(parts, order);
  return [...candidates].sort((a, b) => custom(a, b) || byRecency(a, b));
}

function customOrdering({ orderings = {} }: ContextParts, order: string): CustomOrdering {
  const custom = Object.hasOwn(orderings, order) ? orderings[order] : undefined;
  if (custom) return custom;
  const known = [...ORDERS, ...Object.keys(orderings)];
  const hint = didYouMean(nearestName(order, known), `Known are ${known.join(', ')}.`);
  throw frameError('context.ordering_unknown', `Unknown order "${order}". ${hint}`, {
    order,
  });
}

async function orderByRelevance(
  parts: ContextParts,
  node: NodeRecord,
  { query }: CompositionPolicy,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const newest = [...candidates].sort(byRecency);
  const texts = new Map<string, string>();
  for (const { id, path } of newest.slice(0, MAX_SCORED)) {
    const read = await tryRead(parts, id);
    if ('frame' in read) texts.set(id, `${path}\n${read.frame.content}`);
  }
  const own = newest.filter(({ source }) => source === 'node').map(({ id }) => texts.get(id) ?? '');
  const scores = scoreRelevance(query ?? [node.path, ...own].join('\n'), texts);
  return newest.sort((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0) || byRecency(a, b));
}

/** Skips a missing or damaged frame; `validate` reports it. */
async function tryRead(
  { records, blobs }: ContextParts,
  id: string,
): Promise<{ readonly frame: Frame } | { readonly why: string }> {
  const record = await records.frame(id);
  return record === undefined ? { why: 'the frame is missing' } : tryReadFrame(blobs, record);
}

/** The relevance of each text: the share of the query's words, weighted by rarity. Depends on the texts alone. */
function scoreRelevance(query: string, texts: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const words = new Map([...texts].map(([id, text]) => [id, wordsOf(text)]));
  const holders = new Map<string, number>();
  for (const own of words.values()) for (const word of own) holders.set(word, (holders.get(word) ?? 0) + 1);
  const weight = (word: string): number => Math.log(1 + texts.size / (holders.get(word) ?? texts.size + 1));
  // Sorted, because the order of additions affects the sum.
  const asked = [...wordsOf(query)].sort();
  return new Map(
    [...words].map(([id, own]) => {
      const shared = asked.reduce((sum, word) => (own.has(word) ? sum + weight(word) : sum), 0);
      return [id, shared / Math.sqrt(own.size + 1)];
    }),
  );
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []);
}
