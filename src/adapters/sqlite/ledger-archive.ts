// Owns: changes to stored data other than appends: erasing content, refolding tables, adopting sealed records.
// I1 A body is removed only together with the tombstone that names it; an event only with `stream.archived`.
// I2 After an erasure neither the database nor its write-ahead log contains the content.
// I3 Records are adopted only if they continue the chain of the database.
import { type Clock, counting, isOkaError, OkaError, waitUntil } from '../../kernel/index.ts';
import {
  bodyErased,
  type EventAddress,
  type LedgerErrorCode,
  LedgerEvent,
  type LedgerHead,
  type MirrorRecord,
  type Projection,
  SYSTEM_STREAM,
  streamArchived,
} from '../../ledger/index.ts';
import { type Database, endRead, inTransaction } from './driver.ts';
import type { SqliteEventStore } from './event-store.ts';
import { FoldedTables } from './folded-tables.ts';
import { indexIdEnds } from './id-ends.ts';
import { type LedgerCheck, LedgerView } from './ledger-view.ts';
import { applyRemoval, type WrittenRecords, writeRecords } from './record-writer.ts';

/** Verifying a large ledger may keep a read transaction open this long. */
const MAX_SCRUB_MS = 60_000;
const SCRUB_RETRY_MS = 50;

export class LedgerArchive {
  readonly #database: Database;
  readonly #store: SqliteEventStore;
  readonly #projections: readonly Projection[];
  readonly #view: LedgerView;
  #isScrubbed = true;

  constructor(database: Database, store: SqliteEventStore, projections: readonly Projection[]) {
    this.#database = database;
    this.#store = store;
    this.#projections = projections;
    this.#view = new LedgerView(database, projections);
  }

  head(): LedgerHead {
    return this.#view.head();
  }

  chainAt(seq: number): string | undefined {
    return this.#view.chainAt(seq);
  }

  /** All stored records in order of seq, including archived ones. */
  records(afterSeq = 0): Generator<MirrorRecord> {
    return this.#view.records(afterSeq);
  }

  lostBlobs(): ReadonlySet<string> {
    return this.#view.lostBlobs();
  }

  /** Verifies everything in one view of the database, without yielding. */
  verify(): LedgerCheck {
    this.#database.exec('BEGIN');
    try {
      const check = this.#view.check();
      for (;;) {
        const { done, value } = check.next();
        if (done) return value;
      }
    } finally {
      endRead(this.#database);
    }
  }

  /**
   * Stores sealed records that continue the ledger, or nothing if one of them does not. The records are requested inside the
   * transaction, by the head, because another process may have written meanwhile.
   */
  adopt(recordsAfter: (head: LedgerHead) => Iterable<MirrorRecord>): WrittenRecords {
    return this.#inTransaction((tables) => {
      const written = writeRecords(this.#database, tables, recordsAfter(this.head()));
      if (written.brokenAfter !== undefined) this.#database.exec('ROLLBACK');
      return written;
    });
  }

  /** Refolds every table from the events. */
  rebuildTables(onProgress?: (done: number, total: number) => void): void {
    const total = onProgress ? this.#view.head().seq : 0;
    this.#inTransaction((tables) => {
      this.#refold(tables, (done) => onProgress?.(done, total));
      this.#database.exec('DELETE FROM snapshots; DELETE FROM tool_cache');
    });
  }

  /** Creates and folds tables that are missing or have another shape, all or none, even when several processes start. */
  ensureTables(): void {
    if (new FoldedTables(this.#database, this.#projections).isCurrent()) return;
    this.#inTransaction((tables) => {
      if (!tables.isCurrent()) this.#refold(tables);
    });
  }

  #refold(tables: FoldedTables, onCount?: (count: number) => void): void {
    for (const spec of tables.specs) this.#database.exec(`DROP TABLE IF EXISTS ${spec.name}`);
    tables.ensure();
    indexIdEnds(this.#database);
    for (const record of counting(this.#view.records(), onCount))
      if ('event' in record) tables.apply(new LedgerEvent(record.event));
  }

  #inTransaction<T>(work: (tables: FoldedTables) => T): T {
    return inTransaction(this.#database, () => work(new FoldedTables(this.#database, this.#projections)));
  }

  /** Permanently erases the bodies of these events. */
  erase(events: readonly EventAddress[], by: string, reason: string): void {
    this.#store.rewrite(
      { actor: by, sync: 'full', appends: [{ stream: SYSTEM_STREAM, events: [bodyErased(events, reason)] }] },
      (database) => applyRemoval(database, { erased: events }),
    );
    this.#scrub();
  }

  /** Removes finished streams and keeps the end of each. */
  archive(streams: readonly string[], by: string, reason: string): void {
    const lastEvent = this.#database.prepare(
      `SELECT e.idx AS lastIndex, e.chain AS chain FROM streams s JOIN events e ON e.stream_id = s.id
       WHERE s.name = ? ORDER BY e.idx DESC LIMIT 1`,
    );
    const endOf = (stream: string): { lastIndex: number; chain: string } | undefined =>
      lastEvent.get(stream) as { lastIndex: number; chain: string } | undefined;
    const ends = streams.flatMap((stream) => {
      const row = endOf(stream);
      return row ? [{ stream, ...row }] : [];
    });
    if (ends.length === 0) return;
    const events = ends.map((end) => streamArchived({ ...end, reason }));
    this.#store.rewrite(
      { actor: by, sync: 'full', appends: [{ stream: SYSTEM_STREAM, events }] },
      (database) => {
        for (const end of ends) {
          // The tombstone records the end of the stream, so nothing may have been appended since it was read.
          if (endOf(end.stream)?.lastIndex !== end.lastIndex) throw hasGrown(end.stream);
          applyRemoval(database, { archived: end });
        }
      },
    );
    this.#scrub();
  }

  /** Rows and bytes, to show what uses the space. */
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
      ...this.#view.counts(),
      databaseBytes:
        (one('PRAGMA page_count')['page_count'] ?? 0) * (one('PRAGMA page_size')['page_size'] ?? 0),
      types: types.map((row) => ({ ...row })),
      growth: days.map((row) => ({ ...row })),
    };
  }

  /**
   * Truncates the log, which may still hold pages that secure_delete has zeroed in the file. Does not wait for readers,
   * because that would block every writer. False if a reader still needs the log.
   */
  #scrub(): boolean {
    this.#database.exec('PRAGMA busy_timeout=0');
    try {
      const row = this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
      this.#isScrubbed = row.busy === 0;
    } catch (error) {
      if (!isOkaError(error, 'ledger.busy')) throw error;
      this.#isScrubbed = false;
    } finally {
      this.#database.exec('PRAGMA busy_timeout=5000');
    }
    return this.#isScrubbed;
  }

  /** Resolves when the log no longer holds erased content. False if other processes kept reading it for too long. */
  async scrubbed(clock: Clock): Promise<boolean> {
    for (const until = clock.now() + MAX_SCRUB_MS; !this.#isScrubbed && !this.#scrub(); ) {
      if (clock.now() >= until) return false;
      await waitUntil(clock, clock.now() + SCRUB_RETRY_MS, []);
    }
    return true;
  }
}

interface LedgerStatistics {
  readonly events: number;
  readonly archived: number;
  readonly streams: number;
  readonly databaseBytes: number;
  readonly types: readonly { readonly type: string; readonly events: number; readonly bytes: number }[];
  readonly growth: readonly { readonly day: string; readonly events: number; readonly bytes: number }[];
}

function hasGrown(stream: string): OkaError {
  return new OkaError<LedgerErrorCode>(
    'ledger.conflict',
    `Another process appended to ${stream} while it was archived. Nothing was archived; try again.`,
    { data: { stream }, transient: true },
  );
}
