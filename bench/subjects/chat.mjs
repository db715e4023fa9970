// Conversations: storing messages, answering them with a run that decides at once, and being woken by a notification. Called
// with a workload, an empty folder and a number of messages.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { processOwners } from '../../src/adapters/processes/index.ts';
import { notifySocket } from '../../src/adapters/socket-notify/index.ts';
import { SqlChatRecords } from '../../src/adapters/sql/index.ts';
import { AgentFiles } from '../../src/adapters/workspace/index.ts';
import { AgentHost } from '../../src/chat/agent-host.ts';
import { Conversations, DEFAULT_CHAIN_LIMITS, Turns } from '../../src/chat/index.ts';
import { routesOf } from '../../src/daemon/server.ts';
import { listenOnSocket } from '../../src/daemon/socket-server.ts';
import { StateGraph } from '../../src/engine/index.ts';
import { sortableIds, systemClock, systemRandom } from '../../src/kernel/index.ts';
import { median } from '../report.mjs';
import { openOka } from './open-oka.mjs';
import { AGENTS, answer, MESSAGE, timeSending } from './workload.mjs';

/** A run that is over with its first decision: all that it costs is the host's and the engine's. */
const graph = new StateGraph({
  name: 'answering',
  start: 'working',
  states: { working: { to: ['done'] }, done: { terminal: 'completed' } },
});
const atOnce = {
  name: 'agent',
  planner: {
    name: 'at once',
    version: '1',
    deterministic: true,
    plan: () => ({ kind: 'finish', output: 'That is done.', rationale: 'nothing is left to do' }),
  },
  graph,
};

async function open(folder, kinds = [atOnce]) {
  const { engine, ledger } = await openOka(folder, { kinds, tools: [] });
  const files = new AgentFiles(folder);
  for (const name of AGENTS) await files.create(name, { name }, `You are ${name}.`);
  const records = new SqlChatRecords(ledger.tables);
  const parts = {
    events: ledger.events,
    records,
    agents: { names: async () => new Set(await files.names()), toolsOf: async () => undefined },
    erasure: {},
    clock: systemClock,
    ids: sortableIds(systemClock, systemRandom),
    limits: DEFAULT_CHAIN_LIMITS,
  };
  return { engine, ledger, parts, records, conversations: new Conversations(parts) };
}

function hostOf({ engine, parts, records }) {
  const owners = processOwners();
  return new AgentHost({
    turns: new Turns(parts, { self: owners.self, isAlive: owners.isAlive.bind(owners) }),
    engine,
    clock: systemClock,
    owners,
    agents: async () => AGENTS,
    parked: async (names) => (await records.open(names)).filter(({ parked }) => parked),
    requestOf: async ({ message }) => ({ kind: 'agent', goal: message.text }),
    isCancelled: async () => false,
    onTurn: () => undefined,
    textOf: String,
    onOutcome: (outcome) => outcome.ok || process.stderr.write(`${outcome.message}\n`),
  });
}

const workloads = {
  /** One commit for each message with its three notifications. */
  async send(folder, count) {
    const { conversations, ledger } = await open(folder);
    for (const name of ['warm', 'room', 'crowd']) await conversations.create(name, 'bench');
    const { messageUs, atOnceUs } = await timeSending(count, (name) =>
      conversations.send(name, MESSAGE, 'bench'),
    );
    await ledger.close();
    answer({ messageUs, atOnceUs });
  },

  /** From taking a notification up to having stored its reply. */
  async turn(folder, count) {
    const opened = await open(folder);
    const { conversations, ledger } = opened;
    await conversations.create('room', 'bench');
    const claims = new Map();
    const times = [];
    let done = () => undefined;
    ledger.store.subscribe((events) => {
      for (const { type, data } of events) {
        if (type === 'turn.claimed') claims.set(data.notification, performance.now());
        if (type !== 'turn.done') continue;
        times.push(performance.now() - claims.get(data.notification));
        done();
      }
    });
    const host = hostOf(opened);
    ledger.store.subscribe((events) => {
      if (events.some(({ stream }) => stream === 'chat/room')) host.wake();
    });
    const stop = new AbortController();
    const hosting = host.run(stop.signal);
    for (let i = 0; i < count; i++) {
      const replied = new Promise((resolve) => {
        done = resolve;
      });
      await conversations.send('room', '@arya what now?', 'bench');
      await replied;
    }
    stop.abort();
    await hosting;
    answer({ turnMs: median(times.slice(Math.floor(count / 5))) });
  },

  /** From ringing at a host to its taking the notification up. */
  async notify(folder, count) {
    const opened = await open(folder);
    const { conversations, ledger } = opened;
    await conversations.create('room', 'bench');
    const host = hostOf(opened);
    const place = join(folder, 's');
    mkdirSync(place, { mode: 0o700 });
    const path = join(place, 'x.sock');
    const routes = routesOf({ calls: undefined, status: () => ({}), onNotify: () => host.wake() });
    const server = await listenOnSocket(routes, path);
    let claimed = () => undefined;
    let done = () => undefined;
    ledger.store.subscribe((events) => {
      for (const { type } of events) {
        if (type === 'turn.claimed') claimed();
        if (type === 'turn.done') done();
      }
    });
    const stop = new AbortController();
    const hosting = host.run(stop.signal);
    const times = [];
    for (let i = 0; i < count; i++) {
      const { id } = await conversations.send('room', '@arya what now?', 'bench');
      const replied = new Promise((resolve) => {
        done = resolve;
      });
      const from = performance.now();
      const taken = new Promise((resolve) => {
        claimed = () => resolve(performance.now() - from);
      });
      notifySocket(path, { conv_name: 'room', message_id: id, depth: 1 });
      times.push(await taken);
      await replied;
    }
    stop.abort();
    await hosting;
    server.close();
    answer({ wakeMs: median(times.slice(Math.floor(count / 5))) });
  },
};

const [workload, folder, count] = process.argv.slice(2);
await workloads[workload](folder, Number(count));
process.exit(0);
