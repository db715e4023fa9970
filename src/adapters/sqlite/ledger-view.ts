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
  type TableSpec,
} from '../../ledger/index.ts';
import { arrays, type Database } from './driver.ts';
import { EVENT_COLUMNS, type EventRow, toRecord } from './event-rows.ts';
import { FoldedTables } from './folded-tables.ts';

const BATCH = 1_000;
const MAX_ROW_FAULTS = 20;

const READ_EVENTS = `SELECT ${EVENT_COLUMNS} FROM events e JOIN streams s ON s.id = e.stream_id
  WHERE e.seq > ? ORDER BY e.seq LIMIT ${BATCH}`;

export interface LedgerCheck {
  readonly report: ChainReport;
  readonly faults: readonly Fault[];
}

export interface CheckOptions {
  /** Verifies the chain only after this head, and skips the check of the whole file. */
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

  /** Verifies the file, the chain and every folded table. Yields the seq reached. */
  *check({ after, onEvent }: CheckOptions = {}): Generator<number, LedgerCheck> {
    const faults: Fault[] = [];
    const verifier = new ChainVerifier(after && this.#startAt(after));
    const memory = new DatabaseSync(':memory:');
    try {
      const folded = new FoldedTables(memory, this.#projections);
      folded.ensure();
      memory.exec('BEGIN');
      if (after === undefined) faults.push(...this.#checkFile());
      // Tables depend on every event, so they are folded from the start even if the chain is verified after `after`.
      for (const record of this.records()) {
        const { seq } = placeOf(record);
        const isNew = after === undefined || seq > after.seq;
        if (isNew) verifier.add(record);
        if ('event' in record) {
          const event = new LedgerEvent(record.event);
          folded.apply(event);
          if (isNew) onEvent?.(event);
        }
        if (seq % BATCH === 0) yield seq;
      }
      faults.push(...this.#checkStreams());
      for (const spec of folded.specs) faults.push(...compareTable(spec, this.#database, memory));
    } catch (error) {
      faults.unshift({ where: 'database', what: `cannot be read: ${(error as Error).message}` });
    } finally {
      memory.close();
    }
    const report = verifier.report();
    return { report, faults: [...report.faults, ...faults] };
  }

  #checkFile(): Fault[] {
    const problems = this.#database.prepare('PRAGMA quick_check(10)').all() as { quick_check: string }[];
    return problems
      .filter(({ quick_check: what }) => what !== 'ok')
      .map(({ quick_check: what }) => ({ where: 'database', what }));
  }

  /** The ends of archived streams are needed to continue them, so they must match their tombstones. */
  #checkStreams(): Fault[] {
    const rows = this.#database
      .prepare(
        `SELECT s.name AS name FROM streams s
         JOIN events e ON e.type = 'stream.archived' AND e.data ->> 'stream' = s.name
         WHERE s.archived_index IS NOT e.data ->> 'lastIndex' OR s.archived_chain IS NOT e.data ->> 'chain'`,
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

/** An earlier version may have written the table with fewer columns, or not at all; the next writer folds it again. */
function compareTable(spec: TableSpec, stored: Database, folded: Database): Fault[] {
  const known = new Set(
    stored
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(spec.name)
      .map((row) => (row as { name: string }).name),
  );
  const columns = Object.keys(spec.columns).filter((column) => known.has(column));
  if (columns.length === 0) return [];
  const found = new Map(rowsOf(spec, columns, stored));
  const faults: Fault[] = [];
  const fault = (name: string, what: string): void => {
    if (faults.length < MAX_ROW_FAULTS) faults.push({ where: `table ${spec.name}, row ${name}`, what });
  };
  for (const [name, row] of rowsOf(spec, columns, folded)) {
    if (!found.has(name)) fault(name, 'is missing');
    else if (found.get(name) !== row) fault(name, 'differs from what its events say');
    found.delete(name);
  }
  for (const name of found.keys()) fault(name, 'is not backed by any event');
  return faults;
}

/** Each row as its key and its content. SQLite builds the texts, which is several times faster than reading each column. */
function* rowsOf(
  spec: TableSpec,
  columns: readonly string[],
  database: Database,
): Generator<[string, string]> {
  const key = spec.key.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `);
  const sql = `SELECT ${key}, json_array(${columns}) FROM ${spec.name}`;
  yield* arrays(database.prepare(sql)).iterate() as unknown as Iterable<[string, string]>;
}
