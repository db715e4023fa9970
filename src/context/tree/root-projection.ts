import type { LedgerEvent, Projection, Row, TableSpec } from '../../ledger/index.ts';
import type { ScannedData } from './tree-events.ts';
import type { KnownRoot } from './types.ts';

const ROOTS: TableSpec = {
  name: 'context_roots',
  columns: { idx: 'integer', root: 'text', previous: 'text', delta: 'text', at: 'integer' },
  key: ['idx'],
  indexes: [['root']],
};

/** Every root that a scan has found, with the delta that leads to it. */
export const rootProjection: Projection = {
  name: 'context roots',
  tables: [ROOTS],
  types: new Set(['context.scanned']),
  apply: (event: LedgerEvent) => {
    const { root, previous, delta } = event.data as unknown as ScannedData;
    return [{ table: ROOTS.name, put: { idx: event.index, root, previous, delta, at: event.at } }];
  },
};

/** The root that a row of the table stands for. */
export function rootOfRow(row: Row): KnownRoot {
  const { root, previous, delta, at, idx } = row as unknown as Omit<KnownRoot, 'previous' | 'index'> & {
    readonly previous: string | null;
    readonly idx: number;
  };
  return { root, delta, at, index: idx, ...(previous === null ? {} : { previous }) };
}
