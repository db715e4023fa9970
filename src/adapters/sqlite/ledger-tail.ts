import {
  EMPTY_LEDGER,
  EMPTY_STREAM,
  type LedgerHead,
  type NewEnds,
  type StreamEnd,
  type Tail,
} from '../../ledger/index.ts';
import type { Database, Statement } from './driver.ts';
import type { PreparedStatements } from './folded-tables.ts';

const MAX_STREAMS = 20_000;

interface KnownStream {
  /** Undefined if the stream does not exist. */
  readonly id: number | undefined;
  end: StreamEnd;
}

/**
 * Caches the ends of the ledger and its streams. The cache is stale after another process writes: the event store then
 * finds a taken sequence number and calls `forget`.
 */
export class LedgerTail implements Tail {
  readonly #database: Database;
  readonly #streams = new Map<string, KnownStream>();
  #head: LedgerHead | undefined;
  #readHead: Statement | undefined;
  #readEnd: Statement | undefined;
  #readId: Statement | undefined;
  /** The highest stream ID. */
  #id: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  get head(): LedgerHead {
    if (this.#head === undefined) {
      this.#readHead ??= this.#database.prepare(
        'SELECT seq, chain AS hash FROM events ORDER BY seq DESC LIMIT 1',
      );
      this.#head = (this.#readHead.get() as LedgerHead | undefined) ?? EMPTY_LEDGER;
    }
    return this.#head;
  }

  end(stream: string): StreamEnd {
    return this.#load(stream).end;
  }

  /** The ID of the stream. A new stream gets the next one in the same transaction. */
  idOf(stream: string, statements: PreparedStatements): number {
    const known = this.#load(stream);
    if (known.id !== undefined) return known.id;
    const id = this.#lastId() + 1;
    statements.run('INSERT INTO streams (id, name) VALUES (?, ?)', id, stream);
    this.#id = id;
    this.#streams.set(stream, { id, end: EMPTY_STREAM });
    return id;
  }

  advance({ head, ends }: NewEnds): void {
    this.#head = head;
    for (const [stream, end] of ends) {
      const known = this.#streams.get(stream);
      if (known) known.end = end;
    }
    if (this.#streams.size > MAX_STREAMS) this.#streams.clear();
  }

  forget(): void {
    this.#head = undefined;
    this.#id = undefined;
    this.#streams.clear();
  }

  #lastId(): number {
    if (this.#id === undefined) {
      this.#readId ??= this.#database.prepare('SELECT coalesce(max(id), 0) AS id FROM streams');
      this.#id = (this.#readId.get() as { id: number }).id;
    }
    return this.#id;
  }

  #load(stream: string): KnownStream {
    const known = this.#streams.get(stream);
    if (known) return known;
    this.#readEnd ??= this.#database.prepare(
      `SELECT s.id AS id, coalesce(e.idx, s.archived_index, -1) AS idx, coalesce(e.chain, s.archived_chain, '') AS chain
       FROM streams s LEFT JOIN events e ON e.stream_id = s.id WHERE s.name = ? ORDER BY e.idx DESC LIMIT 1`,
    );
    const row = this.#readEnd.get(stream) as { id: number; idx: number; chain: string } | undefined;
    const loaded: KnownStream = row
      ? { id: row.id, end: { index: row.idx, chain: row.chain } }
      : { id: undefined, end: EMPTY_STREAM };
    this.#streams.set(stream, loaded);
    return loaded;
  }
}
