// Owns: creating the tables of a ledger, and folding them again when a build of Oka has other tables.
import type pg from 'pg';
import { OkaError } from '../../kernel/index.ts';
import { type LedgerErrorCode, LedgerEvent } from '../../ledger/index.ts';
import type { PostgresConnection } from './connection.ts';
import { EVENT_COLUMNS, toRecord } from './event-rows.ts';
import type { FoldedTables } from './folded-tables.ts';
import { migrate } from './migrations.ts';

const BATCH = 1_000;

export interface SchemaOptions {
  readonly connection: PostgresConnection;
  readonly tables: FoldedTables;
  /** The version of this build. A ledger that a newer one has folded is refused. */
  readonly version: string;
  readonly now: () => number;
}

/** Creates what is missing. */
export async function prepareSchema(options: SchemaOptions): Promise<void> {
  const { connection, tables, version, now } = options;
  await migrate(connection, now);
  const { rows } = await connection.query('SELECT fold, folded_by FROM ledger_state');
  const { fold, folded_by: foldedBy } = rows[0] as { fold: string; folded_by: string };
  if (fold === tables.shape) return;
  if (fold !== '' && isNewer(foldedBy, version)) throw foldedByNewer(foldedBy, version, connection.server);
  await refold(options);
}

/** Folds every table again from the events. */
export async function refold(
  { connection, tables, version }: SchemaOptions,
  onProgress?: (done: number) => void,
): Promise<void> {
  await connection.transaction(async (client) => {
    await lockLedger(client, connection.schema);
    for (const sql of tables.recreate()) await client.query(sql);
    const read = `SELECT ${EVENT_COLUMNS} FROM events e JOIN streams s ON s.id = e.stream_id
      WHERE e.seq > $1 ORDER BY e.seq LIMIT ${BATCH}`;
    for (let seq = 0; ; ) {
      const { rows } = await client.query<unknown[]>({ text: read, values: [seq], rowMode: 'array' });
      const events = rows.map((row) => new LedgerEvent(toRecord(row)));
      for (const { text, values } of tables.statements(events)) await client.query(text, [...values]);
      seq = events.at(-1)?.seq ?? seq;
      onProgress?.(seq);
      if (rows.length < BATCH) break;
    }
    await client.query('DELETE FROM snapshots');
    await client.query('DELETE FROM tool_cache');
    await client.query('UPDATE ledger_state SET fold = $1, folded_by = $2', [tables.shape, version]);
  });
}

/** Waits until no other process writes the ledger; held until the transaction ends. */
export async function lockLedger(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [schema]);
}

function isNewer(left: string, right: string): boolean {
  return left.localeCompare(right, 'en', { numeric: true }) > 0;
}

function foldedByNewer(foldedBy: string, version: string, server: string): OkaError<LedgerErrorCode> {
  return new OkaError(
    'ledger.newer_schema',
    `The tables of ${server} were written by Oka ${foldedBy}; this is ${version}. Nothing was changed. Update Oka.`,
    { data: { written: foldedBy, known: version } },
  );
}
