// pg-boss: a message is a job for each agent, inserted with one statement and so with one commit. Called with a
// workload, the address of a Postgres server and a number of messages.

import PgBoss from 'pg-boss';
import { AGENTS, answer, MESSAGE, timeSending } from './workload.mjs';

const [, server, count] = process.argv.slice(2);
const boss = new PgBoss({
  connectionString: new URL('/postgres', server).href,
  supervise: false,
  schedule: false,
});
boss.on('error', (error) => {
  throw error;
});
await boss.start();
await boss.createQueue('chat');
const { sent, ...times } = await timeSending(Number(count), (conversation) =>
  boss.insert(AGENTS.map((agent) => ({ name: 'chat', data: { conversation, agent, text: MESSAGE } }))),
);
const stored = await boss.getQueueSize('chat');
if (stored !== sent * AGENTS.length) throw new Error(`${stored} jobs are stored of ${sent} messages`);
answer(times);
process.exit(0);
