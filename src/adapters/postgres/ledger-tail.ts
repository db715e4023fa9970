import { OkaError } from '../../kernel/index.ts';
import {
  EMPTY_LEDGER,
  EMPTY_STREAM,
  type LedgerErrorCode,
  type LedgerHead,
  type NewEnds,
  type StreamEnd,
  type Tail,
} from '../../ledger/index.ts';
import { fromStored, toStored } from './stored-text.ts';

const MAX_STREAMS = 20_000;

/** The head, the chain value at a known position, the highest stream ID, and the streams with these names, each with its ID and end. */
const READ = `SELECT h.seq, h.chain, (SELECT coalesce(max(id), 0) FROM streams) AS last_id, s.id, s.name,
    (SELECT chain FROM events WHERE seq = $2 UNION ALL SELECT chain FROM archived_events WHERE seq = $2) AS known_chain,
    coalesce(e.idx, s.archived_index, -1) AS idx, coalesce(e.chain, s.archived_chain, '') AS end_chain
  FROM (SELECT 1) AS one LEFT JOIN (SELECT seq, chain FROM events ORDER BY seq DESC LIMIT 1) h ON true
  LEFT JOIN streams s ON s.name = ANY ($1::text[])
  LEFT JOIN LATERAL (SELECT idx, chain FROM events WHERE stream_id = s.id ORDER BY idx DESC LIMIT 1) e ON true`;

interface TailRow {
  readonly seq: number | null;
  readonly chain: string | null;
  readonly last_id: number;
  readonly known_chain: string | null;
  readonly id: number | null;
  readonly name: string | null;
  readonly idx: number;
  readonly end_chain: string;
}

type Query = (text: string, values: unknown[]) => Promise<{ readonly rows: unknown[] }>;

/**
 * The ends of the ledger and of its streams, as this process knows them. They are stale after another process writes: the
 * event store then finds a taken sequence number, and reads them again.
 */
export class LedgerTail implements Tail {
  readonly #streams = new Map<string, { readonly id: number; end: StreamEnd }>();
  #head: LedgerHead | undefined;
  #lastId = 0;

  get head(): LedgerHead {
    return this.#head ?? EMPTY_LEDGER;
  }

  end(stream: string): StreamEnd {
    return this.#streams.get(stream)?.end ?? EMPTY_STREAM;
  }

  /**
   * Reads the head if it is unknown, and the ends of these streams that are unknown. A head that is read is compared with one
   * that the ledger had before.
   */
  async load(streams: readonly string[], query: Query, known: LedgerHead = EMPTY_LEDGER): Promise<void> {
    const unknown = streams.filter((stream) => !this.#streams.has(stream));
    if (this.#head !== undefined && unknown.length === 0) return;
    const rows = (await query(READ, [unknown.map(toStored), known.seq])).rows as TailRow[];
    const { seq, chain, last_id, known_chain } = rows[0] as TailRow;
    if (this.#head === undefined) {
      if (known.seq > 0 && known_chain !== known.hash) throw wentBack(known, seq ?? 0);
      this.#head = seq === null ? EMPTY_LEDGER : { seq, hash: chain ?? '' };
      this.#lastId = last_id;
    }
    for (const { id, name, idx, end_chain } of rows)
      if (id !== null && name !== null)
        this.#streams.set(fromStored(name), { id, end: { index: idx, chain: end_chain } });
  }

  /** The IDs of these streams, and which of them are new. */
  idsOf(streams: Iterable<string>): {
    readonly ids: ReadonlyMap<string, number>;
    readonly added: ReadonlyMap<string, number>;
  } {
    const ids = new Map<string, number>();
    const added = new Map<string, number>();
    for (const stream of streams) {
      if (ids.has(stream)) continue;
      const known = this.#streams.get(stream)?.id;
      const id = known ?? this.#lastId + added.size + 1;
      ids.set(stream, id);
      if (known === undefined) added.set(stream, id);
    }
    return { ids, added };
  }

  advance({ head, ends }: NewEnds, ids: ReadonlyMap<string, number>): void {
    this.#head = head;
    if (this.#streams.size > MAX_STREAMS) this.#streams.clear();
    for (const [stream, end] of ends) {
      const id = ids.get(stream) as number;
      this.#lastId = Math.max(this.#lastId, id);
      this.#streams.set(stream, { id, end });
    }
  }

  forget(): void {
    this.#head = undefined;
    this.#streams.clear();
  }
}

function wentBack(known: LedgerHead, last: number): OkaError<LedgerErrorCode> {
  const isOlder = last < known.seq;
  const what = isOlder
    ? `it ends at event ${last}, but this process knows event ${known.seq}`
    : `event ${known.seq} differs from the one that this process knows`;
  return new OkaError(
    isOlder ? 'ledger.older_than_signed' : 'ledger.rewritten',
    `Nothing was written, because the ledger on the server went back: ${what}. Stop every process that writes it, then run: oka ledger repair.`,
    { data: { known: { seq: known.seq }, found: { seq: last } } },
  );
}
