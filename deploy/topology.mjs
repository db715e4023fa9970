// The topology of compose.yaml as plain processes: PostgreSQL, Restate, workers and the daemon, each on a host of its own.
//
//   node deploy/topology.mjs [--folder <empty folder>] [--restate 1|3] [--workers <n>] [--loopback]

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../bench/subjects/free-port.mjs';
import { accepts, Hosts } from './hosts.mjs';
import { postgresServer, writePasswordFile } from './servers/postgres.mjs';
import { installRestate, restateNode, restateServes } from './servers/restate.mjs';

const THIS_BUILD = fileURLToPath(new URL('../bin/oka.cjs', import.meta.url));
const FORWARDER = fileURLToPath(new URL('forward.mjs', import.meta.url));
const PORTS = { postgres: 5432, ingress: 8080, admin: 9070, node: 5122, worker: 9080, web: 4321 };

/**
 * Starts everything and answers when it is ready. `folder` must be empty; it gets the data, the workspace, the user's folder
 * and the logs. `oka` is the program to start, this build's by default. Hosts and processes have the same names: `postgres`,
 * `restate-1`, `worker-1`, `daemon`, and `workers`, which forwards connections to any worker. With several nodes the host
 * `restate` does that for them.
 */
export async function startTopology(options) {
  const { folder, network = 'auto', restate = 1, workers = 2, daemon = true } = options;
  const { oka: program = THIS_BUILD } = options;
  // PostgreSQL runs as another user and has to reach its data.
  chmodSync(folder, 0o711);
  const hosts = new Hosts({ folder, network });
  try {
    const parts = { hosts, folder, program, portOf: portsOf(hosts) };
    const database = await startPostgres(parts);
    const cluster = await startRestate(parts, restate);
    const oka = prepareWorkspace(parts, { database, cluster });
    if (workers > 0) await startWorkers(parts, oka, workers);
    const web = daemon ? await startDaemon(parts, oka) : undefined;
    return { ...oka, hosts, ledger: database.url, nodes: cluster.nodes, web, stop: () => hosts.stop() };
  } catch (error) {
    await hosts.stop();
    throw error;
  }
}

/** The usual ports, each host having them all to itself; free ones where all hosts are one. */
function portsOf(hosts) {
  return async (name) => (hosts.network.kind === 'namespaces' ? PORTS[name] : freePort());
}

async function startPostgres({ hosts, folder, portOf }) {
  const address = hosts.addHost('postgres');
  const place = { address, port: await portOf('postgres'), password: randomBytes(16).toString('hex') };
  const server = await postgresServer({ ...place, folder: join(folder, 'postgres') });
  await hosts.start('postgres', { host: 'postgres', ...server.process });
  const passwordFile = join(folder, 'pgpass');
  writePasswordFile(passwordFile, place);
  return { url: server.url, passwordFile };
}

async function startRestate({ hosts, folder, portOf }, count) {
  const program = await installRestate();
  const nodes = [];
  for (let i = 1; i <= count; i++) {
    const name = `restate-${i}`;
    const ports = {
      ingress: await portOf('ingress'),
      admin: await portOf('admin'),
      node: await portOf('node'),
    };
    nodes.push({ name, address: hosts.addHost(name), ports });
  }
  const start = (node) => {
    const own = join(folder, node.name);
    mkdirSync(own);
    const options = restateNode({ program, folder: own, node, nodes });
    return hosts.start(node.name, { host: node.name, ...options, ready: () => restateServes(node) });
  };
  // A node is ready only when others are, so they start together.
  await Promise.all(nodes.map(start));
  return { nodes, ...(await startRestateAddress({ hosts, portOf }, nodes)) };
}

/** Where clients find Restate: the only node, or an address that leads to any node that runs. */
async function startRestateAddress({ hosts, portOf }, nodes) {
  const [only] = nodes;
  const url = (place, port) => `http://${place}:${port}`;
  if (nodes.length === 1)
    return { ingress: url(only.address, only.ports.ingress), admin: url(only.address, only.ports.admin) };
  const address = hosts.addHost('restate');
  const forward = async (name) => {
    const targets = nodes.map((node) => `${node.address}:${node.ports[name]}`);
    const port = await portOf(name);
    await startForwarder(hosts, { name: `restate-${name}`, host: 'restate', address, port, targets });
    return url(address, port);
  };
  return { ingress: await forward('ingress'), admin: await forward('admin') };
}

function startForwarder(hosts, { name, host = name, address, port, targets }) {
  return hosts.start(name, {
    host,
    command: process.execPath,
    args: [FORWARDER, address, String(port), ...targets],
  });
}

/** The workspace and the user's folder that workers and daemon share, as the containers share volumes. */
function prepareWorkspace({ folder, program }, { database, cluster }) {
  const workspace = join(folder, 'workspace');
  const home = join(folder, 'home');
  for (const path of [workspace, home, join(folder, 'runtime')]) mkdirSync(path, { mode: 0o700 });
  const environment = {
    OKA_HOME: home,
    OKA_LEDGER_URL: database.url,
    PGPASSFILE: database.passwordFile,
    OKA_EXECUTION_BACKEND: 'restate',
    OKA_RESTATE_INGRESS: cluster.ingress,
    OKA_RESTATE_ADMIN: cluster.admin,
    OKA_PROJECT_TOKEN: randomBytes(32).toString('hex'),
    XDG_RUNTIME_DIR: join(folder, 'runtime'),
  };
  const env = { ...process.env, ...environment };
  execFileSync(process.execPath, [program, '-C', workspace, 'init', '--trust'], { env, stdio: 'pipe' });
  return { workspace, home, environment };
}

async function startWorkers({ hosts, portOf, program }, { workspace, environment }, count) {
  // Restate keeps a run with one address, so the workers of one build have one together.
  const pool = { name: 'workers', address: hosts.addHost('workers'), port: await portOf('worker') };
  const places = [];
  for (let i = 1; i <= count; i++)
    places.push({
      name: `worker-${i}`,
      address: hosts.addHost(`worker-${i}`),
      port: await portOf('worker'),
    });
  const targets = places.map(({ address, port }) => `${address}:${port}`);
  await startForwarder(hosts, { ...pool, targets });
  for (const { name, address, port } of places) {
    const place = ['--host', address, '--port', String(port)];
    await hosts.start(name, {
      host: name,
      command: process.execPath,
      args: [program, 'worker', workspace, ...place, '--advertise', `http://${pool.address}:${pool.port}`],
      env: environment,
      cwd: workspace,
      ready: async (said) => {
        if (!said.includes('Worker listens on')) throw new Error('it has not registered with Restate');
      },
    });
  }
}

async function startDaemon({ hosts, portOf, program }, { workspace, environment }) {
  const address = hosts.addHost('daemon');
  const url = `http://${address}:${await portOf('web')}`;
  await hosts.start('daemon', {
    host: 'daemon',
    command: process.execPath,
    args: [program, '-C', workspace, 'up', '--foreground'],
    env: { ...environment, OKA_WEB_LISTEN: new URL(url).host },
    cwd: workspace,
    // It refuses requests that do not name 127.0.0.1, but it answers.
    ready: () => accepts(url, () => true),
  });
  return url;
}

function printTopology({ hosts, ledger, workspace, environment, web }, folder) {
  const { kind, reason } = hosts.network;
  const where =
    kind === 'namespaces'
      ? 'Each host has a network namespace of its own.'
      : `All hosts are 127.0.0.1, and none can be cut off: ${reason}.`;
  const lines = [
    where,
    ...Object.entries(hosts.addresses).map(([name, address]) => `  ${name.padEnd(12)}${address}`),
    `Ledger     ${ledger}`,
    `Restate    ${environment.OKA_RESTATE_INGRESS}`,
    `Web app    ${web}`,
    `Workspace  ${workspace}`,
    `Logs       ${join(folder, 'logs')}`,
    'Ctrl-C stops everything.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function main() {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      restate: { type: 'string', default: '1' },
      workers: { type: 'string', default: '2' },
      loopback: { type: 'boolean', default: false },
    },
  });
  const folder = values.folder ?? realpathSync(mkdtempSync(join(tmpdir(), 'oka-topology-')));
  mkdirSync(folder, { recursive: true });
  const topology = await startTopology({
    folder,
    network: values.loopback ? 'loopback' : 'auto',
    restate: Number(values.restate),
    workers: Number(values.workers),
  });
  printTopology(topology, folder);
  await new Promise((resolve) => {
    // Keeps the process until a signal arrives.
    const waiting = setInterval(() => undefined, 60_000);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.once(signal, () => {
        clearInterval(waiting);
        resolve();
      });
  });
  await topology.stop();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
