import { canonicalJson, type EpochMs, type Json } from '../../kernel/index.ts';
import {
  type EventDraft,
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type Row,
  type RowChange,
} from '../../ledger/index.ts';

const PREFIX = 'state/';

/** The stream of the values that a graph stores across runs. */
export function graphStateStream(graph: string): string {
  return `${PREFIX}${graph}`;
}

/** The event that a key got a value. */
export function stateWritten(write: {
  readonly key: string;
  readonly value: Json;
  readonly run: string;
  readonly step: number;
  /** The run had read untrusted content. */
  readonly untrusted?: boolean;
}): EventDraft {
  const { key, value, run, step, untrusted } = write;
  const data = { key, run, step, ...(untrusted ? { untrusted } : {}) };
  return { type: 'state.written', data, body: { value } };
}

/** A value of a key, and when which run wrote it. */
export interface StateValue {
  readonly key: string;
  readonly value: Json;
  readonly at: EpochMs;
  readonly run: string;
  /** The run that wrote it had read untrusted content. */
  readonly untrusted?: true;
}

/** The state of graphs: the newest value of each key, and its history. */
export const graphStateProjection: Projection = {
  name: 'graph_state',
  tables: [
    {
      name: 'graph_state',
      columns: {
        graph: 'text',
        key: 'text',
        value: 'json',
        at: 'integer',
        run: 'text',
        idx: 'integer',
        untrusted: 'integer',
      },
      key: ['graph', 'key'],
    },
    {
      name: 'graph_state_history',
      columns: {
        graph: 'text',
        idx: 'integer',
        key: 'text',
        value: 'json',
        at: 'integer',
        run: 'text',
        untrusted: 'integer',
      },
      key: ['graph', 'idx'],
      indexes: [['graph', 'key']],
    },
  ],
  types: new Set(['state.written', 'body.erased', 'stream.archived']),
  apply(event) {
    if (event.type === 'body.erased') return erased(event);
    if (event.type === 'stream.archived') return archived(event.data['stream'] as string);
    const { key, run, untrusted } = event.data as { key: string; run: string; untrusted?: true };
    const body = event.body as { value: Json } | undefined;
    const value = body === undefined ? null : canonicalJson(body.value);
    const graph = event.stream.slice(PREFIX.length);
    const row = { graph, key, value, at: event.at, run, idx: event.index, untrusted: untrusted ? 1 : 0 };
    return [
      { table: 'graph_state', put: row },
      { table: 'graph_state_history', put: row },
    ];
  },
};

/** Erasing the newest value leaves the key without one; older values do not come back. */
function erased(event: LedgerEvent): RowChange[] {
  return namedAddresses(event.data)
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

/** The value in a row of either table; undefined when it was erased. */
export function toStateValue(row: Row | undefined): StateValue | undefined {
  if (row === undefined || typeof row['value'] !== 'string') return undefined;
  return {
    key: row['key'] as string,
    value: JSON.parse(row['value']) as Json,
    at: row['at'] as number,
    run: row['run'] as string,
    ...(row['untrusted'] === 1 ? { untrusted: true } : {}),
  };
}
