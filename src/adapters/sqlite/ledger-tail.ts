import {
  EMPTY_LEDGER,
  EMPTY_STREAM,
  type LedgerHead,
  type NewEnds,
  type StreamEnd,
  type Tail,
} from '../../ledger/index.ts';
import type { Database, Statement } from './driver.ts';
import type { StatementSink } from './statements.ts';

const MOST_STREAMS = 20_000;

/** Stands for the chain value of an event that is on its way, which whoever stores it makes. */
export const NOT_KNOWN_YET = '?';

interface KnownStream {
  /** Undefined while there is no such stream. */
  readonly id: number | undefined;
  end: StreamEnd;
}

/**
 * What this connection believes about the end of the ledger. It may be stale when another process has written; the
 * event store notices that by a sequence number that is taken, and then forgets all of it.
 */
export class LedgerTail implements Tail {
  readonly #database: Database;
  readonly #streams = new Map<string, KnownStream>();
  #head: LedgerHead | undefined;
  #readHead: Statement | undefined;
  #readEnd: Statement | undefined;
  #readId: Statement | undefined;
  /** The highest number of a stream. */
  #id: number | undefined;
  #forgotten = 0;
  /** Whether nothing was stored since everything was forgotten. */
  #careful = false;

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

  /**
   * A stream that is taken for new is believed to be: making it a second time fails by its name, as a view does that is stale
   * otherwise. What is asked after that is looked up.
   */
  end(stream: string, asNew = false): StreamEnd {
    if (asNew && !this.#careful && !this.#streams.has(stream))
      this.#streams.set(stream, { id: undefined, end: EMPTY_STREAM });
    return this.#load(stream).end;
  }

  /** Whether the end of the stream and of the ledger can be told without reading. */
  knows(stream: string): boolean {
    return this.#head !== undefined && this.#streams.get(stream)?.id !== undefined;
  }

  /** The stream's number. A new stream gets the next one, by a statement of the same transaction. */
  idOf(stream: string, sink: StatementSink): number {
    const known = this.#load(stream);
    if (known.id !== undefined) return known.id;
    const id = this.#lastId() + 1;
    sink.run('INSERT INTO streams (id, name) VALUES (?, ?)', id, stream);
    this.#id = id;
    this.#streams.set(stream, { id, end: EMPTY_STREAM });
    return id;
  }

  /** How often everything was forgotten: what was looked up before the last time may not be built upon. */
  get timesForgotten(): number {
    return this.#forgotten;
  }

  /** Whether something is built upon what is still on its way, so that only whoever stores that can store more. */
  get isAhead(): boolean {
    return this.#head?.hash === NOT_KNOWN_YET;
  }

  /** Takes over where a group will end that is on its way, and has at least one event. */
  expect(events: readonly { readonly seq: number; readonly stream: string; readonly index: number }[]): void {
    for (const { stream, index, seq } of events) {
      this.#head = { seq, hash: NOT_KNOWN_YET };
      const known = this.#streams.get(stream);
      if (known) known.end = { index, chain: NOT_KNOWN_YET };
    }
  }

  /** What was expected is stored; what is built upon it stays on its way. */
  settle({ head, ends }: NewEnds): void {
    if (this.#head?.seq === head.seq) this.#head = head;
    this.#careful = false;
    for (const [stream, end] of ends) {
      const known = this.#streams.get(stream);
      if (known?.end.index === end.index) known.end = end;
    }
    if (this.#streams.size > MOST_STREAMS) this.#streams.clear();
  }

  /** Takes over what a stored group has changed. */
  advance({ head, ends }: NewEnds): void {
    this.#head = head;
    this.#careful = false;
    for (const [stream, end] of ends) {
      const known = this.#streams.get(stream);
      if (known) known.end = end;
    }
    if (this.#streams.size > MOST_STREAMS) this.#streams.clear();
  }

  /** Takes over one stored event of a stream that is known. */
  follow(event: {
    readonly seq: number;
    readonly stream: string;
    readonly index: number;
    readonly chain: string;
  }): void {
    this.#head = { seq: event.seq, hash: event.chain };
    (this.#streams.get(event.stream) as KnownStream).end = { index: event.index, chain: event.chain };
  }

  forget(): void {
    this.#forgotten += 1;
    this.#careful = true;
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
