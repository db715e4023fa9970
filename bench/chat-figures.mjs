// What conversations cost: storing messages beside raw SQLite, a host's part in a turn, and the doorbell.

const messagesOf = ({ options }) => (options.quick ? 2_000 : 10_000);
const turnsOf = ({ options }) => (options.quick ? 100 : 500);

const chat = {
  name: 'chat',
  /** The raw limit writes what Oka has left in this one. */
  async prepare(context) {
    const folder = context.newFolder();
    await context.run('chat', 'send', folder, messagesOf(context));
    return folder;
  },
  subjects: (context, finished) => ({
    oka: { measure: () => context.run('chat', 'send', context.newFolder(), messagesOf(context)) },
    raw: { measure: () => context.run('raw-chat', 'send', context.newFolder(), finished) },
    turn: { measure: () => context.run('chat', 'turn', context.newFolder(), turnsOf(context)) },
    doorbell: { measure: () => context.run('chat', 'doorbell', context.newFolder(), turnsOf(context)) },
  }),
  lines: [
    {
      figure: 'chat.send',
      unit: 'µs/message',
      baseline: 'raw synced transaction with the same rows and mirror line',
      ours: ({ oka }) => oka.messageUs,
      value: ({ raw }) => raw.messageUs,
      target: { atMost: 3 },
    },
    { figure: 'chat.turn', unit: 'ms', ours: ({ turn }) => turn.turnMs, target: { atMost: 2 } },
    { figure: 'chat.doorbell', unit: 'ms', ours: ({ doorbell }) => doorbell.wakeMs, target: { atMost: 5 } },
  ],
};

export const CHAT_GROUPS = [chat];
