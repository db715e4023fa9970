import { OkaError } from '../../kernel/index.ts';
import { type Database, inTransaction } from './driver.ts';

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Every schema step, in order. A released step is never edited; a change is a new step. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'ledger, snapshots, caches and leases',
    sql: `
      CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, archived_index INTEGER, archived_chain TEXT) STRICT;
      CREATE TABLE events (
        seq INTEGER PRIMARY KEY, stream_id INTEGER NOT NULL, idx INTEGER NOT NULL, at INTEGER NOT NULL,
        type TEXT NOT NULL, actor TEXT NOT NULL, ends INTEGER NOT NULL CHECK (ends IN (0, 1)), chain TEXT NOT NULL,
        salt TEXT, body_digest TEXT, data TEXT NOT NULL, body TEXT) STRICT;
      CREATE UNIQUE INDEX events_by_stream ON events (stream_id, idx);
      CREATE TABLE archived_events (seq INTEGER PRIMARY KEY, chain TEXT NOT NULL) STRICT;
      CREATE TABLE snapshots (run TEXT PRIMARY KEY, idx INTEGER NOT NULL, state TEXT NOT NULL) STRICT;
      CREATE TABLE tool_cache (key TEXT PRIMARY KEY, tool TEXT NOT NULL, output TEXT NOT NULL, stored_at INTEGER NOT NULL, expires_at INTEGER) STRICT;
      CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT;
      CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT;`,
  },
  {
    version: 2,
    name: 'digests of snapshots and cached outputs, so that damage to them is noticed',
    sql: `
      DROP TABLE snapshots;
      CREATE TABLE snapshots (run TEXT PRIMARY KEY, idx INTEGER NOT NULL, state TEXT NOT NULL, digest TEXT NOT NULL) STRICT;
      DROP TABLE tool_cache;
      CREATE TABLE tool_cache (key TEXT PRIMARY KEY, tool TEXT NOT NULL, output TEXT NOT NULL, digest TEXT NOT NULL,
        stored_at INTEGER NOT NULL, expires_at INTEGER) STRICT;`,
  },
  {
    version: 3,
    name: 'calls that rate limits count, of all processes',
    sql: `
      CREATE TABLE rate_calls (name TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
      CREATE INDEX rate_calls_by_name ON rate_calls (name, at);`,
  },
];

/** The schema that this version of Oka writes. */
export const NEWEST_SCHEMA = MIGRATIONS.at(-1)?.version ?? 0;

/** Migrates the database to the newest schema, one recorded step at a time. A newer schema is rejected unchanged. */
export function migrate(database: Database, file: string, now: () => number, steps = MIGRATIONS): void {
  if (schemaVersion(database) === steps.at(-1)?.version) return;
  requireKnownSchema(database, file, steps);
  inTransaction(database, () => {
    for (const step of steps) {
      if (step.version <= schemaVersion(database)) continue;
      database.exec(step.sql);
      database.prepare('INSERT INTO migrations VALUES (?, ?, ?)').run(step.version, step.name, now());
      database.exec(`PRAGMA user_version=${step.version}`);
    }
  });
}

/** Rejects a database whose schema is newer than this version of Oka, or differs from its own record. */
export function requireKnownSchema(database: Database, file: string, steps = MIGRATIONS): void {
  const current = schemaVersion(database);
  const newest = steps.at(-1)?.version ?? 0;
  const recorded = recordedVersion(database);
  // A new database has neither. A version that the recorded steps do not confirm indicates a damaged file.
  if (recorded !== current)
    throw new OkaError(
      'ledger.damaged',
      `${file} has schema ${current}, but its record of migrations ends at ${recorded}. Nothing was changed. Run: oka ledger repair.`,
      { data: { file, schema: current, recorded } },
    );
  if (current > newest)
    throw new OkaError(
      'ledger.newer_schema',
      `${file} was written by a newer Oka (schema ${current}; this one supports ${newest}). Nothing was changed. Update Oka.`,
      { data: { file, schema: current, known: newest } },
    );
}

/** The version at which the record of migrations ends. */
export function recordedVersion(database: Database): number {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get();
  if (table === undefined) return 0;
  const row = database.prepare('SELECT coalesce(max(version), 0) AS version FROM migrations').get();
  return (row as { version: number }).version;
}

export function schemaVersion(database: Database): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}
