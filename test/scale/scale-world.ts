// One workspace and what executes its runs: this process, or workers of a Restate cluster. Tests are written once and run on each.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe } from 'vitest';
import type { JsonObject } from '../../src/kernel/index.ts';
import { policyOf } from '../policy/good-policies.ts';
import { freePort, LOOPBACK } from '../support/free-port.ts';
import { findPostgres, TestPostgres } from '../support/postgres.ts';
import { missingRestate, TestRestate } from '../support/restate.ts';
import { trustFolder } from '../support/trust-folder.ts';
import { WorkerPool } from '../support/worker-pool.ts';
import { TestWorkspace } from './test-workspace.ts';

const OKA = fileURLToPath(new URL('../../bin/oka.cjs', import.meta.url));
const TOKEN = 'a token that only the tests know';

/** How the runs of a workspace are executed. */
export interface ScaleBackend {
  readonly name: string;
  /** Why it cannot be had. */
  readonly missing: () => string | undefined;
  readonly restateNodes?: 1 | 3;
  readonly postgres?: true;
}

export const BACKENDS: readonly ScaleBackend[] = [
  { name: 'SQLite and this process', missing: () => undefined },
  { name: 'PostgreSQL and this process', missing: missingPostgres, postgres: true },
  {
    name: 'PostgreSQL and Restate',
    missing: () => missingPostgres() ?? missingRestate(),
    restateNodes: 1,
    postgres: true,
  },
];

function missingPostgres(): string | undefined {
  return findPostgres() === undefined ? 'there is no initdb and postgres' : undefined;
}

/** Describes tests for every backend that can be had, and says which cannot. */
export function onEachBackend(tests: (world: () => ScaleWorld) => void, backends = BACKENDS): void {
  for (const backend of backends) {
    const missing = backend.missing();
    if (missing !== undefined) process.stderr.write(`Skipped on ${backend.name}: ${missing}.\n`);
    const reason = missing === undefined ? '' : ` (skipped: ${missing})`;
    describe.skipIf(missing !== undefined)(`on ${backend.name}${reason}`, () => {
      let world: ScaleWorld;
      beforeAll(async () => {
        world = await ScaleWorld.open(backend);
      });
      afterAll(() => world?.close());
      tests(() => world);
    });
  }
}

/** As `onEachBackend`, for what only a cluster does. */
export function onClusters(tests: (world: () => ScaleWorld) => void): void {
  onEachBackend(
    tests,
    BACKENDS.filter(({ restateNodes }) => restateNodes !== undefined),
  );
}

const PATIENCE_MS = 240_000;

/** Looks until there is an answer. */
export async function until<Answer>(look: () => Promise<Answer | undefined>): Promise<Answer> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > giveUpAt) throw new Error('it did not happen in time');
  }
}

interface Worker {
  readonly process: ChildProcess;
  readonly url: string;
}

export class ScaleWorld extends TestWorkspace {
  /** Paths of the requests that runs have made, in order. */
  readonly effects: string[] = [];
  /** Called before a request is answered. */
  onEffect: (path: string, headers: IncomingHttpHeaders) => Promise<void> | void = () => undefined;
  readonly workers: Worker[] = [];
  /** Variables of the workers that are started next. */
  workerEnvironment: Readonly<Record<string, string>> = {};
  readonly restate: TestRestate | undefined;
  readonly postgres: TestPostgres | undefined;
  readonly #pool: WorkerPool | undefined;
  readonly #counter: ReturnType<typeof createServer>;

  private constructor(
    places: { readonly workspace: string; readonly home: string },
    servers: { readonly restate: TestRestate | undefined; readonly postgres: TestPostgres | undefined },
    pool: WorkerPool | undefined,
  ) {
    super(places);
    this.restate = servers.restate;
    this.postgres = servers.postgres;
    this.#pool = pool;
    this.#counter = createServer((request, response) => {
      const path = request.url ?? '';
      this.effects.push(path);
      void Promise.resolve(this.onEffect(path, request.headers)).then(() => response.end('done'));
    });
  }

  static async open({ restateNodes, postgres: onPostgres }: ScaleBackend): Promise<ScaleWorld> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'oka-scale-')));
    const [workspace, home] = [join(root, 'shop'), join(root, 'home')];
    for (const folder of [join(workspace, '.oka', 'graphs'), home]) mkdirSync(folder, { recursive: true });
    const restate = restateNodes === undefined ? undefined : await TestRestate.start({ nodes: restateNodes });
    const pool = restate === undefined ? undefined : await WorkerPool.open();
    const postgres = onPostgres ? await TestPostgres.create() : undefined;
    const world = new ScaleWorld({ workspace, home }, { restate, postgres }, pool);
    world.#counter.listen(0, LOOPBACK);
    await once(world.#counter, 'listening');
    world.configure();
    trustFolder(home, workspace);
    process.env['OKA_PROJECT_TOKEN'] = TOKEN;
    await world.oka.init({ trust: true });
    if (restate !== undefined) await Promise.all([world.startWorker(), world.startWorker()]);
    return world;
  }

  /** The address that counts requests. */
  get counter(): string {
    const { port } = this.#counter.address() as { port: number };
    return `http://${LOOPBACK}:${port}/`;
  }

  /** Writes the user's configuration, for what is opened next. */
  configure(more: JsonObject = {}): void {
    const { restate, postgres } = this;
    const addresses = restate && { ingress: restate.ingress, admin: restate.admin };
    const execution = addresses === undefined ? {} : { execution: { backend: 'restate', ...addresses } };
    const ledger = postgres === undefined ? {} : { ledger: { url: postgres.url } };
    const hosts = [new URL(this.counter).host];
    const config = { ...execution, ...ledger, allow_private: hosts, allow_hosts: hosts, ...more };
    writeFileSync(join(this.home, 'config.json'), JSON.stringify(config));
    const allowed = ['files.write', 'http.fetch', 'chat.send'].map(
      (tool) => `| \`${tool}\` | allow | a test |`,
    );
    writeFileSync(join(this.home, 'POLICY.md'), policyOf(...allowed));
  }

  get isCluster(): boolean {
    return this.restate !== undefined;
  }

  /** Starts a worker in a process of its own, behind the address that all share. */
  async startWorker(...args: readonly string[]): Promise<Worker> {
    const port = await freePort();
    const url = `http://${LOOPBACK}:${port}`;
    const place = args.includes('--advertise') ? [] : ['--advertise', this.#pool?.url ?? ''];
    // Restate asks the address for its handlers while the worker registers.
    if (place.length > 0) this.#pool?.add(url);
    const command = ['-C', this.workspace, 'worker', '--json', '--port', String(port), ...place, ...args];
    const started = spawn(process.execPath, [OKA, ...command], {
      env: { ...process.env, OKA_HOME: this.home, OKA_PROJECT_TOKEN: TOKEN, ...this.workerEnvironment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
      if (process.env['OKA_RESTATE_LOG']) process.stderr.write(text);
    });
    await new Promise<void>((resolve, reject) => {
      started.stdout?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (text.includes('"pid"')) resolve();
      });
      started.once('exit', (code) => {
        this.#pool?.remove(url);
        reject(new Error(`the worker ended with ${code}: ${said}`));
      });
    });
    const worker = { process: started, url };
    this.workers.push(worker);
    return worker;
  }

  /** The processes that have claimed runs, or one run, in order. */
  async driversOf(run?: string): Promise<readonly string[]> {
    const pids: string[] = [];
    for await (const event of this.oka.ledger.tail({ last: 1_000, follow: false }))
      if (event.type === 'run.claimed' && (run === undefined || event.stream === `run/${run}`))
        pids.push(String((event.data as { owner: string }).owner).split('@')[0] ?? '');
    return pids;
  }

  /** The worker that drives a run. */
  async workerOf(run: string): Promise<Worker> {
    const pid = (await this.driversOf(run)).at(-1);
    const found = this.workers.find(({ process: worker }) => String(worker.pid) === pid);
    if (found === undefined) throw new Error(`no worker drives ${run}`);
    return found;
  }

  /** Stops a worker as an operator does; resolves to its exit code. */
  async stopWorker(worker: Worker): Promise<number | null> {
    this.workers.splice(this.workers.indexOf(worker), 1);
    this.#pool?.remove(worker.url);
    worker.process.kill('SIGTERM');
    const [code] = (await once(worker.process, 'exit')) as [number | null];
    return code;
  }

  /** Starts workers until there are two. */
  async requireTwoWorkers(): Promise<void> {
    while (this.workers.length < 2) await this.startWorker();
  }

  /** Starts a worker with an address of its own, as one of another build. */
  async startDeployment(): Promise<Worker> {
    const port = await freePort();
    return this.startWorker('--port', String(port), '--advertise', `http://${LOOPBACK}:${port}`);
  }

  /** Starts a new worker, which reads the configuration again, and stops the old ones. */
  async replaceWorkers(...args: readonly string[]): Promise<void> {
    const before = [...this.workers];
    await this.startWorker(...args);
    for (const worker of before) await this.stopWorker(worker);
  }

  /** A user folder with the same configuration and trust. */
  async copyHome(folder: string): Promise<void> {
    cpSync(this.home, folder, { recursive: true });
  }

  async killWorker(worker: Worker): Promise<void> {
    this.workers.splice(this.workers.indexOf(worker), 1);
    this.#pool?.remove(worker.url);
    worker.process.kill('SIGKILL');
    await once(worker.process, 'exit');
  }

  async close(): Promise<void> {
    for (const { process: worker } of this.workers) worker.kill('SIGKILL');
    await this.oka.close();
    await this.#pool?.close();
    await this.restate?.stop();
    await this.postgres?.remove();
    this.#counter.close();
    this.#counter.closeAllConnections();
    rmSync(dirname(this.home), { recursive: true, force: true, maxRetries: 5 });
  }
}
