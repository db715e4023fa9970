// Owns: the state of heads, and which outdated heads a head rests on.
import type { EpochMs } from '../../kernel/index.ts';
import { groupBy } from '../../kernel/index.ts';
import { depthOf, parentOf } from '../paths.ts';
import { compareTexts } from './basis.ts';
import { EVERY_TYPE, isStale, mayDiffer, nodeNow } from './current-basis.ts';
import type { ContextParts, RecipeHead } from './ports.ts';
import type { Head } from './types.ts';

export const HEAD_STATES = ['fresh', 'stale', 'rests_on_stale', 'invalid', 'gone', 'not_checked'] as const;

/**
 * The state of a head. `rests_on_stale`: its own basis is current, but a frame that it was built from is outdated.
 * `not_checked`: its path could not be compared with the disk.
 */
export type HeadState = (typeof HEAD_STATES)[number];

/** A head, its state, and the outdated heads below that it was built from, directly or not. */
export interface StatedHead extends Head {
  readonly state: HeadState;
  /** Of a head that is not checked: when its path was last scanned. */
  readonly uncheckedSince?: EpochMs;
  readonly causes: readonly StatedHead[];
}

/** An outdated head that another head was built from. */
interface StaleCause {
  readonly path: string;
  readonly type: string;
  readonly state: HeadState;
  /** When it became outdated; missing if the record of the scan is lost. */
  readonly since?: EpochMs;
}

/** The outdated heads that a head was built from. */
export interface RestsOnStale {
  readonly count: number;
  /** The earliest time of all of them. */
  readonly since?: EpochMs;
  /** By path, up to a maximum. */
  readonly heads: readonly StaleCause[];
}

const MAX_CAUSES = 20;

/** The states of the heads of a path and of everything below it, ordered by path and type. */
export async function headStates(parts: ContextParts, scope = ''): Promise<readonly StatedHead[]> {
  const own = await ownStates(parts, scope);
  const below = groupBy(own, ({ path }) => parentOf(path));
  const stated = new Map<string, StatedHead>();
  // Deepest first, so that the causes of children are known.
  for (const head of [...own].sort((a, b) => depthOf(b.path) - depthOf(a.path))) {
    const children = (below.get(head.path) ?? []).flatMap((child) => stated.get(keyOf(child)) ?? []);
    const causes = await causesOf(parts, head, children);
    const state = head.state === 'fresh' && causes.length > 0 ? 'rests_on_stale' : head.state;
    stated.set(keyOf(head), { ...head, state, causes });
  }
  return own.flatMap((head) => stated.get(keyOf(head)) ?? []);
}

type OwnState = Head &
  Pick<StatedHead, 'uncheckedSince'> & { readonly state: Exclude<HeadState, 'rests_on_stale'> };

/** The states without regard to the frames that heads were built from. */
async function ownStates(parts: ContextParts, scope: string): Promise<readonly OwnState[]> {
  const quick = new Map((await parts.records.recipeHeadsWithin(scope)).map((head) => [keyOf(head), head]));
  const heads = await parts.records.headsWithin(scope);
  await parts.tree.compare(heads.map(({ path }) => path));
  const states: OwnState[] = [];
  for (const head of heads) {
    const recipe = quick.get(keyOf(head)) ?? { ...head, newestBelow: -1 };
    states.push({ ...head, ...(await ownState(parts, head, recipe)) });
  }
  return states;
}

/** The state of one head without regard to the frames that it was built from. */
export async function ownState(
  parts: Pick<ContextParts, 'tree' | 'records' | 'policies'>,
  head: Head,
  recipe: RecipeHead = { ...head, newestBelow: -1 },
): Promise<Pick<OwnState, 'state' | 'uncheckedSince'>> {
  const { id, unchecked } = await nodeNow(parts.tree, head.path);
  if (unchecked !== undefined && !head.invalid)
    return {
      state: 'not_checked',
      ...(unchecked.since !== undefined && { uncheckedSince: unchecked.since }),
    };
  if (id === undefined) return { state: 'gone' };
  if (head.invalid) return { state: 'invalid' };
  return { state: mayDiffer(parts, recipe, id) && (await isStale(parts, head)) ? 'stale' : 'fresh' };
}

async function causesOf(
  { records }: Pick<ContextParts, 'records'>,
  { type, recipe, state, frame }: OwnState,
  children: readonly StatedHead[],
): Promise<readonly StatedHead[]> {
  if (recipe === 'none') return [];
  const outdated = children.filter(
    (child) =>
      child.usable &&
      child.state !== 'fresh' &&
      child.state !== 'not_checked' &&
      // A fresh head was built from the children that exist.
      (state !== 'fresh' || child.state !== 'gone') &&
      (type === EVERY_TYPE || child.type === type),
  );
  if (outdated.length === 0) return [];
  // The basis of a fresh head has every head below; an older basis may have others.
  const basis = state === 'fresh' ? undefined : (await records.frame(frame))?.basis;
  const used =
    basis === undefined || basis.kind === 'node' ? undefined : new Set(basis.children.map(([, id]) => id));
  const causes = new Map<string, StatedHead>();
  for (const child of outdated) {
    if (used?.has(child.frame) === false) continue;
    const isCause =
      child.state !== 'rests_on_stale' && (child.causes.length === 0 || child.state !== 'stale');
    for (const cause of isCause ? [child, ...child.causes] : child.causes) causes.set(keyOf(cause), cause);
  }
  return [...causes.values()].sort((a, b) => compareTexts(a.path, b.path) || compareTexts(a.type, b.type));
}

/** Describes what a head rests on; remembers the times that it has looked up. */
export class StaleCauses {
  readonly #parts: ContextParts;
  readonly #times: ReturnType<NonNullable<ContextParts['changeTimes']>> | undefined;
  readonly #since = new Map<string, EpochMs | undefined>();

  constructor(parts: ContextParts) {
    this.#parts = parts;
    this.#times = parts.changeTimes?.();
  }

  /** Nothing for a head that rests on no outdated one. */
  async mark(
    { causes }: Pick<StatedHead, 'causes'>,
    limit = MAX_CAUSES,
  ): Promise<{ readonly restsOnStale?: RestsOnStale }> {
    if (causes.length === 0) return {};
    const all: StaleCause[] = [];
    for (const cause of causes) {
      const since = await this.#sinceOf(cause);
      const { path, type, state } = cause;
      all.push({ path, type, state, ...(since === undefined ? {} : { since }) });
    }
    const times = all.flatMap(({ since }) => since ?? []);
    const earliest = times.length === 0 ? {} : { since: times.reduce((a, b) => Math.min(a, b)) };
    return { restsOnStale: { count: all.length, ...earliest, heads: all.slice(0, limit) } };
  }

  async #sinceOf(head: Head): Promise<EpochMs | undefined> {
    const key = keyOf(head);
    if (!this.#since.has(key)) this.#since.set(key, await this.#findSince(head));
    return this.#since.get(key);
  }

  async #findSince(head: Head): Promise<EpochMs | undefined> {
    if (head.invalid) return head.invalidAt;
    if (head.recipe !== 'none') {
      const type = head.type === EVERY_TYPE ? undefined : head.type;
      const moved = (await this.#parts.records.headsBelow(head.path, type)).filter(
        ({ index }) => index > head.index,
      );
      if (moved.length > 0) return Math.min(...moved.map(({ at }) => at));
    }
    return this.#times?.leftAt(head.path, head.node, head.at);
  }
}

function keyOf({ path, type }: Pick<Head, 'path' | 'type'>): string {
  return `${type} ${path}`;
}
