import { OkaError } from '../../kernel/index.ts';
import type { ReplicationErrorCode } from '../../ledger/index.ts';

const INVALID: ReplicationErrorCode = 'replication.invalid';
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/** Refuses what is no connection string, without repeating it: there may be a password in it. */
export function checkPostgresUrl(url: string, from: string): string {
  const trimmed = url.trim();
  const isFine = URL.canParse(trimmed) && ['postgres:', 'postgresql:'].includes(new URL(trimmed).protocol);
  if (isFine) return trimmed;
  throw new OkaError(
    INVALID,
    `${from} does not hold a connection string; write it as in postgres://user:password@host:5432/database.`,
    { data: { from } },
  );
}

/** Refuses a schema that would need quotes. */
export function checkSchema(schema: string): string {
  if (SCHEMA.test(schema)) return schema;
  throw new OkaError(
    INVALID,
    `"${schema}" is no name for the schema of a replica; use small letters, digits and underscores.`,
    { data: { schema } },
  );
}

/** The server and the database, for people; neither user nor password. */
export function postgresName(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL ${host || 'localhost'}${pathname === '/' ? '' : pathname}`;
}
