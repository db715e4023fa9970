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
import { type FrameMark, FrameMarks } from './frame-marks.ts';
import type { ContextParts } from './ports.ts';
import { tryReadFrame } from './read-content.ts';
import { scoreRelevance } from './relevance.ts';
import { resolveNode } from './resolve-node.ts';
import { checkQuotas, chooseBySource, type SourceQuotas } from './source-quotas.ts';
import type { Frame, FrameSummary, Head } from './types.ts';

/** How frames of several nodes are combined for a reader. */
export interface CompositionPolicy extends FrameFilter {
  readonly maxFrames?: number;
  /** Takes all frames; by default only heads. */
  readonly history?: boolean;
  /** At most this many frames of each source. Without them, each source gets the same share of `maxFrames`. */
  readonly quotas?: SourceQuotas;
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

interface ComposedFrame extends Frame, FrameMark {
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
  const { maxFrames = DEFAULT_MAX_FRAMES, quotas = {} } = policy;
  checkMaxFrames(maxFrames);
  checkQuotas(quotas, checkSources(policy));
  const skipped: { what: string; why: string }[] = [];
  const isWanted = frameFilter(policy);
  const candidates = (await collect(parts, node, policy, skipped)).filter(isWanted);
  let ordered = await orderCandidates(parts, node, policy, candidates);
  const marks = new FrameMarks(parts);
  const read = new Map<string, ComposedFrame>();
  for (;;) {
    const chosen = chooseBySource(ordered, maxFrames, quotas);
    const unreadable = new Set<string>();
    for (const candidate of chosen) {
      const { id, source } = candidate;
      if (read.has(id)) continue;
      const found = await tryRead(parts, id);
      if ('frame' in found) read.set(id, { ...found.frame, ...(await marks.of(candidate)), source });
      else {
        unreadable.add(id);
        skipped.push({ what: id, why: found.why });
      }
    }
    const frames = chosen.flatMap(({ id }) => read.get(id) ?? []);
    if (unreadable.size === 0) return { frames, candidates: candidates.length, skipped };
    // Their places go to the next candidates.
    ordered = ordered.filter(({ id }) => !unreadable.has(id));
  }
}

/** Each frame once, under the first source that has it. */
async function collect(
  parts: ContextParts,
  { path }: NodeRecord,
  policy: CompositionPolicy,
  skipped: { what: string; why: string }[],
): Promise<Candidate[]> {
  const { tree } = parts;
  const { framesOf, framesBelow } = policy.history ? allFrames(parts) : headFrames(parts);
  const parent = parentOf(path);
  const found = new Map<string, Candidate>();
  const add = (source: CompositionSource, frames: readonly FrameSummary[]): void => {
    for (const frame of frames) if (!found.has(frame.id)) found.set(frame.id, { ...frame, source });
  };
  for (const source of checkSources(policy)) {
    if (source === 'node') add(source, await framesOf(path));
    else if (source === 'parent') add(source, parent === null ? [] : await framesOf(parent));
    else if (source === 'siblings') {
      const siblings = parent === null ? [] : await framesBelow(parent);
      add(
        source,
        siblings.filter((frame) => frame.path !== path),
      );
    } else {
      for (const name of policy.related ?? []) {
        try {
          add(source, await framesOf((await resolveNode(tree, name)).path));
        } catch (error) {
          if (!isOkaError(error)) throw error;
          skipped.push({ what: name, why: error.message });
        }
      }
    }
  }
  return [...found.values()].filter(({ erased }) => !erased);
}

interface FrameLists {
  framesOf(path: string): Promise<readonly FrameSummary[]>;
  /** The frames of a directory's children. */
  framesBelow(parent: string): Promise<readonly FrameSummary[]>;
}

function allFrames({ records }: ContextParts): FrameLists {
  return { framesOf: (path) => records.framesOf(path), framesBelow: (parent) => records.framesBelow(parent) };
}

function headFrames({ records }: ContextParts): FrameLists {
  const only = (frames: readonly FrameSummary[], heads: readonly Head[]): readonly FrameSummary[] => {
    const ids = new Set(heads.map(({ frame }) => frame));
    return frames.filter(({ id }) => ids.has(id));
  };
  return {
    framesOf: async (path) => only(await records.framesOf(path), await records.heads(path)),
    framesBelow: async (parent) => only(await records.framesBelow(parent), await records.headsBelow(parent)),
  };
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
