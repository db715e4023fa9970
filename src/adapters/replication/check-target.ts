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

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Rejects invalid addresses, addresses with a password, and unencrypted ones outside this machine. */
export function checkHttpUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol))
    throw invalid('The address of the endpoint is not an http or https address');
  if (parsed.username !== '' || parsed.password !== '')
    throw invalid(
      'The address of the endpoint contains a password; put it in the vault and name it in token_secret',
    );
  if (parsed.protocol === 'http:' && !LOOPBACK.test(parsed.hostname))
    throw invalid(`The ledger would be sent to ${parsed.host} unencrypted; use https`);
  return parsed;
}

function invalid(what: string): OkaError<ReplicationErrorCode> {
  return new OkaError('replication.invalid', `${what}. Fix replication in your config.json.`);
}
