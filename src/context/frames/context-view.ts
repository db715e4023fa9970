import { didYouMean, type EpochMs, nearestName } from '../../kernel/index.ts';
import { invalid } from './frame-error.ts';
import { byAgent, byRecency, byType, type CompareFrames } from './order-frames.ts';
import type { FrameSummary } from './types.ts';

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
