import type { MemoryItem, MemoryStore } from '../../engine/index.ts';
import { canonicalJson, type JsonObject } from '../../kernel/index.ts';
import { type EventStore, erasedAddresses, type Projection, type RowChange } from '../../ledger/index.ts';
import type { Database } from './driver.ts';

const STREAM_PREFIX = 'memory/';

/** Knowledge is folded from its own events, like every other table. */
export const knowledgeProjection: Projection = {
  name: 'knowledge',
  tables: [
    {
      name: 'knowledge',
      columns: {
        id: 'text',
        namespace: 'text',
        idx: 'integer',
        text: 'text',
        at: 'integer',
        metadata: 'json',
      },
      key: ['id'],
      indexes: [['namespace']],
    },
  ],
  types: new Set(['knowledge.stored', 'knowledge.deleted', 'body.erased', 'stream.archived']),
  apply(event): readonly RowChange[] {
    if (event.type === 'body.erased') return erased(event.data);
    if (event.type === 'stream.archived') return archived(event.data['stream'] as string);
    const id = event.data['id'] as string;
    const body = event.body as { text: string; metadata?: JsonObject } | undefined;
    if (event.type === 'knowledge.deleted' || body === undefined)
      return [{ table: 'knowledge', delete: { id } }];
    const { namespace, at } = event.data as { namespace: string; at: number };
    return [
      {
        table: 'knowledge',
        put: {
          id,
          namespace,
          idx: event.index,
          text: body.text,
          at,
          metadata: body.metadata ? canonicalJson(body.metadata) : null,
        },
      },
    ];
  },
};

function erased(data: JsonObject): RowChange[] {
  return erasedAddresses(data)
    .filter(({ stream }) => stream.startsWith(STREAM_PREFIX))
    .map(({ stream, index }) => ({
      table: 'knowledge',
      delete: { namespace: stream.slice(STREAM_PREFIX.length), idx: index },
    }));
}

function archived(stream: string): RowChange[] {
  if (!stream.startsWith(STREAM_PREFIX)) return [];
  return [{ table: 'knowledge', delete: { namespace: stream.slice(STREAM_PREFIX.length) } }];
}

/** Stores knowledge in the ledger and finds it in the folded table. */
export class SqliteKnowledge implements MemoryStore {
  readonly #database: Database;
  readonly #events: EventStore;

  constructor(database: Database, events: EventStore) {
    this.#database = database;
    this.#events = events;
  }

  async put(item: MemoryItem): Promise<void> {
    const body = { text: item.text, ...(item.metadata ? { metadata: item.metadata } : {}) };
    const data = { id: item.id, namespace: item.namespace, at: item.at };
    await this.#append(item.namespace, { type: 'knowledge.stored', data, body });
  }

  async get(id: string): Promise<MemoryItem | undefined> {
    const row = this.#database.prepare('SELECT * FROM knowledge WHERE id = ?').get(id) as
      | KnowledgeRow
      | undefined;
    return row && toItem(row);
  }

  async search(query: Parameters<MemoryStore['search']>[0]): Promise<readonly MemoryItem[]> {
    const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = this.#database
      .prepare(
        `SELECT * FROM knowledge WHERE (?1 IS NULL OR namespace = ?1)
         AND NOT EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(lower(text), value) = 0) ORDER BY at DESC, id LIMIT ?3`,
      )
      .all(query.namespace ?? null, JSON.stringify(words), query.limit ?? 20) as unknown as KnowledgeRow[];
    return rows.map(toItem);
  }

  async delete(id: string): Promise<void> {
    const item = await this.get(id);
    if (item) await this.#append(item.namespace, { type: 'knowledge.deleted', data: { id } });
  }

  async #append(
    namespace: string,
    event: { type: string; data: JsonObject; body?: JsonObject },
  ): Promise<void> {
    await this.#events.commit({
      actor: 'memory',
      sync: 'full',
      appends: [{ stream: `${STREAM_PREFIX}${namespace}`, events: [event] }],
    });
  }
}

interface KnowledgeRow {
  readonly id: string;
  readonly namespace: string;
  readonly text: string;
  readonly at: number;
  readonly metadata: string | null;
}

function toItem(row: KnowledgeRow): MemoryItem {
  const metadata = row.metadata === null ? {} : { metadata: JSON.parse(row.metadata) as JsonObject };
  return { id: row.id, namespace: row.namespace, text: row.text, at: row.at, ...metadata };
}
