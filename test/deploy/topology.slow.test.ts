import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { accepts, Hosts } from '../../deploy/hosts.mjs';
import { openNetwork } from '../../deploy/network.mjs';
import { findRestate } from '../../deploy/servers/restate.mjs';
import { startTopology } from '../../deploy/topology.mjs';
import { root } from '../checkout.ts';
import { findPostgres, NO_POSTGRES } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PORT = 8000;
const NAMESPACES = '/run/netns';
/** Long enough for a busy machine where an answer is expected, short where there is none. */
const ANSWERS_WITHIN_MS = 60_000;
const SILENT_FOR_MS = 2_000;

const network = openNetwork();
const { kind, reason } = network;
network.close();

const server = (address: string, text: string): readonly string[] => [
  '-e',
  `require('node:http').createServer((_, response) => response.end('${text}')).listen(${PORT}, '${address}')`,
];

/** A host with a web server on it that answers with its name. */
async function addServer(hosts: Hosts, name: string): Promise<void> {
  const address = hosts.addHost(name);
  await hosts.start(name, {
    host: name,
    command: process.execPath,
    args: server(address, name),
    ready: () => accepts(`http://${address}:${PORT}/`),
  });
}

let probes = 0;

/** Whether a program on one host gets an answer of another within a time. */
async function reaches(
  hosts: Hosts,
  from: string,
  to: string,
  withinMs = ANSWERS_WITHIN_MS,
): Promise<boolean> {
  const name = `probe-${++probes}`;
  const url = `http://${hosts.addresses[to]}:${PORT}/`;
  const script = `fetch('${url}', { signal: AbortSignal.timeout(${withinMs}) }).then(() => process.exit(0), () => process.exit(3))`;
  await hosts.start(name, { host: from, command: process.execPath, args: ['-e', script] });
  const exitCode = await hosts.ended(name);
  expect([0, 3]).toContain(exitCode);
  return exitCode === 0;
}

function openHosts(network?: 'loopback'): Hosts {
  const hosts = new Hosts({ folder: tempFolder('oka-hosts-'), ...(network && { network }) });
  onTestFinished(() => hosts.stop());
  return hosts;
}

const isolated = kind === 'namespaces' ? '' : ` (left out, because ${reason})`;

describe.skipIf(isolated !== '')(`hosts in network namespaces${isolated}`, () => {
  test('a host that is cut off is unreachable for the others and reaches none, until it is healed', async () => {
    const hosts = openHosts();
    for (const name of ['a', 'b', 'c']) await addServer(hosts, name);
    expect(new Set(Object.values(hosts.addresses)).size).toBe(3);
    expect(await reaches(hosts, 'a', 'b')).toBe(true);
    expect(await reaches(hosts, 'b', 'c')).toBe(true);

    hosts.cut('b');
    expect(await reaches(hosts, 'a', 'b', SILENT_FOR_MS)).toBe(false);
    expect(await reaches(hosts, 'b', 'c', SILENT_FOR_MS)).toBe(false);
    expect(await reaches(hosts, 'a', 'c')).toBe(true);
    expect(await reaches(hosts, 'c', 'a')).toBe(true);

    hosts.heal('b');
    expect(await reaches(hosts, 'a', 'b')).toBe(true);
    expect(await reaches(hosts, 'b', 'c')).toBe(true);
  });

  test('a host reaches no address outside', async () => {
    const hosts = openHosts();
    hosts.addHost('a');
    await hosts.start('routes', { host: 'a', command: 'ip', args: ['route', 'show', 'default'] });
    expect(await hosts.ended('routes')).toBe(0);
    expect(readFileSync(hosts.logFile('routes'), 'utf8')).toBe('');
  });

  test('stopping removes every namespace and interface', async () => {
    const hosts = openHosts();
    await addServer(hosts, 'a');
    const own = () => readdirSync(NAMESPACES).filter((name) => name.startsWith(`oka-${process.pid}.`));
    const interfaces = () =>
      readdirSync('/sys/class/net').filter((name) => name.startsWith(`oka${process.pid}n`));
    expect(own()).toHaveLength(2);
    expect(interfaces()).toHaveLength(1);
    await hosts.stop();
    expect(own()).toEqual([]);
    expect(interfaces()).toEqual([]);
  });

  test('processes of a killed script end with it, and the next start removes its namespaces', async () => {
    const folder = tempFolder('oka-hosts-');
    const script = `
      import { Hosts } from ${JSON.stringify(join(root, 'deploy', 'hosts.mjs'))};
      const hosts = new Hosts({ folder: ${JSON.stringify(folder)} });
      hosts.addHost('a');
      await hosts.start('server', {
        host: 'a',
        command: process.execPath,
        args: ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)'],
        ready: async () => {
          if ((await import('node:fs')).readFileSync(hosts.logFile('server'), 'utf8') === '') throw new Error('silent');
        },
      });
      process.kill(process.pid, 'SIGKILL');
    `;
    const killed = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(killed.signal, killed.stderr).toBe('SIGKILL');
    const left = () => readdirSync(NAMESPACES).filter((name) => name.startsWith(`oka-${killed.pid}.`));
    expect(left()).toHaveLength(2);
    openHosts();
    expect(left()).toEqual([]);
    const pid = readFileSync(join(folder, 'logs', 'server.log'), 'utf8').trim();
    await expect.poll(() => isAlive(pid), { timeout: ANSWERS_WITHIN_MS }).toBe(false);
  });
});

test('without namespaces every host is 127.0.0.1, and a cut is refused with the reason', () => {
  const hosts = openHosts('loopback');
  expect([hosts.addHost('a'), hosts.addHost('b')]).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(() => hosts.cut('a')).toThrow('every host is 127.0.0.1, because it was asked for');
});

test('a process that is killed can be started again; its log continues', async () => {
  const hosts = openHosts('loopback');
  hosts.addHost('a');
  await hosts.start('clock', {
    host: 'a',
    command: process.execPath,
    args: ['-e', 'console.log("started"); setInterval(() => {}, 1000)'],
    ready: async (said) => expect(said).toBe('started\n'),
  });
  await hosts.kill('clock');
  expect(await hosts.ended('clock')).toBeNull();
  await hosts.restart('clock');
  await hosts.kill('clock', 'SIGTERM');
  expect(readFileSync(hosts.logFile('clock'), 'utf8')).toBe('started\nstarted\n');
});

test('a process that ends before it is ready is reported with its last output', async () => {
  const hosts = openHosts('loopback');
  hosts.addHost('a');
  const started = hosts.start('broken', {
    host: 'a',
    command: process.execPath,
    args: ['-e', 'console.error("no such database"); process.exit(1)'],
    ready: () => Promise.reject(new Error('not yet')),
  });
  await expect(started).rejects.toThrow('broken ended before it was ready\nno such database');
});

const missing = [
  ...(findPostgres() === undefined ? [NO_POSTGRES] : []),
  ...(findRestate() === undefined ? ['left out, because Restate is not installed'] : []),
];

describe.skipIf(missing.length > 0)(`the topology${missing.map((why) => ` (${why})`).join('')}`, () => {
  test('PostgreSQL, three nodes of Restate and the daemon run; one node may be killed', async () => {
    const folder = tempFolder('oka-topology-');
    const topology = await startTopology({ folder, restate: 3, workers: 0 });
    onTestFinished(() => topology.stop());
    const { environment, hosts } = topology;
    const { OKA_RESTATE_INGRESS: ingress, PGPASSFILE: passwordFile = '' } = environment;

    const password = readFileSync(passwordFile, 'utf8').trim().split(':').at(-1) ?? '';
    const client = new pg.Client({ connectionString: topology.ledger.replace('@', `:${password}@`) });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();

    await hosts.kill('restate-1');
    await accepts(`${ingress}/restate/health`);
    await hosts.restart('restate-1');
    expect(await statusAt(topology.web ?? '')).toBe(401);
    await topology.stop();
    expect(existsSync(hosts.logFile('daemon'))).toBe(true);
  });
});

/** What the daemon answers to a browser of this machine without a session. */
function statusAt(url: string): Promise<number | undefined> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    request(`${url}/v1/status`, { headers: { host: `127.0.0.1:${port}` } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

/** A process that has ended may stay as a zombie until its parent asks for it. */
function isAlive(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
