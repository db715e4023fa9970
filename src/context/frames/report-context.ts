import { type EpochMs, groupBy } from '../../kernel/index.ts';
import { compareTexts } from './basis.ts';
import { isStale, mayDiffer, NodeVersions } from './current-basis.ts';
import type { ContextParts, FrameTally } from './ports.ts';
import type { FrameSummary, Head } from './types.ts';

/** The state of a head relative to the tree. */
export type HeadState = 'fresh' | 'stale' | 'invalid' | 'gone';

/** The state of all frames of the workspace. */
export interface ContextReport {
  readonly root?: string;
  readonly frames: number;
  readonly bytes: number;
  readonly heads: Readonly<Record<HeadState, number>>;
  readonly byType: readonly ({ readonly type: string; readonly frames: number } & Readonly<
    Record<HeadState, number>
  >)[];
  readonly byAgent: readonly { readonly agent: string; readonly frames: number }[];
  /** Heads that are not fresh, up to a maximum. */
  readonly stale: readonly { readonly path: string; readonly type: string; readonly state: HeadState }[];
  /** Frames since a time, oldest first. */
  readonly since?: readonly FrameSummary[];
}

const MAX_LISTED = 1_000;

/** Reports the state of every head. */
export async function reportContext(
  parts: ContextParts,
  options: { readonly since?: EpochMs } = {},
): Promise<ContextReport> {
  const states = await headStates(parts);
  const tallies = await parts.records.tally();
  const root = await parts.tree.root();
  const framesBy = (column: 'type' | 'agent') =>
    [...groupBy(tallies, (tally) => tally[column])]
      .map(([name, members]) => [name, sumOf(members)] as const)
      .sort(([a], [b]) => compareTexts(a, b));
  const { since } = options;
  return {
    ...(root === undefined ? {} : { root }),
    frames: sumOf(tallies),
    bytes: tallies.reduce((sum, { bytes }) => sum + bytes, 0),
    heads: countStates(states),
    byType: framesBy('type').map(([type, frames]) => ({
      ...{ type, frames },
      ...countStates(states.filter((one) => one.type === type)),
    })),
    byAgent: framesBy('agent').map(([agent, frames]) => ({ agent, frames })),
    stale: states
      .filter(({ state }) => state !== 'fresh')
      .slice(0, MAX_LISTED)
      .map(({ path, type, state }) => ({ path, type, state })),
    ...(since === undefined ? {} : { since: await parts.records.framesSince(since, MAX_LISTED) }),
  };
}

/** Counts frames, and heads that are not fresh. */
export async function countFrames(
  parts: ContextParts,
): Promise<{ readonly frames: number; readonly staleHeads: number }> {
  const stale = (await headStates(parts)).filter(({ state }) => state !== 'fresh');
  return { frames: sumOf(await parts.records.tally()), staleHeads: stale.length };
}

/** The heads of a path and everything below it, with their states. */
export async function headStates(
  parts: ContextParts,
  scope = '',
): Promise<readonly (Head & { readonly state: HeadState })[]> {
  const quick = new Map((await parts.records.recipeHeadsWithin(scope)).map((head) => [keyOf(head), head]));
  const versions = new NodeVersions(parts.tree);
  const states: (Head & { readonly state: HeadState })[] = [];
  for (const head of await parts.records.headsWithin(scope)) {
    const version = await versions.versionOf(head.path);
    const recipe = quick.get(keyOf(head)) ?? { ...head, newestBelow: -1 };
    let state: HeadState = 'fresh';
    if (version === undefined) state = 'gone';
    else if (head.invalid) state = 'invalid';
    else if (mayDiffer(parts, recipe, version) && (await isStale(parts, head))) state = 'stale';
    states.push({ ...head, state });
  }
  return states;
}

function keyOf({ path, type }: Pick<Head, 'path' | 'type'>): string {
  return `${type} ${path}`;
}

function countStates(states: readonly { readonly state: HeadState }[]): Record<HeadState, number> {
  const counts: Record<HeadState, number> = { fresh: 0, stale: 0, invalid: 0, gone: 0 };
  for (const { state } of states) counts[state] += 1;
  return counts;
}

function sumOf(tallies: readonly FrameTally[]): number {
  return tallies.reduce((sum, { frames }) => sum + frames, 0);
}
