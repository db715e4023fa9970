import type { EventStore, LedgerEvent, Projection, Row, TableSpec } from '../../ledger/index.ts';
import type { Blobs, RootRecords } from './ports.ts';
import type { TreeDelta } from './tree-delta.ts';
import type { KnownRoot, SkippedPath, TreeCounts } from './types.ts';

/**
 * Records a new root in the ledger: the delta as a blob, then one event. Must run before the index commits: after a
 * crash in between, the next scan starts from the older root.
 */
export async function recordScan(
  parts: { readonly events: EventStore; readonly blobs: Blobs; readonly roots: RootRecords },
  outcome: ScanOutcome,
  actor: string,
): Promise<boolean> {
  if ((await parts.roots.newest())?.root === outcome.root) return false;
  const delta = await parts.blobs.put(outcome.delta.bytes());
  const data: ScannedData = {
    root: outcome.root,
    previous: outcome.previous ?? null,
    delta,
    nodes: outcome.delta.length,
    ...outcome.counts,
  };
  await parts.events.commit({
    actor,
    sync: 'normal',
    appends: [{ stream: CONTEXT_STREAM, events: [{ type: 'context.scanned', data: { ...data } }] }],
  });
  return true;
}

export interface ScanOutcome {
  readonly root: string;
  /** The root that the delta starts from; undefined if the tree was empty. */
  readonly previous?: string;
  readonly delta: TreeDelta;
  readonly counts: TreeCounts;
  readonly skipped: readonly SkippedPath[];
  /** The number of files read. */
  readonly read: number;
}

export const CONTEXT_STREAM = 'context';

/** The data of `context.scanned`. */
interface ScannedData extends TreeCounts {
  readonly root: string;
  /** The root that the delta starts from; null for the empty tree. */
  readonly previous: string | null;
  /** The digest of the blob with the delta. */
  readonly delta: string;
  readonly nodes: number;
}

const ROOTS: TableSpec = {
  name: 'context_roots',
  columns: { idx: 'integer', root: 'text', previous: 'text', delta: 'text', at: 'integer' },
  key: ['idx'],
  indexes: [['root']],
};

/** The table of all scanned roots, with the deltas that lead to them. */
export const rootProjection: Projection = {
  name: 'context roots',
  tables: [ROOTS],
  types: new Set(['context.scanned']),
  apply: (event: LedgerEvent) => {
    const { root, previous, delta } = event.data as unknown as ScannedData;
    return [{ table: ROOTS.name, put: { idx: event.index, root, previous, delta, at: event.at } }];
  },
};

export function rootOfRow(row: Row): KnownRoot {
  const { root, previous, delta, at, idx } = row as unknown as Omit<KnownRoot, 'previous' | 'index'> & {
    readonly previous: string | null;
    readonly idx: number;
  };
  return { root, delta, at, index: idx, ...(previous === null ? {} : { previous }) };
}
