import type { EpochMs } from '../../kernel/index.ts';
import type { ContextParts } from './context-parts.ts';
import { isStale, mayDiffer } from './current-basis.ts';
import { NodeVersions } from './node-versions.ts';
import type { FrameTally } from './ports.ts';
import type { FrameSummary, Head } from './types.ts';

/** How a head stands to the tree. */
type HeadState = 'fresh' | 'stale' | 'invalid' | 'gone';

/** How things stand with what was said about the workspace. */
export interface ContextReport {
  readonly root?: string;
  readonly frames: number;
  readonly bytes: number;
  readonly heads: Readonly<Record<HeadState, number>>;
  readonly byType: readonly ({ readonly type: string; readonly frames: number } & Readonly<
    Record<HeadState, number>
  >)[];
  readonly byAgent: readonly { readonly agent: string; readonly frames: number }[];
  /** Heads that are not fresh, as far as the bound lets them be listed. */
  readonly stale: readonly { readonly path: string; readonly type: string; readonly state: HeadState }[];
  /** Frames since a moment, the oldest first. */
  readonly since?: readonly FrameSummary[];
}

const MOST_LISTED = 1_000;

/** Goes through every head and says how it stands. */
export async function reportContext(
  parts: ContextParts,
  options: { readonly since?: EpochMs } = {},
): Promise<ContextReport> {
  const states = await headStates(parts);
  const tallies = await parts.records.tally();
  const root = await parts.tree.root();
  const sums = (names: readonly string[], of: (tally: FrameTally) => string) =>
    names.map((name) => [name, sumOf(tallies.filter((tally) => of(tally) === name))] as const);
  const { since } = options;
  return {
    ...(root === undefined ? {} : { root }),
    frames: sumOf(tallies),
    bytes: tallies.reduce((sum, { bytes }) => sum + bytes, 0),
    heads: countStates(states),
    byType: sums(
      namesOf(tallies, ({ type }) => type),
      ({ type }) => type,
    ).map(([type, frames]) => ({
      type,
      frames,
      ...countStates(states.filter((one) => one.type === type)),
    })),
    byAgent: sums(
      namesOf(tallies, ({ agent }) => agent),
      ({ agent }) => agent,
    ).map(([agent, frames]) => ({
      agent,
      frames,
    })),
    stale: states.filter(({ state }) => state !== 'fresh').slice(0, MOST_LISTED),
    ...(since === undefined ? {} : { since: await parts.records.framesSince(since, MOST_LISTED) }),
  };
}

/** How many heads do not say what they would say now. */
export async function countFrames(
  parts: ContextParts,
): Promise<{ readonly frames: number; readonly staleHeads: number }> {
  const stale = (await headStates(parts)).filter(({ state }) => state !== 'fresh');
  return { frames: sumOf(await parts.records.tally()), staleHeads: stale.length };
}

async function headStates(parts: ContextParts) {
  const quick = new Map((await parts.records.recipeHeadsWithin('')).map((head) => [keyOf(head), head]));
  const versions = new NodeVersions(parts.tree);
  const states: { path: string; type: string; state: HeadState }[] = [];
  for (const head of await parts.records.headsWithin('')) {
    const version = await versions.versionOf(head.path);
    const { path, type } = head;
    const recipe = quick.get(keyOf(head)) ?? { ...head, newestBelow: -1 };
    let state: HeadState = 'fresh';
    if (version === undefined) state = 'gone';
    else if (head.invalid) state = 'invalid';
    else if (mayDiffer(parts, recipe, version) && (await isStale(parts, head))) state = 'stale';
    states.push({ path, type, state });
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

function namesOf(tallies: readonly FrameTally[], of: (tally: FrameTally) => string): readonly string[] {
  return [...new Set(tallies.map(of))].sort();
}
