import { didYouMean, type EpochMs, nearestName } from '../../kernel/index.ts';
import { invalid } from './frame-error.ts';
import { byAgent, byRecency, byType, type CompareFrames } from './order-frames.ts';
import type { FrameSummary } from './types.ts';

/** Which frames are wanted. */
export interface FrameFilter {
  readonly types?: readonly string[];
  readonly agents?: readonly string[];
  readonly since?: EpochMs;
  /** Up to this moment, itself included. */
  readonly until?: EpochMs;
}

/** How a reader sees the frames of a node. */
export interface ContextView extends FrameFilter {
  readonly maxFrames?: number;
  readonly order?: string;
}

const ORDERS: Readonly<Record<string, CompareFrames>> = {
  recency: byRecency,
  type: byType(),
  agent: byAgent(),
};
const DEFAULT_MOST = 10;
/** No view and no composition gives more frames than this. */
const MOST_FRAMES = 1_000;

/** The frames that a view selects, in its order. */
export function selectFrames<Item extends FrameSummary>(
  frames: readonly Item[],
  view: ContextView = {},
): readonly Item[] {
  const { maxFrames = DEFAULT_MOST, order = 'recency' } = view;
  checkBound(maxFrames);
  const compare = Object.hasOwn(ORDERS, order) ? ORDERS[order] : undefined;
  if (compare === undefined) {
    const known = Object.keys(ORDERS);
    const hint = didYouMean(nearestName(order, known), `Known are ${known.join(', ')}.`);
    throw invalid('order', `frames cannot be ordered by "${order}". ${hint}`);
  }
  return frames.filter(fits(view)).sort(compare).slice(0, maxFrames);
}

/** Whether a frame is wanted. */
export function fits(filter: FrameFilter): (frame: FrameSummary) => boolean {
  const { types, agents, since, until } = filter;
  if (since !== undefined && until !== undefined && since > until)
    throw invalid(
      'since',
      'nothing is both since and until these moments: the first is after the second; swap them.',
    );
  return ({ type, agent, createdAt }) =>
    (types === undefined || types.includes(type)) &&
    (agents === undefined || agents.includes(agent)) &&
    (since === undefined || createdAt >= since) &&
    (until === undefined || createdAt <= until);
}

/** Refuses a bound that is none. */
export function checkBound(maxFrames: number): void {
  if (Number.isInteger(maxFrames) && maxFrames >= 0 && maxFrames <= MOST_FRAMES) return;
  throw invalid(
    'maxFrames',
    `${String(maxFrames)} frames cannot be asked for; give a whole number from 0 to ${MOST_FRAMES}.`,
  );
}
