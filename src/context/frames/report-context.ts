import { type EpochMs, groupBy } from '../../kernel/index.ts';
import { compareTexts } from './basis.ts';
import { HEAD_STATES, type HeadState, headStates, type RestsOnStale, StaleCauses } from './head-states.ts';
import type { ContextParts, FrameTally } from './ports.ts';
import type { FrameSummary } from './types.ts';

type StateCounts = Readonly<Record<HeadState, number>>;

/** The numbers that `status` and `report` share. */
export interface FrameCounts {
  readonly frames: number;
  readonly frameBytes: number;
  readonly heads: StateCounts;
}

/** The state of all frames of the workspace. */
export interface ContextReport extends FrameCounts {
  readonly byType: readonly ({ readonly type: string; readonly frames: number } & StateCounts)[];
  readonly byAgent: readonly { readonly agent: string; readonly frames: number }[];
  /** Heads that are not fresh, up to a maximum. */
  readonly notFresh: readonly {
    readonly path: string;
    readonly type: string;
    readonly state: HeadState;
    readonly uncheckedSince?: EpochMs;
    readonly restsOnStale?: RestsOnStale;
  }[];
  /** Frames since a time, oldest first. */
  readonly since?: readonly FrameSummary[];
}

const MAX_LISTED = 1_000;
const MAX_CAUSES_LISTED = 3;

/** Reports the state of every head. */
export async function reportContext(
  parts: ContextParts,
  options: { readonly since?: EpochMs } = {},
): Promise<ContextReport> {
  const states = await headStates(parts);
  const tallies = await parts.records.tally();
  const framesBy = (column: 'type' | 'agent') =>
    [...groupBy(tallies, (tally) => tally[column])]
      .map(([name, members]) => [name, sumOf(members)] as const)
      .sort(([a], [b]) => compareTexts(a, b));
  const causes = new StaleCauses(parts);
  const notFresh: ContextReport['notFresh'][number][] = [];
  for (const head of states.filter(({ state }) => state !== 'fresh').slice(0, MAX_LISTED)) {
    const { path, type, state, uncheckedSince } = head;
    const since = uncheckedSince === undefined ? {} : { uncheckedSince };
    notFresh.push({ path, type, state, ...since, ...(await causes.mark(head, MAX_CAUSES_LISTED)) });
  }
  const { since } = options;
  return {
    ...totals(tallies, states),
    byType: framesBy('type').map(([type, frames]) => ({
      ...{ type, frames },
      ...countStates(states.filter((one) => one.type === type)),
    })),
    byAgent: framesBy('agent').map(([agent, frames]) => ({ agent, frames })),
    notFresh,
    ...(since === undefined ? {} : { since: await parts.records.framesSince(since, MAX_LISTED) }),
  };
}

/** Counts frames, and heads by state. */
export async function countFrames(parts: ContextParts): Promise<FrameCounts> {
  return totals(await parts.records.tally(), await headStates(parts));
}

function totals(
  tallies: readonly FrameTally[],
  states: readonly { readonly state: HeadState }[],
): FrameCounts {
  return {
    frames: sumOf(tallies),
    frameBytes: tallies.reduce((sum, { bytes }) => sum + bytes, 0),
    heads: countStates(states),
  };
}

function countStates(states: readonly { readonly state: HeadState }[]): StateCounts {
  const counts = Object.fromEntries(HEAD_STATES.map((state) => [state, 0])) as Record<HeadState, number>;
  for (const { state } of states) counts[state] += 1;
  return counts;
}

function sumOf(tallies: readonly FrameTally[]): number {
  return tallies.reduce((sum, { frames }) => sum + frames, 0);
}
