// Restate servers of the test's own, on free ports of 127.0.0.1, with their data in a temporary folder. The server is an
// optional program under its own licence, so it is installed apart from the packages of the project.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, LOOPBACK } from './free-port.ts';

const VERSION = '1.7.12';
const FOLDER = fileURLToPath(
  new URL(`../../node_modules/.cache/oka-servers/restate-${VERSION}`, import.meta.url),
);
const PROGRAM = join(
  FOLDER,
  'node_modules',
  '@restatedev',
  `restate-server-${process.platform}-${process.arch}`,
  'bin',
  'restate-server',
);
const STARTS_WITHIN_MS = 120_000;

let installed: string | undefined | 'unknown' = 'unknown';

/** Disables DNS, because the server asks an external host for its newest release, whatever its settings say. */
function withoutNames(program: string): [string, ...string[]] {
  const hasSandbox = spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0;
  if (!hasSandbox) return [program];
  return [
    'bwrap',
    '--dev-bind',
    '/',
    '/',
    '--ro-bind',
    '/dev/null',
    '/etc/resolv.conf',
    '--die-with-parent',
    program,
  ];
}

/** Why there is no server; undefined if there is one. Installs it once. */
export function missingRestate(): string | undefined {
  if (installed !== 'unknown') return installed;
  if (!existsSync(PROGRAM)) {
    mkdirSync(FOLDER, { recursive: true });
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    const args = ['install', '--ignore-scripts', '--no-save', ...quiet, '--prefix', FOLDER];
    spawnSync('npm', [...args, `@restatedev/restate-server@${VERSION}`], { stdio: 'inherit' });
  }
  installed = existsSync(PROGRAM)
    ? undefined
    : `@restatedev/restate-server ${VERSION} could not be installed for ${process.platform}-${process.arch}`;
  return installed;
}

interface Ports {
  readonly ingress: number;
  readonly admin: number;
  readonly node: number;
}

/** One node: it can be killed and started again on the same data and ports. */
export class RestateNode {
  readonly #folder: string;
  readonly #ports: Ports;
  readonly #settings: Readonly<Record<string, string>>;
  #server: ChildProcess | undefined;

  constructor(folder: string, ports: Ports, settings: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#ports = ports;
    this.#settings = settings;
  }

  get ingress(): string {
    return `http://${LOOPBACK}:${this.#ports.ingress}`;
  }

  get admin(): string {
    return `http://${LOOPBACK}:${this.#ports.admin}`;
  }

  /** Starts the server, unless it runs; resolves when it accepts calls. */
  async start(): Promise<void> {
    if (this.#server !== undefined) return;
    // The data folder contains nothing else: the server treats other folders in it as data of other nodes.
    const temporary = `${this.#folder}-tmp`;
    for (const folder of [this.#folder, temporary]) mkdirSync(folder, { recursive: true });
    const { ingress, admin, node } = this.#ports;
    const place = ['--bind-ip', LOOPBACK, '--bind-port', String(node), '--advertised-host', LOOPBACK];
    const [program, ...before] = withoutNames(PROGRAM);
    const server = spawn(
      program,
      [...before, '--no-logo', '--listen-mode', 'tcp', '--base-dir', this.#folder, ...place],
      {
        env: {
          PATH: process.env['PATH'],
          TMPDIR: temporary,
          RESTATE_DISABLE_TELEMETRY: 'true',
          RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
          DO_NOT_TRACK: '1',
          RESTATE_LOG_FILTER: 'error',
          RESTATE_INGRESS__BIND_PORT: String(ingress),
          RESTATE_ADMIN__BIND_PORT: String(admin),
          RESTATE_DEFAULT_NUM_PARTITIONS: '4',
          RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
          RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: '2s',
          RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: '2s',
          ...this.#settings,
        },
        stdio: process.env['OKA_RESTATE_LOG'] ? 'inherit' : 'ignore',
      },
    );
    this.#server = server;
    const end = (): void => void server.kill('SIGKILL');
    process.once('exit', end);
    server.once('exit', () => {
      process.off('exit', end);
      if (this.#server === server) this.#server = undefined;
    });
    await this.#ready();
  }

  async #ready(): Promise<void> {
    const giveUpAt = Date.now() + STARTS_WITHIN_MS;
    for (;;) {
      const answers = await Promise.all(
        [`${this.admin}/health`, `${this.ingress}/restate/health`].map((url) =>
          fetch(url).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      );
      if (answers.every((ok) => ok)) return;
      if (this.#server === undefined || Date.now() > giveUpAt) throw new Error('Restate did not start');
      await sleep(50);
    }
  }

  /** Starts the server again without what it knew. */
  async loseData(): Promise<void> {
    await this.kill();
    // The sandbox around the server ends first.
    const isUp = (): Promise<boolean> =>
      fetch(`${this.admin}/health`).then(
        () => true,
        () => false,
      );
    while (await isUp()) await sleep(50);
    rmSync(this.#folder, { recursive: true, force: true });
    await this.start();
  }

  /** Kills the server, like a lost machine. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (server === undefined || server.exitCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

export class TestRestate {
  readonly nodes: readonly RestateNode[];
  readonly #root: string;

  private constructor(nodes: readonly RestateNode[], root: string) {
    this.nodes = nodes;
    this.#root = root;
  }

  get ingress(): string {
    return (this.nodes[0] as RestateNode).ingress;
  }

  get admin(): string {
    return (this.nodes[0] as RestateNode).admin;
  }

  /** Starts one node, or a cluster that replicates to two of three. The caller stops it. */
  static async start({ nodes: count = 1 }: { readonly nodes?: 1 | 3 } = {}): Promise<TestRestate> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'oka-restate-')));
    const ports: Ports[] = [];
    for (let i = 0; i < count; i++)
      ports.push({ ingress: await freePort(), admin: await freePort(), node: await freePort() });
    const addresses = JSON.stringify(ports.map(({ node }) => `http://${LOOPBACK}:${node}`));
    const nodes = ports.map((own, i) => {
      const name = { RESTATE_NODE_NAME: `node-${i + 1}` };
      const cluster = {
        ...name,
        RESTATE_CLUSTER_NAME: 'oka-test',
        RESTATE_DEFAULT_REPLICATION: '2',
        RESTATE_METADATA_CLIENT__ADDRESSES: addresses,
        RESTATE_AUTO_PROVISION: String(i === 0),
      };
      return new RestateNode(join(root, `node-${i + 1}`), own, count === 1 ? name : cluster);
    });
    const made = new TestRestate(nodes, root);
    try {
      await Promise.all(nodes.map((node) => node.start()));
    } catch (error) {
      await made.stop();
      throw error;
    }
    return made;
  }

  async loseData(): Promise<void> {
    for (const node of this.nodes) await node.loseData();
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    rmSync(this.#root, { recursive: true, force: true });
  }
}
