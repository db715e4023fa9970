import {
  knowledgeStored,
  knowledgeStream,
  type MemoryItem,
  type MemoryStore,
  toMemoryItem,
} from '../../engine/index.ts';
import type { EventAddress, EventStore, SqlTables } from '../../ledger/index.ts';
import { RowReader } from './row-reader.ts';

const DEFAULT_LIMIT = 20;

export interface SqlKnowledgeOptions {
  readonly tables: SqlTables;
  readonly events: EventStore;
  /** Erases the bodies of these events permanently. */
  readonly erase: (events: readonly EventAddress[], reason: string) => Promise<void>;
  readonly actor: string;
}

/** A memory store in the ledger. Its database folds `knowledgeProjection`. */
export class SqlKnowledge extends RowReader implements MemoryStore {
  readonly #options: SqlKnowledgeOptions;

  constructor(options: SqlKnowledgeOptions) {
    super(options.tables);
    this.#options = options;
  }

  async put(item: MemoryItem): Promise<void> {
    const append = { stream: knowledgeStream(item.id), events: [knowledgeStored(item)] };
    await this.#options.events.commit({ actor: this.#options.actor, sync: 'full', appends: [append] });
  }

  async get(id: string): Promise<MemoryItem | undefined> {
    const [row] = await this.rows('SELECT * FROM knowledge WHERE id = ?', id);
    return row && toMemoryItem(row);
  }

  async search({
    text,
    namespace,
    limit = DEFAULT_LIMIT,
  }: Parameters<MemoryStore['search']>[0]): Promise<readonly MemoryItem[]> {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const conditions = [
      ...(namespace === undefined ? [] : ['namespace = ?']),
      ...words.map(() => this.dialect.contains('lower_text', '?')),
    ];
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const values = [...(namespace === undefined ? [] : [namespace]), ...words];
    const rows = await this.rows(
      `SELECT * FROM knowledge ${where} ORDER BY at DESC, id LIMIT ?`,
      ...values,
      limit,
    );
    return rows.map(toMemoryItem);
  }

  /** Erases every version of the item. */
  async delete(id: string): Promise<void> {
    const versions = await this.#options.events.read(knowledgeStream(id));
    const stored = versions.flatMap(({ stream, index, body }) =>
      body === undefined ? [] : [{ stream, index }],
    );
    if (stored.length > 0) await this.#options.erase(stored, `the item ${id} was deleted`);
  }
}
