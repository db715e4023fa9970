// PostgreSQL for a topology: Debian's, or the npm package of bench where that is installed.

import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { findPrograms } from '../../bench/start-postgres.mjs';

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const USER = 'oka';

/**
 * Creates a cluster in an empty folder and answers with the process to start. Clients need the password; the URL has none,
 * the password file does.
 */
export async function postgresServer({ folder, address, port, password }) {
  const { initdb, postgres } = await findPrograms();
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(folder, { recursive: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (account.uid !== undefined) for (const path of [folder, passwordFile]) chownSync(path, NOBODY, NOBODY);
  const cluster = ['-D', data, '-U', USER, '-E', 'UTF8', '--locale=C'];
  execFileSync(initdb, [...cluster, '--auth=scram-sha-256', `--pwfile=${passwordFile}`], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  writeFileSync(join(data, 'pg_hba.conf'), 'host all all samenet scram-sha-256\n');
  const settings = { listen_addresses: address, port, unix_socket_directories: '' };
  const url = `postgres://${USER}@${address}:${port}/postgres`;
  return {
    url,
    process: {
      command: postgres,
      args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      cwd: folder,
      account: NOBODY,
      // A fast shutdown: transactions end, connections are closed.
      endWith: 'SIGINT',
      ready: () => connects(url, password),
    },
  };
}

/** Writes a password file as libpq and `pg` read it. */
export function writePasswordFile(file, { address, port, password }) {
  writeFileSync(file, `${address}:${port}:*:${USER}:${password}\n`, { mode: 0o600 });
}

async function connects(url, password) {
  const { hostname: host, port, username: user } = new URL(url);
  const place = { host, port: Number(port), user, password, database: 'postgres' };
  const client = new pg.Client({ ...place, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}
