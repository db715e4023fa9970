import { OkaError } from '../../kernel/index.ts';
import type { LedgerErrorCode } from '../../ledger/index.ts';
import type { PostgresConnection } from './connection.ts';
import { OTHER_FOLD } from './postgres-error.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Every schema step, in order. A released step is never edited; a change is a new step. */
const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'ledger, snapshots, caches and leases',
    sql: `
      CREATE TABLE streams (id bigint PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, archived_index bigint, archived_chain text);
      CREATE TABLE events (
        seq bigint PRIMARY KEY, stream_id bigint NOT NULL, idx bigint NOT NULL, at bigint NOT NULL,
        type text COLLATE "C" NOT NULL, actor text COLLATE "C" NOT NULL, ends smallint NOT NULL CHECK (ends IN (0, 1)),
        chain text NOT NULL, salt text, body_digest text, data text NOT NULL, body text);
      CREATE UNIQUE INDEX events_by_stream ON events (stream_id, idx);
      CREATE TABLE archived_events (seq bigint PRIMARY KEY, chain text NOT NULL);
      CREATE TABLE snapshots (run text COLLATE "C" PRIMARY KEY, idx bigint NOT NULL, state text NOT NULL, digest text NOT NULL);
      CREATE TABLE tool_cache (key text COLLATE "C" PRIMARY KEY, tool text NOT NULL, output text NOT NULL, digest text NOT NULL,
        stored_at bigint NOT NULL, expires_at bigint);
      CREATE TABLE leases (name text COLLATE "C" PRIMARY KEY, owner text NOT NULL, expires_at bigint NOT NULL);
      CREATE TABLE rate_calls (name text COLLATE "C" NOT NULL, at bigint NOT NULL);
      CREATE INDEX rate_calls_by_name ON rate_calls (name, at);
      CREATE TABLE blobs (digest text COLLATE "C" PRIMARY KEY, content bytea NOT NULL, stored_at bigint NOT NULL);
      CREATE TABLE ledger_state (id smallint PRIMARY KEY CHECK (id = 1), fold text NOT NULL, folded_by text NOT NULL);
      INSERT INTO ledger_state VALUES (1, '', '');
      CREATE FUNCTION require_fold(expected text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM ledger_state WHERE fold = expected) THEN
          RAISE EXCEPTION 'the folded tables belong to another build of Oka' USING ERRCODE = '${OTHER_FOLD}';
        END IF; END $$;`,
  },
];

/** Creates the schema or brings it to the newest version. Several processes may do so at once. */
export async function migrate(connection: PostgresConnection, now: () => number): Promise<void> {
  const { schema, server } = connection;
  await connection.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`oka schema ${schema}`]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)',
    );
    const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM migrations');
    const { version } = rows[0] as { version: number };
    requireKnown(version, `${server}, schema ${schema}`);
    for (const step of MIGRATIONS.filter((one) => one.version > version)) {
      await client.query(step.sql);
      await client.query('INSERT INTO migrations VALUES ($1, $2, $3)', [step.version, step.name, now()]);
    }
  });
}

/** Refuses a schema of a newer build. */
export function requireKnown(version: number, place: string): void {
  const newest = MIGRATIONS.at(-1)?.version ?? 0;
  if (version <= newest) return;
  throw new OkaError<LedgerErrorCode>(
    'ledger.newer_schema',
    `${place} was written by a newer Oka (schema ${version}; this one supports ${newest}). Nothing was changed. Update Oka.`,
    { data: { schema: version, known: newest } },
  );
}
