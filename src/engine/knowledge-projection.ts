import { canonicalJson, type JsonObject } from '../kernel/index.ts';
import {
  type EventDraft,
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type Row,
  type RowChange,
} from '../ledger/index.ts';
import type { MemoryItem } from './ports.ts';

const PREFIX = 'knowledge/';

/** Every version of an item is in one stream, so that deleting the item finds all of them. */
export function knowledgeStream(id: string): string {
  return `${PREFIX}${id}`;
}

/** Stores or replaces an item. The text can be erased. */
export function knowledgeStored({ namespace, at, text, metadata }: MemoryItem): EventDraft {
  return {
    type: 'knowledge.stored',
    data: { namespace, at },
    body: { text, ...(metadata === undefined ? {} : { metadata }) },
  };
}

/** The table of a durable memory store. An item whose text was erased has no row. */
export const knowledgeProjection: Projection = {
  name: 'knowledge',
  tables: [
    {
      name: 'knowledge',
      columns: {
        id: 'text',
        namespace: 'text',
        text: 'text',
        lower_text: 'text',
        at: 'integer',
        metadata: 'json',
      },
      key: ['id'],
      indexes: [['namespace']],
    },
  ],
  types: new Set(['knowledge.stored', 'body.erased']),
  apply: (event) => (event.type === 'body.erased' ? erased(event) : stored(event)),
};

function stored(event: LedgerEvent): readonly RowChange[] {
  const id = event.stream.slice(PREFIX.length);
  const body = event.body as { text: string; metadata?: JsonObject } | undefined;
  if (body === undefined) return [];
  const { namespace, at } = event.data as { namespace: string; at: number };
  const { text, metadata } = body;
  const put: Row = {
    ...{ id, namespace, text, at },
    lower_text: text.toLowerCase(),
    metadata: metadata === undefined ? null : canonicalJson(metadata),
  };
  return [{ table: 'knowledge', put }];
}

function erased(event: LedgerEvent): readonly RowChange[] {
  return namedAddresses(event.data)
    .filter(({ stream }) => stream.startsWith(PREFIX))
    .map(({ stream }) => ({ table: 'knowledge', delete: { id: stream.slice(PREFIX.length) } }));
}

/** Converts a row of the folded table `knowledge`. */
export function toMemoryItem(row: Row): MemoryItem {
  const { id, namespace, text, at, metadata } = row as unknown as Omit<MemoryItem, 'metadata'> & {
    metadata: string | null;
  };
  const item = { id, namespace, text, at };
  return metadata === null ? item : { ...item, metadata: JSON.parse(metadata) as JsonObject };
}
