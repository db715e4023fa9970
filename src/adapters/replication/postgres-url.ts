import { OkaError } from '../../kernel/index.ts';
import type { ReplicationErrorCode } from '../../ledger/index.ts';

const INVALID: ReplicationErrorCode = 'replication.invalid';
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/** Rejects an invalid connection string without repeating it: it may contain a password. */
export function checkPostgresUrl(url: string, from: string): string {
  const trimmed = url.trim();
  const isFine = URL.canParse(trimmed) && ['postgres:', 'postgresql:'].includes(new URL(trimmed).protocol);
  if (isFine) return trimmed;
  throw new OkaError(
    INVALID,
    `${from} is not a connection string; use the form postgres://user:password@host:5432/database.`,
    { data: { from } },
  );
}

/** Rejects a schema that would need quotes. */
export function checkSchema(schema: string): string {
  if (SCHEMA.test(schema)) return schema;
  throw new OkaError(
    INVALID,
    `Invalid schema name "${schema}": use lower-case letters, digits and underscores.`,
    { data: { schema } },
  );
}

/** The server and the database, without user and password. */
export function postgresName(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL ${host || 'localhost'}${pathname === '/' ? '' : pathname}`;
}
