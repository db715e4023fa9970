import { OkaError } from '../../kernel/index.ts';
import type { Blobs, RootRecords } from './ports.ts';
import { decodeDelta, joinDeltas, reverseDelta } from './tree-delta.ts';
import type { KnownRoot, NodeChange, TreeErrorCode } from './types.ts';

/** The difference between two roots, and what they are in full. */
export interface RootDiff {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly NodeChange[];
}

interface Step {
  readonly delta: string;
  readonly forward: boolean;
  readonly to: string;
}

const NOTHING = '';

/** What differs between two roots that scans have found; each is named by the beginning of its id. */
export async function diffRoots(
  parts: { readonly roots: RootRecords; readonly blobs: Blobs },
  from: string,
  to: string,
): Promise<RootDiff> {
  const known = await parts.roots.all();
  const [first, last] = [resolveRoot(known, from), resolveRoot(known, to)];
  const deltas: (readonly NodeChange[])[] = [];
  for (const step of wayBetween(known, first, last)) {
    const delta = await readDelta(parts.blobs, step.delta);
    deltas.push(step.forward ? delta : reverseDelta(delta));
  }
  return { from: first, to: last, changes: joinDeltas(deltas) };
}

function resolveRoot(known: readonly KnownRoot[], prefix: string): string {
  const found = new Set(known.map(({ root }) => root).filter((root) => root.startsWith(prefix)));
  const [only] = found;
  if (only !== undefined && found.size === 1) return only;
  const code: TreeErrorCode = only === undefined ? 'context.root_unknown' : 'context.root_ambiguous';
  const sentence =
    only === undefined
      ? `no scan of this workspace has found a root ${prefix}; see those it has found with: oka context roots.`
      : `${found.size} roots begin with ${prefix}; give more of the one that is meant.`;
  throw new OkaError(code, sentence, { data: { root: prefix } });
}

/** The shortest way from one root to another along deltas; every root is reached from nothing. */
function wayBetween(known: readonly KnownRoot[], from: string, to: string): readonly Step[] {
  const steps = new Map<string, Step[]>();
  const add = (at: string, step: Step): void => {
    const there = steps.get(at);
    if (there === undefined) steps.set(at, [step]);
    else there.push(step);
  };
  for (const { root, previous = NOTHING, delta } of known) {
    add(previous, { delta, forward: true, to: root });
    add(root, { delta, forward: false, to: previous });
  }
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
  const code: TreeErrorCode = 'context.delta_missing';
  throw new OkaError(
    code,
    `the delta ${digest} between two roots is missing or damaged, so they cannot be compared; restore .oka/objects from a backup.`,
    { data: { delta: digest } },
  );
}
