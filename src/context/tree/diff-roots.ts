import { groupBy, OkaError } from '../../kernel/index.ts';
import type { Blobs, RootRecords } from './ports.ts';
import { decodeDelta, joinDeltas, reverseDelta } from './tree-delta.ts';
import type { KnownRoot, NodeChange, TreeErrorCode } from './types.ts';

/** The difference between two roots, and their full ids. */
export interface RootDiff {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly NodeChange[];
  /** The indexes of the two scans in the stream, the older first; the newest scan reaches to the end. */
  readonly after: number;
  readonly until: number;
  /** `from` was scanned after `to`. */
  readonly isReversed: boolean;
}

interface Step {
  readonly delta: string;
  readonly forward: boolean;
  readonly to: string;
}

const EMPTY_TREE = '';

/** Compares two scanned roots, each named by a prefix of its id. */
export async function diffRoots(
  parts: { readonly roots: RootRecords; readonly blobs: Blobs },
  from: string,
  to: string,
): Promise<RootDiff> {
  const known = await parts.roots.all();
  const [first, last] = [resolveRoot(known, from), resolveRoot(known, to)];
  const deltas: (readonly NodeChange[])[] = [];
  for (const step of pathBetween(known, first, last)) {
    const delta = await readDelta(parts.blobs, step.delta);
    deltas.push(step.forward ? delta : reverseDelta(delta));
  }
  return { from: first, to: last, changes: joinDeltas(deltas), ...rangeOf(known, first, last) };
}

/** A root may have been scanned several times: the last scan of `to`, and the last one of `from` before it. */
function rangeOf(
  known: readonly KnownRoot[],
  from: string,
  to: string,
): Pick<RootDiff, 'after' | 'until' | 'isReversed'> {
  const indexesOf = (name: string) => known.filter(({ root }) => root === name).map(({ index }) => index);
  const second = indexesOf(to).at(-1) ?? -1;
  const first = indexesOf(from).findLast((index) => index <= second) ?? indexesOf(from).at(-1) ?? -1;
  const later = Math.max(first, second);
  const until = later === known.at(-1)?.index ? Number.MAX_SAFE_INTEGER : later;
  return { after: Math.min(first, second), until, isReversed: first > second };
}

function resolveRoot(known: readonly KnownRoot[], prefix: string): string {
  const found = new Set(known.map(({ root }) => root).filter((root) => root.startsWith(prefix)));
  const [only] = found;
  if (only !== undefined && found.size === 1) return only;
  const code: TreeErrorCode = only === undefined ? 'context.root_unknown' : 'context.root_ambiguous';
  const sentence =
    only === undefined
      ? `No root ${prefix} in this workspace. List roots: oka context roots`
      : `${found.size} roots begin with ${prefix}. Give more of the id.`;
  throw new OkaError(code, sentence, { data: { root: prefix } });
}

/** The shortest path from one root to another along deltas; every root is reachable from the empty tree. */
function pathBetween(known: readonly KnownRoot[], from: string, to: string): readonly Step[] {
  const steps = groupBy(
    known.flatMap(({ root, previous = EMPTY_TREE, delta }) => [
      { from: previous, delta, forward: true, to: root },
      { from: root, delta, forward: false, to: previous },
    ]),
    (step) => step.from,
  );
  const came = new Map<string, { readonly at: string; readonly step: Step } | undefined>([[from, undefined]]);
  for (const at of came.keys()) {
    if (at === to) break;
    for (const step of steps.get(at) ?? []) if (!came.has(step.to)) came.set(step.to, { at, step });
  }
  const way: Step[] = [];
  for (let last = came.get(to); last !== undefined; last = came.get(last.at)) way.unshift(last.step);
  return way;
}

async function readDelta(blobs: Blobs, digest: string): Promise<readonly NodeChange[]> {
  const bytes = await blobs.get(digest);
  const changes = bytes && decodeDelta(bytes);
  if (changes !== undefined) return changes;
  throw new OkaError<TreeErrorCode>(
    'context.delta_missing',
    `Cannot compare the roots: the delta ${digest} is missing or damaged. Restore .oka/objects from a backup.`,
    { data: { delta: digest } },
  );
}
