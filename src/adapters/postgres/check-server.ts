import type { PostgresConnection } from './connection.ts';
import { requireKnown } from './migrations.ts';
import { translatePostgresError } from './postgres-error.ts';

/** The state that PostgreSQL itself reports at a write. */
const READ_ONLY = { code: '25006' };

/** What is known about the schema of a ledger. */
export interface ServerCheck {
  readonly server: string;
  readonly schema: string;
  /** The version of the stored schema; 0 before the first use. */
  readonly version: number;
}

/** Throws at once unless the server can be reached, supports this build and takes writes. Changes nothing. */
export async function checkServer(connection: PostgresConnection): Promise<ServerCheck> {
  const { server, schema } = connection;
  try {
    return await connection.tryOnce(async (client) => {
      const { rows } = await client.query(
        "SELECT to_regclass('migrations') IS NOT NULL AS exists, current_setting('transaction_read_only') AS read_only",
      );
      const { exists, read_only: readOnly } = rows[0] as { exists: boolean; read_only: string };
      if (readOnly === 'on') throw Object.assign(new Error('transactions are read-only'), READ_ONLY);
      if (!exists) return { server, schema, version: 0 };
      const found = await client.query('SELECT coalesce(max(version), 0) AS version FROM migrations');
      const { version } = found.rows[0] as { version: number };
      requireKnown(version, `${server}, schema ${schema}`);
      // Fails if the user may only read.
      await client.query('INSERT INTO events SELECT * FROM events WHERE false');
      return { server, schema, version };
    });
  } catch (error) {
    throw translatePostgresError(error, server);
  }
}
