// Restate: its server on the loopback interface, and a service of its SDK whose handler journals each step. Called
// with a workload and an empty folder.

import { fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { createServer } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startRestate } from '../start-restate.mjs';
import { LOOPBACK } from './free-port.mjs';
import {
  answer,
  CALLS_AT_ONCE,
  CONCURRENT_RUNS,
  PEER_GOES,
  quickest,
  result,
  STEPS,
  STEPS_OF_A_SHORT_RUN,
  stepsPerSecond,
  timePer,
} from './workload.mjs';

// The SDK calls what Node has from version 22 on.
Promise.withResolvers ??= () => {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};
const { endpoint, service } = await import('@restatedev/restate-sdk');

const STARTS_WITHIN_MS = 60_000;

const agent = new Agent({ keepAlive: true, maxSockets: CALLS_AT_ONCE });

function post(server, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const outgoing = request(new URL(path, server), { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => {
        if (response.statusCode < 300) resolve(text === '' ? null : JSON.parse(text));
        else reject(new Error(`${path} answered ${response.statusCode}: ${text}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}

async function untilItWorks(attempt) {
  for (const giveUpAt = Date.now() + STARTS_WITHIN_MS; ; await sleep(100)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
    }
  }
}

/** Listens with a handler that takes `steps` journalled steps; answers with its address. */
async function serve({ onStart = () => {}, onLook = () => {} } = {}) {
  const walk = async (context, { steps, named }) => {
    onStart();
    let state = { i: 0, result: null };
    for (let step = 0; step < steps; step++) {
      state = await context.run(named ? `look-${step}` : 'look', () => {
        onLook(state.i);
        return { i: state.i + 1, result: result(state.i) };
      });
    }
    return state;
  };
  const handlers = endpoint().bind(service({ name: 'bench', handlers: { walk } }));
  handlers.setLogger(() => {});
  const server = createServer(handlers.http2Handler());
  await new Promise((resolve) => server.listen(0, LOOPBACK, resolve));
  return `http://${LOOPBACK}:${server.address().port}`;
}

/** Makes a handler known to a server; answers with the way to call it. */
async function register({ ingress, admin }, uri) {
  const run = async (steps, named = false) => {
    const state = await post(ingress, '/bench/walk', { steps, named });
    if (state.i !== steps) throw new Error(`the run ended at ${state.i}`);
  };
  await untilItWorks(() => post(admin, '/deployments', { uri }));
  await untilItWorks(() => run(1));
  return { run };
}

/** Starts a server, and a handler in this process. */
async function open(folder, listeners) {
  const server = await startRestate(folder);
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(1));
  return register(server, await serve(listeners));
}

/** Steps per second of 1,000 short runs at once. */
async function measureTogether({ run }) {
  const together = (runs) => Promise.all(Array.from({ length: runs }, () => run(STEPS_OF_A_SHORT_RUN)));
  await together(STEPS / STEPS_OF_A_SHORT_RUN);
  answer({ stepsPerSecond: await stepsPerSecond(PEER_GOES, () => together(CONCURRENT_RUNS)) });
}

/** Steps that are all of one name, or each of its own. */
async function measure(folder, named) {
  const { run } = await open(folder);
  await run(STEPS, named);
  const times = [];
  for (let i = 0; i < 2; i++) times.push(await timePer(STEPS, () => run(STEPS, named)));
  answer({ stepUs: quickest(times) });
}

const workloads = {
  step: (folder) => measure(folder, false),
  chain: (folder) => measure(folder, true),

  concurrent: async (folder) => measureTogether(await open(folder)),

  /** The same on a server that runs, with the handler in a process of its own. */
  async cluster(ingress, admin) {
    const worker = fork(fileURLToPath(import.meta.url), ['worker']);
    process.on('exit', () => worker.kill('SIGKILL'));
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(1));
    const uri = await new Promise((resolve) => worker.once('message', resolve));
    await measureTogether(await register({ ingress, admin }, uri));
  },

  async worker() {
    process.send(await serve());
    await new Promise((resolve) => process.once('disconnect', resolve));
  },

  /** From the moment that the handler is called again, after its last step has thrown, to the end. */
  async resume(folder) {
    let thrown = false;
    let from = 0;
    const { run } = await open(folder, {
      onStart() {
        from = performance.now();
      },
      onLook(i) {
        if (i !== STEPS - 1 || thrown) return;
        thrown = true;
        throw new Error('stopped at the last step');
      },
    });
    await run(STEPS);
    answer({ resumeMs: performance.now() - from });
  },
};

const [workload, ...args] = process.argv.slice(2);
await workloads[workload](...args);
process.exit(0);
