import { didYouMean, isOkaError, nearestName } from '../../kernel/index.ts';
import type { NodeRecord } from '../types.ts';
import type { ContextParts } from './context-parts.ts';
import { checkBound, type FrameFilter, fits } from './context-view.ts';
import { frameError, invalid } from './frame-error.ts';
import {
  byAgent,
  byRecency,
  byType,
  type Candidate,
  type CompositionSource,
  type CustomOrdering,
} from './order-frames.ts';
import { parentOf } from './paths.ts';
import { tryReadFrame } from './read-content.ts';
import { resolveNode } from './resolve-node.ts';
import { scoreRelevance } from './score-relevance.ts';
import type { Frame, FrameSummary } from './types.ts';

/** How frames of several nodes are put together for a reader. */
export interface CompositionPolicy extends FrameFilter {
  readonly maxFrames?: number;
  /** Node, parent and siblings unless told; with related nodes also these. */
  readonly sources?: readonly string[];
  /** The nodes of the source `related`, by path or id. */
  readonly related?: readonly string[];
  readonly order?: string;
  readonly typePriority?: readonly string[];
  readonly agentPriority?: readonly string[];
  /** What is wanted, for the order `relevance`; the node's own name and frames unless told. */
  readonly query?: string;
}

/** A frame of a composition, and where it comes from. */
interface ComposedFrame extends Frame {
  readonly source: CompositionSource;
}

export interface Composition {
  readonly frames: readonly ComposedFrame[];
  /** How many fitted, whatever the bound. */
  readonly candidates: number;
  /** What could not be read or was not found; it stops nothing. */
  readonly skipped: readonly { readonly what: string; readonly why: string }[];
}

const SOURCES: readonly CompositionSource[] = ['node', 'parent', 'siblings', 'related'];
const DEFAULT_SOURCES: readonly CompositionSource[] = ['node', 'parent', 'siblings'];
const ORDERS = ['recency', 'type', 'agent', 'relevance'];
const DEFAULT_MOST = 100;
/** So many of the newest candidates are read to find how relevant they are. */
const MOST_SCORED = 500;

/** Puts together what is known around a node. Writes nothing. */
export async function compose(
  parts: ContextParts,
  node: NodeRecord,
  policy: CompositionPolicy,
): Promise<Composition> {
  const { maxFrames = DEFAULT_MOST } = policy;
  checkBound(maxFrames);
  const skipped: { what: string; why: string }[] = [];
  const wanted = fits(policy);
  const candidates = (await collect(parts, node, policy, skipped)).filter(wanted);
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
      const beside = parent === null ? [] : await records.framesBelow(parent);
      add(
        source,
        beside.filter((frame) => frame.path !== path),
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
    throw invalid('sources', `frames do not come from "${source}". ${hint}`);
  }
  // Always in the same order, so that a frame of two sources has the same one however they were listed.
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
  throw frameError('context.ordering_unknown', `a composition cannot be ordered by "${order}". ${hint}`, {
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
  for (const { id, path } of newest.slice(0, MOST_SCORED)) {
    const read = await tryRead(parts, id);
    if ('frame' in read) texts.set(id, `${path}\n${read.frame.content}`);
  }
  const own = newest.filter(({ source }) => source === 'node').map(({ id }) => texts.get(id) ?? '');
  const scores = scoreRelevance(query ?? [node.path, ...own].join('\n'), texts);
  return newest.sort((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0) || byRecency(a, b));
}

/** A frame that is missing or damaged is passed over; what is wrong with it is for `validate` to say. */
async function tryRead(
  { records, blobs }: ContextParts,
  id: string,
): Promise<{ readonly frame: Frame } | { readonly why: string }> {
  const record = await records.frame(id);
  return record === undefined ? { why: 'the frame is missing' } : tryReadFrame(blobs, record);
}
