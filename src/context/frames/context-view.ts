import { didYouMean, type EpochMs, nearestName } from '../../kernel/index.ts';
import { compareTexts } from './basis.ts';
import { invalid } from './frame-error.ts';
import type { FrameSummary } from './types.ts';

/** A total order of frames; ties are broken by id. */
export type CompareFrames = (a: FrameSummary, b: FrameSummary) => number;

/** Newest first. */
export const byRecency: CompareFrames = (a, b) => b.createdAt - a.createdAt || compareTexts(a.id, b.id);

/** By type: listed types first, in that order, then the others by name; then newest first. */
export function byType(priority: readonly string[] = []): CompareFrames {
  return (a, b) => comparePriority(a.type, b.type, priority) || byRecency(a, b);
}

/** By agent: listed agents first, in that order, then the others by name; then newest first. */
export function byAgent(priority: readonly string[] = []): CompareFrames {
  return (a, b) => comparePriority(a.agent, b.agent, priority) || byRecency(a, b);
}

function comparePriority(a: string, b: string, priority: readonly string[]): number {
  return rankOf(a, priority) - rankOf(b, priority) || compareTexts(a, b);
}

function rankOf(name: string, priority: readonly string[]): number {
  const place = priority.indexOf(name);
  return place < 0 ? priority.length : place;
}

/** A candidate for a composition, and its source. */
export interface Candidate extends FrameSummary {
  readonly source: CompositionSource;
}

export type CompositionSource = 'node' | 'parent' | 'siblings' | 'related';

/** A registered ordering: negative if `a` comes first. Must be a pure function. */
export type CustomOrdering = (a: Candidate, b: Candidate) => number;

export interface FrameFilter {
  readonly types?: readonly string[];
  readonly agents?: readonly string[];
  readonly since?: EpochMs;
  /** Inclusive. */
  readonly until?: EpochMs;
}

/** Selects and orders the frames of a node. */
export interface ContextView extends FrameFilter {
  readonly maxFrames?: number;
  readonly order?: string;
}

const ORDERS: Readonly<Record<string, CompareFrames>> = {
  recency: byRecency,
  type: byType(),
  agent: byAgent(),
};
const DEFAULT_MAX_FRAMES = 10;
/** The maximum for views and compositions. */
const MAX_FRAMES = 1_000;

/** The frames that a view selects, in its order. */
export function selectFrames<Item extends FrameSummary>(
  frames: readonly Item[],
  view: ContextView = {},
): readonly Item[] {
  const { maxFrames = DEFAULT_MAX_FRAMES, order = 'recency' } = view;
  checkMaxFrames(maxFrames);
  const compare = Object.hasOwn(ORDERS, order) ? ORDERS[order] : undefined;
  if (compare === undefined) {
    const known = Object.keys(ORDERS);
    const hint = didYouMean(nearestName(order, known), `Known are ${known.join(', ')}.`);
    throw invalid('order', `Unknown order "${order}". ${hint}`);
  }
  return frames.filter(frameFilter(view)).sort(compare).slice(0, maxFrames);
}

export function frameFilter(filter: FrameFilter): (frame: FrameSummary) => boolean {
  const { types, agents, since, until } = filter;
  if (since !== undefined && until !== undefined && since > until)
    throw invalid('since', 'Invalid time range: since is after until. Swap them.');
  return ({ type, agent, createdAt }) =>
    (types === undefined || types.includes(type)) &&
    (agents === undefined || agents.includes(agent)) &&
    (since === undefined || createdAt >= since) &&
    (until === undefined || createdAt <= until);
}

export function checkMaxFrames(maxFrames: number): void {
  if (Number.isInteger(maxFrames) && maxFrames >= 0 && maxFrames <= MAX_FRAMES) return;
  throw invalid(
    'maxFrames',
    `Invalid maxFrames ${String(maxFrames)}: expected a whole number from 0 to ${MAX_FRAMES}.`,
  );
}
