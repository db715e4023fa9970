// Owns: reading the whole ledger, and verifying the database file, the chain and the folded tables. Read-only.
import { DatabaseSync } from '@photostructure/sqlite';
import {
  type ArchivedRecord,
  type ChainReport,
  type ChainStart,
  ChainVerifier,
  EMPTY_LEDGER,
  EMPTY_STREAM,
  type Fault,
  LedgerEvent,
  type LedgerHead,
  type MirrorRecord,
  type Projection,
  placeOf,
  type StreamEnd,
} from '../../ledger/index.ts';
import { compareTables, fileFaults } from './check-file.ts';
import { arrays, type Database } from './driver.ts';
import { EVENT_COLUMNS, type EventRow, toRecord } from './event-rows.ts';
import { FoldedTables } from './folded-tables.ts';
import { absentChains } from './record-writer.ts';

const BATCH = 1_000;

const READ_EVENTS = `SELECT ${EVENT_COLUMNS} FROM events e JOIN streams s ON s.id = e.stream_id
  WHERE e.seq > ? ORDER BY e.seq LIMIT ${BATCH}`;

export interface LedgerCheck {
  readonly report: ChainReport;
  readonly faults: readonly Fault[];
}

export interface CheckOptions {
  /** Verifies only the chain after this head: neither the file nor its tables. */
  readonly after?: LedgerHead;
  /** Called with every verified event. */
  readonly onEvent?: (event: LedgerEvent) => void;
}

/** The ledger as one connection sees it. Use it inside a read transaction for one consistent view. */
export class LedgerView {
  readonly #database: Database;
  readonly #projections: readonly Projection[];

  constructor(database: Database, projections: readonly Projection[]) {
    this.#database = database;
    this.#projections = projections;
  }

  head(): LedgerHead {
    const row = this.#database
      .prepare('SELECT seq, chain AS hash FROM events ORDER BY seq DESC LIMIT 1')
      .get() as LedgerHead | undefined;
    return row ? { ...row } : EMPTY_LEDGER;
  }

  /** The chain value at a position; undefined if the ledger has none. */
  chainAt(seq: number): string | undefined {
    if (seq === EMPTY_LEDGER.seq) return EMPTY_LEDGER.hash;
    const row = this.#database
      .prepare(
        'SELECT chain FROM events WHERE seq = ? UNION ALL SELECT chain FROM archived_events WHERE seq = ?',
      )
      .get(seq, seq) as { chain: string } | undefined;
    return row?.chain;
  }

  counts(): { readonly events: number; readonly archived: number; readonly streams: number } {
    const row = this.#database
      .prepare(
        `SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM archived_events) AS archived,
         (SELECT count(*) FROM streams) AS streams`,
      )
      .get();
    return { ...(row as { events: number; archived: number; streams: number }) };
  }

  /** The blobs that are recorded as lost. */
  lostBlobs(): ReadonlySet<string> {
    const rows = this.#database.prepare("SELECT data FROM events WHERE type = 'blobs.lost'").all() as {
      data: string;
    }[];
    return new Set(rows.flatMap(({ data }) => (JSON.parse(data) as { digests: string[] }).digests));
  }

  /** All records after a position in order of seq, including archived ones. */
  *records(afterSeq = 0): Generator<MirrorRecord> {
    const read = arrays(this.#database.prepare(READ_EVENTS));
    const gaps = this.#database.prepare(
      'SELECT seq, chain FROM archived_events WHERE seq > ? AND seq < ? ORDER BY seq',
    );
    let seq = afterSeq;
    for (;;) {
      const rows = read.all(seq) as unknown as EventRow[];
      for (const row of rows) {
        if (row[0] > seq + 1)
          for (const gap of gaps.all(seq, row[0]) as unknown as ArchivedRecord[])
            yield { archived: { ...gap } };
        seq = row[0];
        yield { event: toRecord(row) };
      }
      if (rows.length < BATCH) return;
    }
  }

  /** As `records`, for a damaged file: skips what cannot be read. */
  *readableRecords(): Generator<MirrorRecord> {
    const upTo = this.#lastSeq();
    for (let seq = 0; seq < upTo; ) {
      try {
        for (const record of this.records(seq)) {
          yield record;
          seq = placeOf(record).seq;
        }
        return;
      } catch {
        // Reads the rest of this batch one by one to skip the damage.
        let isEmpty = true;
        for (const end = Math.min(upTo, seq + BATCH); seq < end; seq++) {
          const record = this.#readOne(seq + 1);
          if (record === undefined) continue;
          isEmpty = false;
          yield record;
        }
        if (isEmpty) return;
      }
    }
  }

  /** A damaged file may reject the query; reading then ends with the first unreadable batch. */
  #lastSeq(): number {
    try {
      return this.head().seq;
    } catch {
      return Number.MAX_SAFE_INTEGER;
    }
  }

  #readOne(seq: number): MirrorRecord | undefined {
    try {
      const sql = `SELECT ${EVENT_COLUMNS} FROM events e JOIN streams s ON s.id = e.stream_id WHERE e.seq = ?`;
      const row = arrays(this.#database.prepare(sql)).get(seq) as unknown as EventRow | undefined;
      if (row) return { event: toRecord(row) };
      const archived = this.#database
        .prepare('SELECT seq, chain FROM archived_events WHERE seq = ?')
        .get(seq) as ArchivedRecord | undefined;
      return archived && { archived: { ...archived } };
    } catch {
      return undefined;
    }
  }

  /** Verifies the chain; without `after` also the file and every folded table. Yields the seq reached. */
  *check({ after, onEvent }: CheckOptions = {}): Generator<number, LedgerCheck> {
    const faults: Fault[] = [];
    const verifier = new ChainVerifier(after && this.#startAt(after));
    const memory = new DatabaseSync(':memory:');
    try {
      // Tables depend on every event, so they can only be compared where all are read.
      const folded = after === undefined ? new FoldedTables(memory, this.#projections) : undefined;
      folded?.ensure();
      memory.exec('BEGIN');
      if (folded !== undefined) faults.push(...fileFaults(this.#database));
      for (const record of this.records(after?.seq)) {
        verifier.add(record);
        if ('event' in record) {
          const event = new LedgerEvent(record.event);
          folded?.apply(event);
          onEvent?.(event);
        }
        const { seq } = placeOf(record);
        if (seq % BATCH === 0) yield seq;
      }
      if (folded !== undefined)
        faults.push(...this.#checkStreams(), ...compareTables(folded.specs, this.#database, memory));
    } catch (error) {
      faults.unshift({ where: 'database', what: `cannot be read: ${(error as Error).message}` });
    } finally {
      memory.close();
    }
    const report = verifier.report();
    return { report, faults: [...report.faults, ...faults] };
  }

  /** A stream has events or a tombstone, which names its end, because an archived stream may be continued. */
  #checkStreams(): Fault[] {
    const rows = this.#database
      .prepare(
        `WITH tombstones AS MATERIALIZED (SELECT data ->> 'stream' AS name, max(seq), data ->> 'lastIndex' AS idx,
           data ->> 'chain' AS chain FROM events WHERE type = 'stream.archived' GROUP BY 1)
         SELECT coalesce(s.name, t.name) AS name FROM streams s FULL JOIN tombstones t ON t.name = s.name
         WHERE s.archived_index IS NOT t.idx OR s.archived_chain IS NOT t.chain
           OR t.name IS NULL AND NOT EXISTS (SELECT 1 FROM events e WHERE e.stream_id = s.id)`,
      )
      .all() as { name: string }[];
    return rows.map(({ name }) => ({
      where: `table streams, row ${name}`,
      what: 'differs from what its events say',
    }));
  }

  #startAt(head: LedgerHead): ChainStart {
    const end = this.#database.prepare(
      `SELECT e.idx AS idx, e.chain AS chain FROM streams s JOIN events e ON e.stream_id = s.id
       WHERE s.name = ? AND e.seq <= ? ORDER BY e.idx DESC LIMIT 1`,
    );
    return {
      head,
      absent: () => absentChains(this.#database),
      endOf: (stream): StreamEnd => {
        const row = end.get(stream, head.seq) as { idx: number; chain: string } | undefined;
        return row ? { index: row.idx, chain: row.chain } : this.#archivedEnd(stream);
      },
    };
  }

  #archivedEnd(stream: string): StreamEnd {
    const row = this.#database
      .prepare('SELECT archived_index AS idx, archived_chain AS chain FROM streams WHERE name = ?')
      .get(stream) as { idx: number | null; chain: string | null } | undefined;
    return row === undefined || row.idx === null || row.chain === null
      ? EMPTY_STREAM
      : { index: row.idx, chain: row.chain };
  }
}
