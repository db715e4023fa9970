import { canonicalJson, type Json } from '../../kernel/index.ts';
import {
  erasedAddresses,
  type LedgerEvent,
  type Projection,
  type Row,
  type RowChange,
} from '../../ledger/index.ts';
import { graphStateStream, type StateValue, writtenState } from './graph-state-events.ts';

const PREFIX = graphStateStream('');

/** What graphs remember: the newest value of each key, and every value it had. */
export const graphStateProjection: Projection = {
  name: 'graph_state',
  tables: [
    {
      name: 'graph_state',
      columns: { graph: 'text', key: 'text', value: 'json', at: 'integer', run: 'text', idx: 'integer' },
      key: ['graph', 'key'],
    },
    {
      name: 'graph_state_history',
      columns: { graph: 'text', idx: 'integer', key: 'text', value: 'json', at: 'integer', run: 'text' },
      key: ['graph', 'idx'],
      indexes: [['graph', 'key']],
    },
  ],
  types: new Set(['state.written', 'body.erased', 'stream.archived']),
  apply(event) {
    if (event.type === 'body.erased') return erased(event);
    if (event.type === 'stream.archived') return archived(event.data['stream'] as string);
    const { graph, written } = writtenState(event);
    const { key, run } = event.data as { key: string; run: string };
    const value = written === undefined ? null : canonicalJson(written.value);
    const row = { graph, key, value, at: event.at, run, idx: event.index };
    return [
      { table: 'graph_state', put: row },
      { table: 'graph_state_history', put: row },
    ];
  },
};

/** A value that was erased is gone from the key too, if it was the newest; older ones do not come back. */
function erased(event: LedgerEvent): RowChange[] {
  return erasedAddresses(event.data)
    .filter(({ stream }) => stream.startsWith(PREFIX))
    .flatMap(({ stream, index }): RowChange[] => {
      const where = { graph: stream.slice(PREFIX.length), idx: index };
      return [
        { table: 'graph_state', patch: { value: null }, where },
        { table: 'graph_state_history', patch: { value: null }, where },
      ];
    });
}

function archived(stream: string): RowChange[] {
  if (!stream.startsWith(PREFIX)) return [];
  const graph = stream.slice(PREFIX.length);
  return [
    { table: 'graph_state', delete: { graph } },
    { table: 'graph_state_history', delete: { graph } },
  ];
}

/** A row of either table; undefined when its value was erased. */
export function toStateValue(row: Row | undefined): StateValue | undefined {
  if (row === undefined || typeof row['value'] !== 'string') return undefined;
  return {
    key: row['key'] as string,
    value: JSON.parse(row['value']) as Json,
    at: row['at'] as number,
    run: row['run'] as string,
  };
}
