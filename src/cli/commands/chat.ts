import type { Command } from 'commander';
import {
  type ChatApi,
  type ChatHappening,
  type ChatMessageView,
  type ConversationItem,
  count,
  didYouMean,
  isOkaError,
  type Notice,
  type NotificationView,
} from '../../api/index.ts';
import { pipedLine, showMessage, showNotice } from '../chat-text.ts';
import { type Context, parseAmount, parseCount } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { showTime, table } from '../format.ts';
import { unhostedAgents } from '../host-process.ts';
import { visible } from '../printer.ts';
import { readMessage } from '../read-input.ts';
import { answerWith, type Run } from '../run.ts';
import { showTrace } from '../show-trace.ts';

const DAY_MS = 86_400_000;

export function chatCommand(program: Command, run: Run): void {
  const list = () =>
    answerWith(run, async (api) => ({ conversations: await api.chat.list() }), showConversations);
  const chat = program
    .command('chat')
    .description('Talk with agents in conversations; lists them without a subcommand')
    .addHelpText(
      'after',
      '\nExamples:\n  oka chat new garden\n  oka chat send garden "@arya @gendry plan the beds"\n  oka chat view garden --since 12\n  oka chat join garden\n  oka chat pause --all',
    )
    .action(list);
  chat.command('list').alias('status').description('List conversations and what they wait for').action(list);
  addNewAndJoin(chat, run);
  addSendAndView(chat, run);
  addControlCommands(chat, run);
  chat
    .command('trace')
    .description('Show who notified whom and the outcome of each turn')
    .argument('<conversation>')
    .option('--all', 'Show every turn of a long trace')
    .option('--mermaid', 'Print a Mermaid diagram')
    .action((name: string, { mermaid = false, all = false }: { mermaid?: boolean; all?: boolean }) =>
      answerWith(
        run,
        async (api) => ({ notifications: await api.chat.trace(name) }),
        ({ notifications }) =>
          mermaid ? mermaidOf(notifications) : showTrace(notifications, { all, conversation: name }),
      ),
    );
}

async function chatOf(context: Context): Promise<ChatApi> {
  return (await context.open()).chat;
}

function showConversations({ conversations }: { conversations: readonly ConversationItem[] }): string {
  if (conversations.length === 0) return 'No conversations yet. Start one with: oka chat new <name>';
  const rows = conversations.map(({ name, paused, waitsUntil, messages, open, agents, lastAt }) => [
    name,
    [
      paused ? 'paused' : 'active',
      ...(waitsUntil === undefined ? [] : [`waits until ${showTime(waitsUntil)} UTC`]),
    ].join(', '),
    String(messages),
    String(open),
    agents.join(' '),
    lastAt === undefined ? '' : showTime(lastAt),
  ]);
  return table(['conversation', 'state', 'messages', 'open', 'agents', 'last (UTC)'], rows);
}

function addNewAndJoin(chat: Command, run: Run): void {
  chat
    .command('new')
    .description('Start a conversation, and join it on a terminal')
    .argument('[name]', 'Letters, digits, _ and -')
    .option('--ttl-days <days>', 'Expire messages after this many days', parseAmount)
    .action((name: string | undefined, options: { ttlDays?: number }) =>
      run(async (context) => {
        const api = await chatOf(context);
        const made = await api.create({
          ...(name === undefined ? {} : { name }),
          ...(options.ttlDays === undefined ? {} : { ttlMs: options.ttlDays * DAY_MS }),
          by: context.by,
        });
        if (context.canPrompt) return join(context, made.name, {});
        context.printer.answer({ conversation: made }, () => made.name);
        return EXIT.ok;
      }),
    );
  chat
    .command('join')
    .description('Join a conversation on this terminal')
    .argument('<conversation>')
    .option('--pause', 'Pause it until you leave')
    .action((name: string, options: { pause?: boolean }) => run((context) => join(context, name, options)));
}

async function join(context: Context, name: string, options: { readonly pause?: boolean }) {
  const { joinRoom } = await import('../join-room.ts');
  return joinRoom(context, name, options);
}

function addSendAndView(chat: Command, run: Run): void {
  chat
    .command('send')
    .description('Send a message and notify the agents it mentions')
    .argument('<conversation>')
    .argument('<text>', 'Message; - reads standard input')
    .action((conversation: string, text: string) =>
      run(async (context) => {
        const api = await chatOf(context);
        const sent = await api.send({ conversation, text: await readMessage(text), by: context.by });
        for (const name of sent.unknown) {
          const nearest = sent.suggestions.find((one) => one.name === name)?.nearest;
          const help = didYouMean(nearest === undefined ? undefined : `@${nearest}`, 'See: oka agent list');
          context.printer.message(`No agent named "${visible(name)}". ${help}`);
        }
        if (sent.notified.length === 0)
          context.printer.message('Nobody was notified. Mention an agent with @name to get an answer');
        const unhosted = await warnUnhosted(context, sent.notified);
        context.printer.answer({ ...sent, unhosted }, ({ id }) => String(id));
      }),
    );
  chat
    .command('view')
    .description('Show messages; when piped, one per line: id|timestamp|from|content')
    .argument('<conversation>')
    .option('--limit <n>', 'Show only the last n messages; with --since, the next n after it', parseCount)
    .option('--since <id>', 'Show only messages after this one', parseCount)
    .option('--follow', 'Keep printing new messages')
    .action((name: string, options: { limit?: number; since?: number; follow?: boolean }) =>
      run(async (context) => {
        const { follow = false, ...filter } = options;
        if (follow) return followRoom(context, name, filter);
        const answer = await (await chatOf(context)).view({ conversation: name, ...filter });
        const readable = process.stdout.isTTY === true;
        for (const notice of readable ? [] : answer.notices) context.printer.message(showNotice(notice));
        context.printer.answer(answer, ({ messages, notices }) =>
          readable ? showRoom(messages, notices) : messages.map(pipedLine).join('\n'),
        );
        return EXIT.ok;
      }),
    );
}

async function followRoom(
  context: Context,
  conversation: string,
  filter: { readonly limit?: number; readonly since?: number },
) {
  const { printer, interrupted } = context;
  const shownNotices = new Set<string>();
  let { since, limit } = filter;
  let isLost = false;
  const show = (one: ChatHappening): boolean => {
    // Activities are not asked for.
    if (one.kind === 'activity') return true;
    if (one.kind === 'words') printer.words(one.text);
    else if (one.kind === 'message') {
      [since, limit] = [one.message.id, undefined];
      return printer.line(showHappening(one, printer));
    } else {
      const text = showHappening(one, printer);
      if (shownNotices.has(text)) return true;
      shownNotices.add(text);
      if (printer.json) return printer.line(text);
      printer.message(text);
    }
    return true;
  };
  while (!interrupted.aborted) {
    const from = { ...(since === undefined ? {} : { since }), ...(limit === undefined ? {} : { limit }) };
    try {
      const api = await chatOf(context);
      for await (const one of api.follow({ conversation, ...from, signal: interrupted }))
        if (!show(one)) return EXIT.ok;
        else isLost = false;
    } catch (error) {
      if (isLost || !isOkaError(error, 'daemon.unreachable')) throw error;
      isLost = true;
    }
    // The daemon is gone: reconnect to the next one, or read without it.
    if (!interrupted.aborted) await context.close();
  }
  return EXIT.ok;
}

function showHappening(
  one: Exclude<ChatHappening, { readonly kind: 'words' | 'activity' }>,
  printer: Context['printer'],
): string {
  if (printer.json) return JSON.stringify(one);
  if (one.kind === 'notice') return showNotice(one.notice);
  return process.stdout.isTTY === true ? showMessage(one.message) : pipedLine(one.message);
}

function addControlCommands(chat: Command, run: Run): void {
  for (const [name, description, done] of [
    ['pause', 'Pause conversations: mentions wait', 'paused'],
    ['resume', 'Resume conversations: waiting mentions are answered in order', 'resumed'],
  ] as const) {
    const command = chat
      .command(name)
      .description(description)
      .argument('[conversation]')
      .option('--all', 'Apply to every conversation');
    if (name === 'pause') command.option('--cancel', 'Cancel turns in progress');
    command.action(
      (
        conversation: string | undefined,
        { all = false, ...options }: { all?: boolean; cancel?: boolean },
      ) => {
        if ((conversation === undefined) !== all) command.error(`give one conversation, or --all`);
        const which = conversation === undefined ? {} : { conversation };
        return answerWith(
          run,
          async (api, { by }) => ({ conversations: await api.chat[name]({ ...which, ...options, by }) }),
          ({ conversations }) => showSwitched(conversations, done),
        );
      },
    );
  }
  chat
    .command('delete')
    .description('Delete a conversation and erase its messages')
    .argument('<conversation>')
    .action((name: string) =>
      answerWith(
        run,
        (api, { by }) => api.chat.delete(name, by).then(() => ({ deleted: name })),
        () => `Deleted ${name} and its messages`,
      ),
    );
  chat
    .command('cleanup')
    .description(
      'Erase expired messages, delete conversations without messages, and drop waiting mentions of deleted agents',
    )
    .action(() =>
      answerWith(
        run,
        (api, { by }) => api.chat.cleanup(by),
        ({ messages, conversations, mentions }) =>
          [
            `Erased ${count(messages, 'expired message')}`,
            `deleted ${count(conversations.length, 'empty conversation')}${conversations.length === 0 ? '' : ` (${conversations.join(', ')})`}`,
            ...(mentions === 0 ? [] : [`dropped ${count(mentions, 'mention')} of deleted agents`]),
          ].join(', '),
      ),
    );
  chat
    .command('retry')
    .description('Retry turns that ended without an answer: those that failed or exceeded a budget, or one')
    .argument('<conversation>')
    .argument('[turn]', 'Message number (12), message and agent (12/ada), or the id of the turn')
    .action((conversation: string, turn: string | undefined) =>
      run(async (context) => {
        const api = await chatOf(context);
        const which = turn === undefined ? {} : { turn };
        const retried = await api.retry({ conversation, ...which, by: context.by });
        const unhosted = await warnUnhosted(
          context,
          retried.map(({ agent }) => agent),
        );
        context.printer.answer({ retried, unhosted }, showRetried);
      }),
    );
}

function showRetried({
  retried,
}: {
  readonly retried: readonly { readonly message: number; readonly agent: string }[];
}): string {
  if (retried.length === 0) return 'No turn to retry';
  return retried.map(({ message, agent }) => `Retrying: ${agent} answers #${message}`).join('\n');
}

/** Says which agents reply only once the daemon runs, and returns them. */
async function warnUnhosted(context: Context, agents: readonly string[]): Promise<readonly string[]> {
  const unhosted = await unhostedAgents(context, [...new Set(agents)]);
  if (unhosted.length > 0)
    context.printer.message(
      `Queued. ${unhosted.join(' and ')} ${unhosted.length === 1 ? 'replies' : 'reply'} once the daemon runs: oka up`,
    );
  return unhosted;
}

function showSwitched(conversations: readonly ConversationItem[], done: string): string {
  return conversations
    .map(
      ({ name, open }) =>
        `${name} ${done}${open === 0 ? '' : `; ${open} ${open === 1 ? 'mention is' : 'mentions are'} open`}`,
    )
    .join('\n');
}

function showRoom(messages: readonly ChatMessageView[], notices: readonly Notice[]): string {
  if (messages.length === 0) return 'No messages yet';
  return messages
    .flatMap((message) => [
      showMessage(message),
      ...notices.filter((notice) => notice.message === message.id).map(showNotice),
    ])
    .join('\n');
}

/** Names contain only letters, digits, _ and -, so no escaping is needed. */
function mermaidOf(notifications: readonly NotificationView[]): string {
  const index = new Map(notifications.map(({ id }, i) => [id, `n${i}`]));
  const lines = notifications.flatMap(({ id, agent, status, reason, depth, parent, from, message }) => {
    const label = `${agent} · depth ${depth} · ${status}${reason === undefined ? '' : ` · ${reason}`}`;
    const cause = parent === undefined ? `m${message}["${from} #${message}"]` : (index.get(parent) as string);
    return [`  ${index.get(id)}["${label}"]`, `  ${cause} --> ${index.get(id)}`];
  });
  return ['graph TD', ...lines].join('\n');
}
