// Owns: changes to stored data other than appends: erasing content, archiving streams, adopting sealed records; and reading
// the whole ledger.
// I1 A body is removed only together with the tombstone that names it; an event only with `stream.archived`.
// I2 Records are adopted only if they continue the chain of the ledger.
import type pg from 'pg';
import { OkaError } from '../../kernel/index.ts';
import {
  type AdoptedRecords,
  bodyErased,
  ChainVerifier,
  type EventAddress,
  type EventRecord,
  type LedgerErrorCode,
  LedgerEvent,
  type LedgerHead,
  type MirrorRecord,
  type RecordSource,
  type RecordTarget,
  removalOf,
  SYSTEM_STREAM,
  streamArchived,
} from '../../ledger/index.ts';
import type { PostgresConnection } from './connection.ts';
import { insertEvents, insertStreams } from './event-rows.ts';
import type { PostgresEventStore } from './event-store.ts';
import type { FoldedTables, SqlStatement } from './folded-tables.ts';
import { lockLedger } from './ledger-schema.ts';
import { LedgerTail } from './ledger-tail.ts';
import { chainAt, recordsAfter } from './read-records.ts';
import { toStored } from './stored-text.ts';

interface ArchiveParts {
  readonly connection: PostgresConnection;
  readonly tables: FoldedTables;
  readonly store: PostgresEventStore;
  readonly ready: () => Promise<void>;
}

export class PostgresArchive implements RecordSource, RecordTarget {
  readonly #parts: ArchiveParts;

  constructor(parts: ArchiveParts) {
    this.#parts = parts;
  }

  head(): Promise<LedgerHead> {
    return this.#parts.store.head();
  }

  async chainAt(seq: number): Promise<string | undefined> {
    await this.#parts.ready();
    return chainAt(this.#parts.connection, seq);
  }

  async recordsAfter(seq: number, limit: number): Promise<readonly MirrorRecord[]> {
    await this.#parts.ready();
    return recordsAfter(this.#parts.connection, seq, limit);
  }

  /** Permanently erases the bodies of these events. */
  async erase(events: readonly EventAddress[], by: string, reason: string): Promise<void> {
    await this.#parts.store.rewrite(
      { actor: by, sync: 'full', appends: [{ stream: SYSTEM_STREAM, events: [bodyErased(events, reason)] }] },
      async (query) => {
        for (const { text, values } of eraseBodies(events)) await query(text, [...values]);
      },
    );
  }

  /** Removes finished streams and keeps the end of each. */
  async archive(streams: readonly string[], by: string, reason: string): Promise<void> {
    const ends: { stream: string; lastIndex: number; chain: string }[] = [];
    for (const stream of streams) {
      const { index, chain } = await this.#parts.store.end(stream);
      if (index >= 0) ends.push({ stream, lastIndex: index, chain });
    }
    if (ends.length === 0) return;
    const events = ends.map((end) => streamArchived({ ...end, reason }));
    await this.#parts.store.rewrite(
      { actor: by, sync: 'full', appends: [{ stream: SYSTEM_STREAM, events }] },
      async (query) => {
        for (const { stream, lastIndex, chain } of ends) {
          const sql =
            'SELECT max(idx) AS idx FROM events WHERE stream_id = (SELECT id FROM streams WHERE name = $1)';
          const { rows } = await query(sql, [toStored(stream)]);
          // The tombstone records the end of the stream, so nothing may have been appended since it was read.
          if ((rows[0] as { idx: number | null }).idx !== lastIndex) throw hasGrown(stream);
          for (const statement of archiveStream({ stream, lastIndex, chain }))
            await query(statement.text, [...statement.values]);
        }
      },
    );
  }

  async adopt(records: readonly MirrorRecord[]): Promise<AdoptedRecords> {
    const { connection, tables, ready } = this.#parts;
    await ready();
    return connection.transaction(async (client) => {
      await lockLedger(client, connection.schema);
      await client.query('SELECT require_fold($1)', [tables.shape]);
      const tail = new LedgerTail();
      const events = records.flatMap((record) => ('event' in record ? [record.event] : []));
      const streams = [...new Set(events.map(({ stream }) => stream))];
      await tail.load(streams, (text, values) => client.query(text, values));
      const first = continuing(records, tail);
      // An event after one that a repair left out proves itself by the chain value of that one.
      const { whole, ...adopted } =
        first.brokenAfter === undefined ? first : continuing(records, tail, await absentChains(client));
      if (whole.length > 0 && adopted.brokenAfter === undefined) await this.#insert(client, tail, whole);
      return adopted;
    });
  }

  /** Rows and bytes, to show what uses the space. */
  async statistics() {
    const one = (await this.#rows(
      `SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM archived_events) AS archived,
        (SELECT count(*) FROM streams) AS streams, (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c
          JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r') AS "databaseBytes"`,
      [this.#parts.connection.schema],
    )) as unknown as [{ events: number; archived: number; streams: number; databaseBytes: number }];
    const bytes = 'sum(length(data) + coalesce(length(body), 0)) AS bytes';
    const types = `SELECT type, count(*) AS events, ${bytes} FROM events GROUP BY type ORDER BY bytes DESC`;
    const growth = `SELECT to_char(to_timestamp(at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS events,
      ${bytes} FROM events GROUP BY day ORDER BY day DESC LIMIT 14`;
    return {
      ...one[0],
      types: (await this.#rows(types)) as unknown as { type: string; events: number; bytes: number }[],
      growth: (await this.#rows(growth)) as unknown as { day: string; events: number; bytes: number }[],
    };
  }

  async #insert(client: pg.ClientBase, tail: LedgerTail, records: readonly MirrorRecord[]): Promise<void> {
    const events = records.flatMap((record) => ('event' in record ? [record.event] : []));
    const archived = records.flatMap((record) => ('archived' in record ? [record.archived] : []));
    const { ids, added } = tail.idsOf(events.map(({ stream }) => stream));
    const run = async ({ text, values }: SqlStatement): Promise<unknown> => client.query(text, [...values]);
    if (added.size > 0) await run(insertStreams(added));
    await run(insertEvents(events, (stream) => ids.get(stream) as number));
    await run({
      text: 'INSERT INTO archived_events (seq, chain) SELECT * FROM unnest($1::bigint[], $2::text[])',
      values: [archived.map(({ seq }) => seq), archived.map(({ chain }) => chain)],
    });
    const { tables } = this.#parts;
    for (const statement of tables.statements(events.map((event) => new LedgerEvent(event))))
      await run(statement);
    for (const event of events) for (const statement of removalStatements(event)) await run(statement);
  }

  async #rows(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    await this.#parts.ready();
    return (await this.#parts.connection.query(text, values)).rows;
  }
}

async function absentChains(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ chain: string }>('SELECT chain FROM archived_events');
  return rows.map(({ chain }) => chain);
}

/** The whole transactions at the start of the records that continue the ledger. */
function continuing(
  records: readonly MirrorRecord[],
  tail: LedgerTail,
  absent: readonly string[] = [],
): AdoptedRecords & { readonly whole: readonly MirrorRecord[] } {
  const verifier = new ChainVerifier({
    head: tail.head,
    endOf: (stream) => tail.end(stream),
    absent: () => absent,
  });
  let stored = 0;
  for (const [i, record] of records.entries()) {
    if (!verifier.fits(record))
      return { whole: records.slice(0, stored), stored, incomplete: i - stored, brokenAfter: verifier.head };
    verifier.add(record);
    if (!('event' in record) || record.event.ends) stored = i + 1;
  }
  return { whole: records.slice(0, stored), stored, incomplete: records.length - stored };
}

function removalStatements(event: EventRecord): readonly SqlStatement[] {
  const removal = removalOf(event);
  if (removal === undefined) return [];
  return 'erased' in removal ? eraseBodies(removal.erased) : archiveStream(removal.archived);
}

function eraseBodies(events: readonly EventAddress[]): readonly SqlStatement[] {
  const streams = events.map(({ stream }) => stream);
  return [
    {
      text: `UPDATE events e SET body = NULL, salt = NULL FROM unnest($1::text[], $2::bigint[]) AS erased (stream, idx)
        JOIN streams s ON s.name = erased.stream WHERE e.stream_id = s.id AND e.idx = erased.idx`,
      values: [streams.map(toStored), events.map(({ index }) => index)],
    },
    ...dropDerived(streams),
  ];
}

function archiveStream(archived: {
  readonly stream: string;
  readonly lastIndex: number;
  readonly chain: string;
}): readonly SqlStatement[] {
  const { stream, lastIndex, chain } = archived;
  const name = toStored(stream);
  const id = '(SELECT id FROM streams WHERE name = $1)';
  return [
    {
      text: `INSERT INTO streams (id, name) SELECT (SELECT coalesce(max(id), 0) + 1 FROM streams), $1
        WHERE NOT EXISTS (SELECT 1 FROM streams WHERE name = $1)`,
      values: [name],
    },
    {
      text: `INSERT INTO archived_events SELECT seq, chain FROM events WHERE stream_id = ${id} AND idx <= $2`,
      values: [name, lastIndex],
    },
    { text: `DELETE FROM events WHERE stream_id = ${id} AND idx <= $2`, values: [name, lastIndex] },
    {
      text: 'UPDATE streams SET archived_index = $2, archived_chain = $3 WHERE name = $1',
      values: [name, lastIndex, chain],
    },
    ...dropDerived([stream]),
  ];
}

function dropDerived(streams: readonly string[]): readonly SqlStatement[] {
  const runs = [...new Set(streams)].map((stream) => toStored(stream.slice(stream.indexOf('/') + 1)));
  return [
    { text: 'DELETE FROM snapshots WHERE run = ANY ($1::text[])', values: [runs] },
    { text: 'DELETE FROM tool_cache', values: [] },
  ];
}

function hasGrown(stream: string): OkaError {
  return new OkaError<LedgerErrorCode>(
    'ledger.conflict',
    `Another process appended to ${stream} while it was archived. Nothing was archived; try again.`,
    { data: { stream }, transient: true },
  );
}
