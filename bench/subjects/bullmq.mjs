// BullMQ: a message is a job for each agent, added in bulk and so with one transaction of Redis. Called with a workload,
// the address of a Redis server and a number of messages.

import { Queue } from 'bullmq';
import { AGENTS, answer, MESSAGE, timeSending } from './workload.mjs';

const [, server, count] = process.argv.slice(2);
const { hostname: host, port, password } = new URL(server);
const queue = new Queue('chat', { connection: { host, port: Number(port), password } });
await queue.waitUntilReady();
const { sent, ...times } = await timeSending(Number(count), (conversation) =>
  queue.addBulk(AGENTS.map((agent) => ({ name: 'chat', data: { conversation, agent, text: MESSAGE } }))),
);
const stored = await queue.getWaitingCount();
if (stored !== sent * AGENTS.length) throw new Error(`${stored} jobs are stored of ${sent} messages`);
answer(times);
process.exit(0);
