import type { Command } from 'commander';
import {
  type ChatApi,
  type ChatHappening,
  type ChatMessageView,
  type ConversationItem,
  isOkaError,
  type Notice,
  type NotificationView,
} from '../../api/index.ts';
import { pipedLine, showMessage, showNotice } from '../chat-text.ts';
import { type Context, parseAmount, parseCount } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { readText } from '../read-input.ts';
import type { Run } from '../run.ts';
import { unhostedAgents } from '../unhosted-agents.ts';

const DAY_MS = 86_400_000;

/** Conversations with agents, which go on when the terminal is closed. */
export function chatCommand(program: Command, run: Run): void {
  const chat = program
    .command('chat')
    .description(
      'conversations with agents, which go on without a terminal; without a subcommand, which there are',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  oka chat new garden\n  oka chat send garden "@arya @gendry plan the beds"\n  oka chat view garden --since 12\n  oka chat join garden\n  oka chat pause --all',
    )
    .action(() => run(list));
  chat
    .command('list')
    .description('which conversations there are')
    .action(() => run(list));
  newAndJoin(chat, run);
  speakAndLook(chat, run);
  control(chat, run);
  chat
    .command('trace')
    .description('who notified whom, and what came of it')
    .argument('<conversation>')
    .option('--mermaid', 'as a diagram for Mermaid')
    .action((name: string, options: { mermaid?: boolean }) =>
      run(async (context) => {
        const notifications = await (await chatOf(context)).trace(name);
        context.printer.answer({ notifications }, () =>
          options.mermaid ? mermaidOf(notifications) : treeOf(notifications),
        );
        return EXIT.ok;
      }),
    );
}

async function chatOf(context: Context): Promise<ChatApi> {
  return (await context.open()).chat;
}

async function list(context: Context) {
  const conversations = await (await chatOf(context)).list();
  context.printer.answer({ conversations }, () =>
    conversations.length === 0
      ? 'no conversations; begin one with: oka chat new <name>'
      : table(
          ['conversation', 'state', 'messages', 'open', 'agents', 'last (UTC)'],
          conversations.map(({ name, paused, messages, open, agents, lastAt }) => [
            name,
            paused ? 'paused' : 'active',
            String(messages),
            String(open),
            agents.join(' '),
            lastAt === undefined ? '' : showTime(lastAt),
          ]),
        ),
  );
  return EXIT.ok;
}

function newAndJoin(chat: Command, run: Run): void {
  chat
    .command('new')
    .description('begin a conversation, and join it where somebody sits at a terminal')
    .argument('[name]', 'letters, digits, _ and -')
    .option('--ttl-days <days>', 'for how long messages are shown', parseAmount)
    .action((name: string | undefined, options: { ttlDays?: number }) =>
      run(async (context) => {
        const api = await chatOf(context);
        const made = await api.create({
          ...(name === undefined ? {} : { name }),
          ...(options.ttlDays === undefined ? {} : { ttlMs: options.ttlDays * DAY_MS }),
          by: context.by,
        });
        if (context.mayAsk) return join(context, made.name, {});
        context.printer.answer({ conversation: made }, () => made.name);
        return EXIT.ok;
      }),
    );
  chat
    .command('join')
    .description('speak in a conversation, and see the others while they answer')
    .argument('<conversation>')
    .option('--pause', 'pause it while you are there')
    .action((name: string, options: { pause?: boolean }) => run((context) => join(context, name, options)));
}

async function join(context: Context, name: string, options: { readonly pause?: boolean }) {
  const { joinRoom } = await import('../join-room.ts');
  return joinRoom(context, name, options);
}

function speakAndLook(chat: Command, run: Run): void {
  chat
    .command('send')
    .description('say something, tell whom it mentions, and leave')
    .argument('<conversation>')
    .argument('<text>', 'the message; - reads it from the standard input')
    .action((conversation: string, text: string) =>
      run(async (context) => {
        const api = await chatOf(context);
        const sent = await api.send({ conversation, text: await readText(text), by: context.by });
        for (const name of sent.unknown)
          context.printer.message(`there is no agent "${visible(name)}"; see: oka agent list`);
        const unhosted = await unhostedAgents(context, sent.notified);
        if (unhosted.length > 0)
          context.printer.message(`for ${unhosted.join(' and ')} nobody answers until: oka up`);
        context.printer.answer({ ...sent, unhosted }, ({ id }) => String(id));
        return EXIT.ok;
      }),
    );
  chat
    .command('view')
    .description('what was said; piped, a line each: id|timestamp|from|content')
    .argument('<conversation>')
    .option('--limit <n>', 'the last ones only', parseCount)
    .option('--since <id>', 'only what came after this message', parseCount)
    .option('--follow', 'stay, and show what is said')
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
  const told = new Set<string>();
  let { since, limit } = filter;
  let isLost = false;
  const show = (one: ChatHappening): boolean => {
    if (one.kind === 'words') printer.words(one.text);
    else if (one.kind === 'message') {
      [since, limit] = [one.message.id, undefined];
      return printer.line(showHappening(one, printer));
    } else {
      const text = showHappening(one, printer);
      if (told.has(text)) return true;
      told.add(text);
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
    // The daemon that told of it is gone; whoever looks on does so without it, or with the next one.
    if (!interrupted.aborted) await context.close();
  }
  return EXIT.ok;
}

function showHappening(
  one: Exclude<ChatHappening, { readonly kind: 'words' }>,
  printer: Context['printer'],
): string {
  if (printer.json) return JSON.stringify(one);
  if (one.kind === 'notice') return showNotice(one.notice);
  return process.stdout.isTTY === true ? showMessage(one.message) : pipedLine(one.message);
}

function control(chat: Command, run: Run): void {
  const each = (
    name: 'pause' | 'resume',
    description: string,
    done: string,
    more: (command: Command) => Command = (command) => command,
  ): void => {
    more(
      chat
        .command(name)
        .description(description)
        .argument('[conversation]')
        .option('--all', 'every conversation'),
    ).action(
      (conversation: string | undefined, options: { all?: boolean; cancel?: boolean }, command: Command) =>
        run(async (context) => {
          if ((conversation === undefined) !== (options.all ?? false))
            command.error(`name one conversation, or say --all`);
          const api = await chatOf(context);
          const which = conversation === undefined ? {} : { conversation };
          const request = { ...which, by: context.by, ...(options.cancel ? { cancel: true } : {}) };
          const conversations = await api[name](request);
          context.printer.answer({ conversations }, () => showSwitched(conversations, done));
          return EXIT.ok;
        }),
    );
  };
  each('pause', 'take up nothing new; what is said waits', 'paused', (command) =>
    command.option('--cancel', 'end what is being answered as well'),
  );
  each('resume', 'answer what has waited, in order', 'goes on');
  chat
    .command('delete')
    .description('end a conversation and erase what was said in it')
    .argument('<conversation>')
    .action((name: string) =>
      run(async (context) => {
        await (await chatOf(context)).delete(name, context.by);
        context.printer.answer({ deleted: name }, () => `deleted ${name}, and what was said in it`);
        return EXIT.ok;
      }),
    );
  chat
    .command('cleanup')
    .description('erase messages that have expired, and conversations without any')
    .action(() =>
      run(async (context) => {
        const report = await (await chatOf(context)).cleanup(context.by);
        context.printer.answer(
          report,
          ({ messages, conversations }) =>
            `erased ${messages} messages and removed ${conversations.length} conversations`,
        );
        return EXIT.ok;
      }),
    );
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
  if (messages.length === 0) return 'nothing was said yet';
  return messages
    .flatMap((message) => [
      showMessage(message),
      ...notices.filter((notice) => notice.message === message.id).map(showNotice),
    ])
    .join('\n');
}

/** Who notified whom, as a tree. */
function treeOf(notifications: readonly NotificationView[]): string {
  if (notifications.length === 0) return 'nobody was notified';
  const lines: string[] = [];
  const below = (parent: string | undefined, indent: string): void => {
    for (const one of notifications.filter((candidate) => candidate.parent === parent)) {
      lines.push(`${indent}${one.from} → ${one.agent}  ${describe(one)}`);
      below(one.id, `${indent}  `);
    }
  };
  below(undefined, '');
  return lines.join('\n');
}

function describe({
  message,
  depth,
  status,
  reason,
  detail,
  tokens,
  costUsd,
  run,
}: NotificationView): string {
  const why = reason === undefined ? '' : `: ${reason}${detail === undefined ? '' : ` (${visible(detail)})`}`;
  const spent = tokens === 0 ? '' : `  ${tokens} tokens${costUsd === 0 ? '' : `, $${costUsd.toFixed(4)}`}`;
  return `#${message}  depth ${depth}  ${status}${why}${spent}${run === undefined ? '' : `  run ${run}`}`;
}

/** The same as a diagram. Names hold letters, digits, _ and - only, so nothing has to be escaped. */
function mermaidOf(notifications: readonly NotificationView[]): string {
  const index = new Map(notifications.map(({ id }, i) => [id, `n${i}`]));
  const lines = notifications.flatMap(({ id, agent, status, reason, depth, parent, from, message }) => {
    const label = `${agent} · depth ${depth} · ${status}${reason === undefined ? '' : ` · ${reason}`}`;
    const cause = parent === undefined ? `m${message}["${from} #${message}"]` : (index.get(parent) as string);
    return [`  ${index.get(id)}["${label}"]`, `  ${cause} --> ${index.get(id)}`];
  });
  return ['graph TD', ...lines].join('\n');
}
