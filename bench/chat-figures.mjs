// What conversations cost: storing messages beside raw SQLite and queues, a host's part in a turn, and the notification of a host.

import { once, SPEED_UP, served } from './measuring.mjs';
import { median } from './report.mjs';
import { startPostgres } from './start-postgres.mjs';
import { startRedis } from './start-redis.mjs';

const messagesOf = ({ options }) => (options.quick ? 2_000 : 10_000);
const turnsOf = ({ options }) => (options.quick ? 100 : 500);

/** Postgres syncs each commit by default; Redis syncs what it has said yes to only where it is told to. */
const QUEUES = {
  'pg-boss': { subject: 'pg-boss', start: startPostgres, baseline: 'pg-boss + Postgres, synced' },
  bullmq: {
    subject: 'bullmq',
    start: startRedis,
    baseline: 'BullMQ + Redis, snapshots only',
  },
  'bullmq-synced': {
    subject: 'bullmq',
    start: (folder) => startRedis(folder, { appendonly: 'yes', appendfsync: 'always' }),
    baseline: 'BullMQ + Redis, synced',
  },
};

const send = {
  name: 'chat.send',
  needsPeers: true,
  /** The raw limit writes what Oka has left in this one. */
  async prepare(context) {
    const folder = context.newFolder();
    await context.run('chat', 'send', folder, messagesOf(context));
    return folder;
  },
  subjects: (context, finished) => ({
    oka: once(context, 'chat', 'send', messagesOf(context)),
    raw: once(context, 'raw-chat', 'send', finished),
    ...Object.fromEntries(
      Object.entries(QUEUES).map(([name, { subject, start }]) => [
        name,
        served(context, start, (url) => context.run(subject, 'send', url, messagesOf(context))),
      ]),
    ),
  }),
  lines: [
    sendLine('chat.send', 'raw synced transaction with the same rows and mirror line', 'raw', {
      target: { atMost: 3 },
      also: (samples) => ({ atOnceUs: rounded(samples.map(({ oka }) => oka.atOnceUs)) }),
    }),
    ...Object.entries(QUEUES).map(([name, { baseline }]) =>
      sendLine(`chat.send.${name}`, baseline, name, {
        ratio: SPEED_UP,
        also: (samples) => ({ baselineAtOnceUs: rounded(samples.map((sample) => sample[name]?.atOnceUs)) }),
      }),
    ),
  ],
};

function sendLine(figure, baseline, subject, rest) {
  return {
    figure,
    unit: 'µs/message',
    baseline,
    ours: ({ oka }) => oka.messageUs,
    value: (sample) => sample[subject].messageUs,
    ...rest,
  };
}

/** The middle of those rounds in which it was measured. */
function rounded(values) {
  const measured = values.filter((value) => value !== undefined);
  return measured.length === 0 ? null : Number(median(measured).toPrecision(4));
}

const turn = {
  name: 'chat.turn',
  subjects: (context) => ({ oka: once(context, 'chat', 'turn', turnsOf(context)) }),
  lines: [{ figure: 'chat.turn', unit: 'ms', ours: ({ oka }) => oka.turnMs, target: { atMost: 2 } }],
};

const notify = {
  name: 'chat.notify',
  subjects: (context) => ({ oka: once(context, 'chat', 'notify', turnsOf(context)) }),
  lines: [{ figure: 'chat.notify', unit: 'ms', ours: ({ oka }) => oka.wakeMs, target: { atMost: 5 } }],
};

export const CHAT_GROUPS = [send, turn, notify];
