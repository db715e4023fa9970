// Restate: its server on the loopback interface, and a service of its SDK whose handler journals each step. Called
// with a workload and an empty folder.

import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { createServer } from 'node:http2';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, LOOPBACK } from './free-port.mjs';
import {
  answer,
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

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

function post(port, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const outgoing = request({ host: LOOPBACK, port, path, method: 'POST', agent, headers }, (response) => {
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

/** Starts a server and a service whose handler takes `steps` journalled steps; answers with the way to call it. */
async function open(folder, { onStart = () => {}, onLook = () => {} } = {}) {
  const ports = {
    ingress: await freePort(),
    admin: await freePort(),
    node: await freePort(),
    service: await freePort(),
  };
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
  createServer(handlers.http2Handler()).listen(ports.service, LOOPBACK);

  const packageFile = createRequire(import.meta.url).resolve(
    `@restatedev/restate-server-${process.platform}-${process.arch}/package.json`,
  );
  const server = spawn(
    join(dirname(packageFile), 'bin', 'restate-server'),
    [
      '--no-logo',
      '--listen-mode',
      'tcp',
      '--base-dir',
      folder,
      '--bind-ip',
      LOOPBACK,
      '--bind-port',
      String(ports.node),
    ],
    {
      env: {
        ...process.env,
        RESTATE_DISABLE_TELEMETRY: 'true',
        RESTATE_LOG_FILTER: 'error',
        RESTATE_INGRESS__BIND_PORT: String(ports.ingress),
        RESTATE_ADMIN__BIND_PORT: String(ports.admin),
      },
      stdio: 'ignore',
    },
  );
  process.on('exit', () => server.kill('SIGKILL'));
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(1));
  const run = async (steps, named = false) => {
    const state = await post(ports.ingress, '/bench/walk', { steps, named });
    if (state.i !== steps) throw new Error(`the run ended at ${state.i}`);
  };
  await untilItWorks(() => post(ports.admin, '/deployments', { uri: `http://${LOOPBACK}:${ports.service}` }));
  await untilItWorks(() => run(1));
  return { run };
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

  async concurrent(folder) {
    const { run } = await open(folder);
    const together = (runs) => Promise.all(Array.from({ length: runs }, () => run(STEPS_OF_A_SHORT_RUN)));
    await together(STEPS / STEPS_OF_A_SHORT_RUN);
    answer({ stepsPerSecond: await stepsPerSecond(PEER_GOES, () => together(CONCURRENT_RUNS)) });
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
