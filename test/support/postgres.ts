// A PostgreSQL of the test's own: a private cluster in a temporary folder, on 127.0.0.1 and a free port.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const INSTALLED = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root; `nobody` will do. */
const NOBODY = 65_534;

/** The folder with PostgreSQL's programs; undefined where it is not installed. */
export function findPostgres(): string | undefined {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...newest.map((version) => join(INSTALLED, version, 'bin')),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** Why tests that need PostgreSQL are left out, for the name of the suite. */
export const NO_POSTGRES =
  'left out, because no initdb and postgres were found on PATH or in /usr/lib/postgresql';

/** A server that can be stopped and started again on the same data and port. */
export class TestPostgres {
  readonly url: string;
  readonly #programs: string;
  readonly #root: string;
  readonly #port: number;
  #server: ChildProcess | undefined;

  private constructor(programs: string, root: string, port: number) {
    this.#programs = programs;
    this.#root = root;
    this.#port = port;
    this.url = `postgres://oka@127.0.0.1:${port}/postgres`;
  }

  /** Creates a cluster and starts it. The caller removes it. */
  static async create(): Promise<TestPostgres> {
    const programs = findPostgres();
    if (programs === undefined) throw new Error(`tests with PostgreSQL are ${NO_POSTGRES}`);
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'oka-postgres-')));
    if (process.getuid?.() === 0) chownSync(root, NOBODY, NOBODY);
    const made = spawnSync(
      join(programs, 'initdb'),
      ['-D', join(root, 'data'), '-U', 'oka', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
      { encoding: 'utf8', cwd: root, ...unprivileged() },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
    const postgres = new TestPostgres(programs, root, await freePort());
    await postgres.start();
    return postgres;
  }

  /** Starts the server, unless it runs; resolves when it accepts connections. */
  async start(): Promise<void> {
    if (this.#server !== undefined) return;
    const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'shared_buffers=16MB'];
    const settings = [...options, 'fsync=off', 'max_connections=60'].flatMap((option) => ['-c', option]);
    const server = spawn(
      join(this.#programs, 'postgres'),
      ['-D', join(this.#root, 'data'), '-p', String(this.#port), ...settings],
      { cwd: this.#root, stdio: ['ignore', 'ignore', 'pipe'], ...unprivileged() },
    );
    this.#server = server;
    // A server must not outlive a test process that fails.
    const end = (): void => void server.kill('SIGQUIT');
    process.once('exit', end);
    server.once('exit', () => process.off('exit', end));
    await new Promise<void>((resolve, reject) => {
      let said = '';
      server.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-10_000);
        if (said.includes('ready to accept connections')) resolve();
      });
      server.once('exit', () => reject(new Error(`postgres ended: ${said}`)));
    });
  }

  /** Kills the server, like a lost machine; committed data stays. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGQUIT');
    await ended;
  }

  /** Stops the server and removes its data. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function unprivileged(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
