// The web server beside a bare server of the same framework: requests, and events for many streams. Both in this process, one
// after the other, so that they see the same load; their client is another process. Called with a workload, an empty folder and
// a number.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { HTTP_ROUTES, httpInput, openApiDocument } from '../../src/api/index.ts';
import { Calls } from '../../src/daemon/calls.ts';
import { WebServer } from '../../src/daemon/http/web-server.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import { LedgerFeed } from '../../src/runtime/ledger/ledger-feed.ts';
import { openOka } from './open-oka.mjs';
import { answer, quickest, result } from './workload.mjs';

const AT_ONCE = 32;
const STREAMS = 100;
const BATCH = 50;
const ROUNDS = 5;
/** What a route answers: about 1 KB. */
const VIEW = { run: { id: 'r', status: 'completed', steps: Array.from({ length: 5 }, (_, i) => result(i)) } };
const CLIENT = fileURLToPath(new URL('http-client.mjs', import.meta.url));

async function openOurs(folder) {
  const { ledger } = await openOka(folder, { kinds: [], tools: [] });
  const stateFile = join(folder, 'web.json');
  const server = await WebServer.open({
    calls: new Calls({ runs: { show: async () => VIEW } }),
    feed: new LedgerFeed(ledger, { folder: ledger.folder, listen: () => () => undefined }),
    clock: systemClock,
    random: systemRandom,
    routes: HTTP_ROUTES,
    inputOf: httpInput,
    openApi: openApiDocument,
    session: { workspace: 'bench', folder, version: '0' },
    status: () => ({}),
    onWarning: (what) => process.stderr.write(`${what}\n`),
    stateFile,
  });
  const { token } = JSON.parse(readFileSync(stateFile, 'utf8'));
  return { ledger, server, url: server.url, token };
}

async function openBare(app) {
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

/** A client that is told to go, and says when it is done. */
async function startClient(...args) {
  const child = spawn(process.execPath, [CLIENT, ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async (word) => {
    const { value } = await lines.next();
    if (value !== word) throw new Error(`the client said ${value} instead of ${word}`);
  };
  await said('ready');
  return {
    /** The milliseconds that it took; `act` is what the server does meanwhile. */
    async time(act = async () => undefined) {
      child.stdin.write('go\n');
      await said('going');
      const begun = performance.now();
      await act();
      await said('done');
      return performance.now() - begun;
    },
    end: () => child.stdin.end(),
  };
}

const workloads = {
  async requests(folder, count) {
    const ours = await openOurs(folder);
    const app = new Hono().get('/v1/runs/:run', (c) => c.json(VIEW));
    const bare = await openBare(app);
    const clients = {
      ours: await startClient('requests', `${ours.url}/v1/runs/r`, ours.token, count, AT_ONCE),
      bare: await startClient('requests', `${bare}/v1/runs/r`, 'none', count, AT_ONCE),
    };
    const times = await alternate(clients, {});
    answer({ oursPerSecond: (count * 1_000) / times.ours, barePerSecond: (count * 1_000) / times.bare });
  },

  async events(folder, count) {
    const ours = await openOurs(folder);
    const listeners = new Set();
    const app = new Hono().get('/v1/events', (c) =>
      streamSSE(c, (stream) => {
        listeners.add(stream);
        return new Promise(() => undefined);
      }),
    );
    const bare = await openBare(app);
    const clients = {
      ours: await startClient('streams', `${ours.url}/v1/events`, ours.token, count, STREAMS),
      bare: await startClient('streams', `${bare}/v1/events`, 'none', count, STREAMS),
    };
    let position = 0;
    const times = await alternate(clients, {
      ours: async () => {
        for (let i = 0; i < count; i += BATCH) {
          const events = Array.from({ length: BATCH }, (_, j) => ({
            type: 'note.added',
            data: result(i + j),
          }));
          await ours.ledger.store.commit({
            actor: 'bench',
            sync: 'normal',
            appends: [{ stream: 'notes', events }],
          });
        }
      },
      bare: async () => {
        for (let i = 0; i < count; i++) {
          position += 1;
          const event = { position, stream: 'notes', type: 'note.added', at: position, data: result(i) };
          const message = { event: 'ledger', id: String(position), data: JSON.stringify(event) };
          await Promise.all([...listeners].map((stream) => stream.writeSSE(message)));
        }
      },
    });
    const delivered = count * STREAMS * 1_000;
    answer({ oursPerSecond: delivered / times.ours, barePerSecond: delivered / times.bare });
  },
};

/** The quickest times of both, after one that warms up. */
async function alternate(clients, acts) {
  const times = { ours: [], bare: [] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of ['ours', 'bare']) {
      const ms = await clients[name].time(acts[name]);
      if (round > 0) times[name].push(ms);
    }
  for (const client of Object.values(clients)) client.end();
  return { ours: quickest(times.ours), bare: quickest(times.bare) };
}

const [workload, folder, count] = process.argv.slice(2);
await workloads[workload](folder, Number(count));
process.exit(0);
