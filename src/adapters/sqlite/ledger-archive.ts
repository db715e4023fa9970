// Owns: taking content out of the ledger, and proving or rebuilding what is folded from it.
// I1 A body goes only together with the tombstone that names it; an event only with `stream.archived`.
// I2 After an erasure neither the database nor its write-ahead log holds the content.
import { DatabaseSync } from '@photostructure/sqlite';
import {
  type ArchivedRecord,
  bodyErased,
  ChainVerifier,
  type EventAddress,
  type Fault,
  type LedgerEvent,
  type MirrorRecord,
  type Projection,
  SYSTEM_STREAM,
  streamArchived,
  type TableSpec,
} from '../../ledger/index.ts';
import type { Database } from './driver.ts';
import { EVENT_COLUMNS, type EventRow, toEvent, toRecord } from './event-rows.ts';
import type { SqliteEventStore } from './event-store.ts';
import { FoldedTables } from './folded-tables.ts';

const BATCH = 1_000;

export class LedgerArchive {
  readonly #database: Database;
  readonly #store: SqliteEventStore;
  readonly #projections: readonly Projection[];

  constructor(database: Database, store: SqliteEventStore, projections: readonly Projection[]) {
    this.#database = database;
    this.#store = store;
    this.#projections = projections;
  }

  /** Everything stored, in order of seq, archived places included. */
  *records(afterSeq = 0): Generator<MirrorRecord> {
    const read = this.#database.prepare(
      `SELECT ${EVENT_COLUMNS} FROM events e JOIN streams s ON s.id = e.stream_id WHERE e.seq > ? ORDER BY e.seq LIMIT ${BATCH}`,
    );
    read.setReturnArrays(true);
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

  /** Checks the file itself, the chain, and that every folded table is what its events say. */
  verify(): { readonly report: ReturnType<ChainVerifier['report']>; readonly faults: readonly Fault[] } {
    // One view of the whole, whoever writes meanwhile.
    this.#database.exec('BEGIN');
    try {
      return this.#verifyView();
    } finally {
      this.#endView();
    }
  }

  /** A damaged file may refuse even this; what is wrong with it has been found by then. */
  #endView(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // The connection is closed with the command.
    }
  }

  #verifyView(): ReturnType<LedgerArchive['verify']> {
    const faults: Fault[] = [];
    const verifier = new ChainVerifier();
    try {
      const [check] = this.#database.prepare('PRAGMA quick_check(10)').all() as { quick_check: string }[];
      if (check?.quick_check !== 'ok')
        faults.push({ where: 'database', what: check?.quick_check ?? 'unreadable' });
      for (const record of this.records()) verifier.see(record);
      const tables = this.#compareTables();
      const report = verifier.report();
      return { report, faults: [...faults, ...report.faults, ...tables] };
    } catch (error) {
      const report = verifier.report();
      return {
        report,
        faults: [
          ...faults,
          { where: 'database', what: `cannot be read: ${(error as Error).message}` },
          ...report.faults,
        ],
      };
    }
  }

  /** Folds every table anew from the events. */
  rebuildTables(): void {
    this.#inTransaction((tables) => {
      for (const spec of tables.specs) this.#database.exec(`DROP TABLE IF EXISTS ${spec.name}`);
      tables.ensure();
      for (const event of this.#events()) tables.apply(event);
      this.#database.exec('DELETE FROM snapshots; DELETE FROM tool_cache');
    });
  }

  /** Creates and folds the tables that are missing, at once or not at all, whoever else starts at the same time. */
  ensureTables(): void {
    if (!new FoldedTables(this.#database, this.#projections).isMissingAny()) return;
    this.#inTransaction((tables) => {
      if (!tables.isMissingAny()) return;
      for (const spec of tables.specs) this.#database.exec(`DROP TABLE IF EXISTS ${spec.name}`);
      tables.ensure();
      for (const event of this.#events()) tables.apply(event);
    });
  }

  #inTransaction(work: (tables: FoldedTables) => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work(new FoldedTables(this.#database, this.#projections));
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Takes the bodies of these events away for good. */
  erase(events: readonly EventAddress[], by: string, reason: string): void {
    this.#store.rewrite(
      { actor: by, sync: 'full', appends: [{ stream: SYSTEM_STREAM, events: [bodyErased(events, reason)] }] },
      (database) => {
        const erase = database.prepare(
          `UPDATE events SET body = NULL, salt = NULL WHERE idx = ? AND stream_id = (SELECT id FROM streams WHERE name = ?)`,
        );
        for (const { stream, index } of events) erase.run(index, stream);
        const streams = new Set(events.map(({ stream }) => stream));
        const drop = database.prepare('DELETE FROM snapshots WHERE run = ?');
        for (const stream of streams) drop.run(stream.slice(stream.indexOf('/') + 1));
        database.exec('DELETE FROM tool_cache');
      },
    );
    this.#scrub();
  }

  /** Drops whole finished streams, keeping where each ended. */
  archive(streams: readonly string[], by: string, reason: string): void {
    const ends = streams.flatMap((stream) => {
      const row = this.#database
        .prepare(
          'SELECT e.idx AS idx, e.chain AS chain FROM streams s JOIN events e ON e.stream_id = s.id WHERE s.name = ? ORDER BY e.idx DESC LIMIT 1',
        )
        .get(stream) as { idx: number; chain: string } | undefined;
      return row ? [{ stream, lastIndex: row.idx, chain: row.chain, reason }] : [];
    });
    if (ends.length === 0) return;
    this.#store.rewrite(
      { actor: by, sync: 'full', appends: [{ stream: SYSTEM_STREAM, events: ends.map(streamArchived) }] },
      (database) => {
        for (const end of ends) {
          const { id } = database.prepare('SELECT id FROM streams WHERE name = ?').get(end.stream) as {
            id: number;
          };
          database
            .prepare('INSERT INTO archived_events SELECT seq, chain FROM events WHERE stream_id = ?')
            .run(id);
          database.prepare('DELETE FROM events WHERE stream_id = ?').run(id);
          database
            .prepare('UPDATE streams SET archived_index = ?, archived_chain = ? WHERE id = ?')
            .run(end.lastIndex, end.chain, id);
          database
            .prepare('DELETE FROM snapshots WHERE run = ?')
            .run(end.stream.slice(end.stream.indexOf('/') + 1));
        }
        database.exec('DELETE FROM tool_cache');
      },
    );
    this.#scrub();
  }

  /** Rows and bytes, for people who wonder what takes the space. */
  statistics(): LedgerStatistics {
    const one = (sql: string): Record<string, number> =>
      this.#database.prepare(sql).get() as Record<string, number>;
    const types = this.#database
      .prepare(
        `SELECT type, count(*) AS events, sum(length(data) + coalesce(length(body), 0)) AS bytes
         FROM events GROUP BY type ORDER BY bytes DESC`,
      )
      .all() as unknown as LedgerStatistics['types'];
    const days = this.#database
      .prepare(
        `SELECT date(at / 1000, 'unixepoch') AS day, count(*) AS events, sum(length(data) + coalesce(length(body), 0)) AS bytes
         FROM events GROUP BY day ORDER BY day DESC LIMIT 14`,
      )
      .all() as unknown as LedgerStatistics['growth'];
    return {
      events: one('SELECT count(*) AS n FROM events')['n'] ?? 0,
      archived: one('SELECT count(*) AS n FROM archived_events')['n'] ?? 0,
      streams: one('SELECT count(*) AS n FROM streams')['n'] ?? 0,
      databaseBytes:
        (one('PRAGMA page_count')['page_count'] ?? 0) * (one('PRAGMA page_size')['page_size'] ?? 0),
      types: types.map((row) => ({ ...row })),
      growth: days.map((row) => ({ ...row })),
    };
  }

  *#events(): Generator<LedgerEvent> {
    const read = this.#database.prepare(
      `SELECT ${EVENT_COLUMNS} FROM events e JOIN streams s ON s.id = e.stream_id WHERE e.seq > ? ORDER BY e.seq LIMIT ${BATCH}`,
    );
    read.setReturnArrays(true);
    for (let seq = 0; ; ) {
      const rows = read.all(seq) as unknown as EventRow[];
      for (const row of rows) yield toEvent(row);
      if (rows.length < BATCH) return;
      seq = (rows.at(-1) as EventRow)[0];
    }
  }

  #compareTables(): Fault[] {
    const memory = new DatabaseSync(':memory:');
    try {
      const tables = new FoldedTables(memory, this.#projections);
      tables.ensure();
      for (const event of this.#events()) tables.apply(event);
      return tables.specs.flatMap((spec) => compareTable(spec, this.#database, memory));
    } finally {
      memory.close();
    }
  }

  /** Freed pages are zeroed by secure_delete; this empties the log that still holds them. */
  #scrub(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
}

export interface LedgerStatistics {
  readonly events: number;
  readonly archived: number;
  readonly streams: number;
  readonly databaseBytes: number;
  readonly types: readonly { readonly type: string; readonly events: number; readonly bytes: number }[];
  readonly growth: readonly { readonly day: string; readonly events: number; readonly bytes: number }[];
}

function compareTable(spec: TableSpec, stored: Database, folded: Database): Fault[] {
  const sql = `SELECT * FROM ${spec.name} ORDER BY ${spec.key}`;
  const key = (row: Record<string, unknown>): string =>
    spec.key.map((column) => String(row[column])).join(' ');
  const index = (database: Database): Map<string, string> => {
    const rows = database.prepare(sql).all() as Record<string, unknown>[];
    return new Map(rows.map((row) => [key(row), JSON.stringify(row)]));
  };
  const [left, right] = [index(stored), index(folded)];
  const faults: Fault[] = [];
  for (const [name, row] of left) {
    if (right.get(name) === row) continue;
    const what = right.has(name) ? 'differs from what its events say' : 'is not backed by any event';
    faults.push({ where: `table ${spec.name}, row ${name}`, what });
  }
  for (const name of right.keys())
    if (!left.has(name)) faults.push({ where: `table ${spec.name}, row ${name}`, what: 'is missing' });
  return faults.slice(0, 20);
}
