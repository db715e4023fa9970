// Oka on PostgreSQL and Restate. This process starts the runs and waits for them; workers drive them, each a process of the
// built command. Called with a workload, an empty folder, and what `scale-figures.mjs` has started, as JSON.

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Oka } from '../../dist/index.js';
import { freePort, LOOPBACK } from './free-port.mjs';
import { connectionsTo, cpuMsOf, memoryMb, peakMemoryBelow, peakMemoryMb } from './process-use.mjs';
import {
  answer,
  CALLS_AT_ONCE,
  CONCURRENT_RUNS,
  PEER_GOES,
  result,
  STEPS,
  STEPS_OF_A_SHORT_RUN,
  stepsPerSecond,
  WARM_UP_RUNS,
} from './workload.mjs';

const COMMAND = fileURLToPath(new URL('../../bin/oka.cjs', import.meta.url));
const TOKEN = 'a token of the bench';

const [, folder, given] = process.argv.slice(2);
const servers = JSON.parse(given);
const [workspace, home] = [join(folder, 'shop'), join(folder, 'home')];

/** Nodes that compute what a step of the peers gives. */
function fiveNodes() {
  const nodes = Array.from({ length: STEPS_OF_A_SHORT_RUN }, (_, i) => ({
    node_id: `node-${i}`,
    type: 'transform',
    expression: JSON.stringify(result(i)),
    next: i + 1 < STEPS_OF_A_SHORT_RUN ? `node-${i + 1}` : 'end',
  }));
  return {
    ...{ id: 'five', name: 'five', version: 1, start: 'start' },
    execution_defaults: { guarantee_mode: 'flex' },
    nodes: [{ node_id: 'start', type: 'start', next: 'node-0' }, ...nodes, { node_id: 'end', type: 'end' }],
  };
}

function makeWorkspace() {
  for (const made of [join(workspace, '.oka', 'graphs'), home]) mkdirSync(made, { recursive: true });
  const { ingress, admin, postgres: url } = servers;
  const config = { execution: { backend: 'restate', ingress, admin }, ledger: { url } };
  writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  writeFileSync(join(workspace, '.oka', 'graphs', 'five.json'), JSON.stringify(fiveNodes()));
}

/** One address for all workers: each new connection goes to the next of them. */
async function sharedAddress(ports) {
  let next = 0;
  const server = createServer((socket) => {
    const worker = connect(ports[next++ % ports.length], LOOPBACK);
    socket.on('error', () => worker.destroy()).pipe(worker);
    worker.on('error', () => socket.destroy()).pipe(socket);
  });
  await new Promise((resolve) => server.listen(0, LOOPBACK, resolve));
  return `http://${LOOPBACK}:${server.address().port}`;
}

async function startWorkers(count) {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const shared = count === 1 ? [] : ['--advertise', await sharedAddress(ports)];
  const env = { ...process.env, OKA_HOME: home };
  const workers = ports.map((port) =>
    spawn(
      process.execPath,
      [COMMAND, '-C', workspace, 'worker', '--json', '--port', String(port), ...shared],
      {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    ),
  );
  process.on('exit', () => {
    for (const worker of workers) worker.kill('SIGKILL');
  });
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise((resolve, reject) => {
          worker.stdout.on('data', (text) => String(text).includes('"pid"') && resolve());
          worker.on('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
        }),
    ),
  );
  return workers.map(({ pid }) => pid);
}

/** The bytes of the project's tables and their indexes. */
async function databaseBytes() {
  const client = new pg.Client({ connectionString: servers.postgres });
  await client.connect();
  const { rows } =
    await client.query(`SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname LIKE 'oka%' AND c.relkind = 'r'`);
  await client.end();
  return rows[0].bytes;
}

const restateBytes = () =>
  readdirSync(servers.restateData, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(1));
process.env.OKA_PROJECT_TOKEN = TOKEN;
for (const name of ['OKA_HOME', 'OKA_LEDGER_URL']) delete process.env[name];
makeWorkspace();
const oka = new Oka({ workspace, home });
await oka.init({ trust: true });
const workers = await startWorkers(servers.workers);
const idleMb = workers.map(memoryMb);

async function runOne(n) {
  const { run } = await oka.graphs.run({ graph: 'five', input: { n }, simulate: false, budgets: {} });
  if (run.status !== 'completed') throw new Error(`Error: run ${run.id} is ${run.status}`);
}

/** So many runs, as many calls at once as the client of Restate has connections. */
async function together(runs) {
  let left = runs;
  const next = async () => {
    while (left > 0) await runOne(left--);
  };
  await Promise.all(Array.from({ length: Math.min(runs, CALLS_AT_ONCE) }, next));
}

const port = Number(new URL(servers.postgres).port);
const processes = {
  starter: [process.pid],
  workers,
  postgres: [servers.postgresPid],
  restate: [servers.restatePid],
};
const cpuNow = () =>
  Object.fromEntries(
    Object.entries(processes).map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0)]),
  );

const warmUp = servers.goes === undefined ? WARM_UP_RUNS : 1;
await together((warmUp * STEPS) / STEPS_OF_A_SHORT_RUN);
const before = { bytes: await databaseBytes(), cpu: cpuNow() };
const quickestGo = await stepsPerSecond(servers.goes ?? PEER_GOES, () => together(CONCURRENT_RUNS));
const runs = CONCURRENT_RUNS * (servers.goes ?? PEER_GOES);
const cpu = cpuNow();
// The workers are below this process.
cpu.starter -= cpu.workers - before.cpu.workers;
answer({
  stepsPerSecond: quickestGo,
  workerIdleMb: Math.max(...idleMb),
  workerPeakMb: Math.max(...workers.map(peakMemoryMb)),
  restatePeakMb: peakMemoryBelow(servers.restatePid),
  bytesPerRun: ((await databaseBytes()) - before.bytes) / runs,
  restateMb: restateBytes() / 1e6,
  connectionsPerWorker: Math.max(...workers.map((pid) => connectionsTo(pid, port))),
  cpuMsPerRun: Object.fromEntries(
    Object.keys(cpu).map((name) => [name, Number(((cpu[name] - before.cpu[name]) / runs).toFixed(2))]),
  ),
});
process.exit(0);
