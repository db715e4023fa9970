// Owns: the chat API of one workspace, and the hosts of agents in this process. Does not own: what a conversation is, and what a
// host does.
import type { ChatApi, ChatHappening, ConversationItem, NotificationView } from '../../api/index.ts';
import {
  type AgentHost,
  type ChatRecords,
  type Conversation,
  type Conversations,
  chatStream,
  conversationOf,
  type Notification,
  turnStream,
} from '../../chat/index.ts';
import { warnOf } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { warnOfFailures } from '../services/warn-of-failures.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { ChatLedgers, type OpenChat } from './chat-ledgers.ts';
import { type ChatServices, chatServices, type HostNotice } from './chat-services.ts';
import { viewConversation, viewMessage, viewNotification } from './chat-views.ts';
import { followChat } from './follow-chat.ts';
import { openHost } from './open-host.ts';

export class Chat implements ChatApi {
  readonly #services: ChatServices;
  readonly #ledgers: ChatLedgers;
  readonly #hosts = new Set<AgentHost>();

  constructor(services: WorkspaceServices) {
    this.#services = chatServices(services);
    this.#ledgers = new ChatLedgers(this.#services);
  }

  async list(): Promise<readonly ConversationItem[]> {
    return (await this.#reading().conversations.list()).map(viewConversation);
  }

  async create({ name, ttlMs, by }: Parameters<ChatApi['create']>[0]): Promise<ConversationItem> {
    const { conversations } = await this.#writing();
    const chosen = name ?? (await this.#freeName(conversations));
    const made = await conversations.create(chosen, by, ttlMs === undefined ? {} : { ttlMs });
    return viewConversation({ ...made, messages: 0, open: 0 });
  }

  async #freeName(conversations: Conversations): Promise<string> {
    const taken = new Set((await conversations.list()).map(({ name }) => name));
    for (let i = 1; ; i++) if (!taken.has(`talk-${i}`)) return `talk-${i}`;
  }

  async send(request: Parameters<ChatApi['send']>[0]): ReturnType<ChatApi['send']> {
    const { conversation, text, to, by } = request;
    const { conversations } = await this.#writing();
    const sent = await conversations.send(conversation, text, by, to === undefined ? {} : { to });
    await this.#notify(sent.notified, { conv_name: conversation, message_id: sent.id, depth: 1 });
    return sent;
  }

  async carry({ from, to, messages, by }: Parameters<ChatApi['carry']>[0]): Promise<void> {
    await (await this.#writing()).conversations.carry(from, to, messages, by);
  }

  async view(request: Parameters<ChatApi['view']>[0]): ReturnType<ChatApi['view']> {
    const { conversation, before, ...options } = request;
    const until = before === undefined ? {} : { upTo: before - 1 };
    const { messages, notices } = await this.#reading().conversations.view(conversation, {
      ...options,
      ...until,
    });
    return { messages: messages.map(viewMessage), notices };
  }

  follow(request: Parameters<ChatApi['follow']>[0]): AsyncGenerator<ChatHappening> {
    const { clock, listen, listenToActivity } = this.#services;
    const watch = (onChange: () => void): (() => void) =>
      this.#watch((events) => {
        const streams = [chatStream(request.conversation), turnStream(request.conversation)];
        if (events.some(({ stream }) => streams.includes(stream))) onChange();
      });
    const { records } = this.#reading();
    return followChat(
      { clock, listen, listenToActivity, records, watch, view: (which) => this.view(which) },
      request,
    );
  }

  /** Reports the events that this process stores. Returns a function that stops it. */
  #watch(onChange: (events: readonly LedgerEvent[]) => void): () => void {
    return this.#services.ledger().store.subscribe(onChange);
  }

  async pause(request: Parameters<ChatApi['pause']>[0]): Promise<readonly ConversationItem[]> {
    const { conversation, cancel = false, by } = request;
    const { conversations, records, parts } = await this.#writing();
    const changed = await this.#each(conversation, (name) => conversations.pause(name, by, { cancel }));
    for (const { name } of cancel ? changed : [])
      await this.#stopTurns({ records, parts }, name, by, 'the conversation was paused');
    return this.#items(changed);
  }

  async stop({ conversation, by }: Parameters<ChatApi['stop']>[0]): ReturnType<ChatApi['stop']> {
    const opened = await this.#writing();
    await opened.conversations.require(conversation);
    return this.#stopTurns(opened, conversation, by, 'cancelled by the user');
  }

  /** Cancels the runs of the turns that have started. */
  async #stopTurns(
    { records, parts }: Pick<OpenChat, 'records' | 'parts'>,
    name: string,
    by: string,
    reason: string,
  ): ReturnType<ChatApi['stop']> {
    const started = (await records.openIn(name)).flatMap(({ agent, status, run }) =>
      status === 'claimed' && run ? { agent, run } : [],
    );
    await parts.erasure.stop(
      started.map(({ run }) => run),
      by,
      reason,
    );
    await this.#cancelTurns(name);
    return started;
  }

  async retry({ conversation, turn, by }: Parameters<ChatApi['retry']>[0]): ReturnType<ChatApi['retry']> {
    const retried = await (await this.#writing()).conversations.retry(conversation, turn, by);
    for (const { agent, message, depth } of retried)
      await this.#notify([agent], { conv_name: conversation, message_id: message, depth });
    return retried.map(({ id, message, agent }) => ({ id, message, agent }));
  }

  async resume(request: Parameters<ChatApi['resume']>[0]): Promise<readonly ConversationItem[]> {
    const { conversation, by } = request;
    const { conversations, records } = await this.#writing();
    const changed = await this.#each(conversation, (name) => conversations.resume(name, by));
    for (const { name, agents } of changed) {
      const [waiting] = await records.openIn(name);
      if (waiting)
        await this.#notify(agents, { conv_name: name, message_id: waiting.message, depth: waiting.depth });
    }
    return this.#items(changed);
  }

  async #each(
    conversation: string | undefined,
    change: (name: string) => Promise<Conversation>,
  ): Promise<readonly Conversation[]> {
    const names = conversation === undefined ? (await this.list()).map(({ name }) => name) : [conversation];
    const changed: Conversation[] = [];
    for (const name of names) changed.push(await change(name));
    return changed;
  }

  async #items(conversations: readonly Conversation[]): Promise<readonly ConversationItem[]> {
    const names = new Set(conversations.map(({ name }) => name));
    return (await this.list()).filter(({ name }) => names.has(name));
  }

  async delete(conversation: string, by: string): Promise<void> {
    const { erasure, records } = await this.#writing();
    const found = await records.conversation(conversation);
    await erasure.delete(conversation, by);
    await this.#cancelTurns(conversation, found?.agents);
  }

  async cleanup(by: string): ReturnType<ChatApi['cleanup']> {
    const report = await (await this.#writing()).erasure.cleanup(by);
    for (const host of this.#hosts) await host.reconsider();
    return report;
  }

  /** Makes hosts, here and in other processes, check whether their turn is cancelled. */
  async #cancelTurns(name: string, agents?: readonly string[]): Promise<void> {
    for (const host of this.#hosts) await host.reconsider();
    const present = agents ?? (await this.#reading().records.conversation(name))?.agents ?? [];
    await this.#notify(present, { conv_name: name, message_id: 0, depth: 0 });
  }

  async trace(conversation: string): Promise<readonly NotificationView[]> {
    const { conversations, records } = this.#reading();
    await conversations.require(conversation);
    const messages = await records.messages({ conversation, after: 0 });
    const causes = new Map(messages.map((message) => [message.id, message]));
    return (await records.notifications(conversation)).map((one) => viewNotification(one, causes));
  }

  async usage(conversation: string): ReturnType<ChatApi['usage']> {
    const { chatUsage } = await import('./chat-usage.ts');
    return chatUsage(this.#services, conversation, await this.trace(conversation));
  }

  async notify({ conv_name: name, depth }: Parameters<ChatApi['notify']>[0]): Promise<void> {
    for (const host of this.#hosts) host.wake();
    if (this.#hosts.size === 0) return;
    const place = await this.#reading().records.conversation(name);
    const isCancelled = place === undefined || place.paused || depth === 0;
    if (isCancelled) for (const host of this.#hosts) await host.reconsider();
  }

  async host({ agents, signal, onTurn, onOutcome }: Parameters<ChatApi['host']>[0]): Promise<void> {
    if ((await this.#services.backend()).name !== 'local') return untilAborted(signal);
    const host = await this.#openHost({ agents }, onTurn, onOutcome);
    this.#hosts.add(host);
    const stopWatching = this.#watch((events) => {
      if (events.some(({ stream }) => conversationOf(stream) !== undefined)) host.wake();
    });
    try {
      await host.run(signal);
    } finally {
      stopWatching();
      this.#hosts.delete(host);
    }
  }

  /** Answers the open turns of an agent in a conversation that no other process answers in. Returns when the next is due. */
  async answerOpen(agent: string, conversation: string, signal: AbortSignal): Promise<number | undefined> {
    const host = await this.#openHost({ agents: [agent], conversation });
    this.#hosts.add(host);
    try {
      return await host.answerOpen(signal);
    } finally {
      this.#hosts.delete(host);
    }
  }

  /** The turns of these conversations, or of all, that are not done. */
  async openTurns(names?: readonly string[]): Promise<readonly Notification[]> {
    const { records } = this.#reading();
    if (names === undefined) return records.open([...(await this.#services.agents.names())]);
    return (await Promise.all(names.map((name) => records.openIn(name)))).flat();
  }

  async #openHost(
    served: { readonly agents: readonly string[] | undefined; readonly conversation?: string },
    onTurn?: Parameters<ChatApi['host']>[0]['onTurn'],
    onOutcome?: Parameters<ChatApi['host']>[0]['onOutcome'],
  ): Promise<AgentHost> {
    const opened = await this.#writing();
    const { owners, warn } = this.#services;
    return openHost(this.#services, opened, {
      ...served,
      onOutcome: onOutcome ?? warnOfFailures(warn),
      onTurn: ({ notification, run }, outcome) => {
        const { id } = notification;
        onTurn?.({ notification: id, run, outcome });
        const after =
          outcome === 'lost'
            ? opened.erasure.afterTurn({ id, run }, owners.self)
            : this.#passOn(notification, opened.records);
        after.catch((error: unknown) => warnOf(warn, error));
      },
    });
  }

  /** Notifies the agents mentioned in an agent's answer. */
  async #passOn({ id }: Notification, records: ChatRecords): Promise<void> {
    for (const { id: message, conversation, depth } of await records.answersTo(id)) {
      const mentioned = await records.notificationsOf(conversation, message);
      const notice = { conv_name: conversation, message_id: message, depth: depth + 1 };
      await this.#notify(
        mentioned.map(({ agent }) => agent),
        notice,
      );
    }
  }

  async #notify(agents: readonly string[], notice: HostNotice): Promise<void> {
    for (const host of this.#hosts) host.wake();
    if (agents.length > 0) await this.#services.notifyHosts(agents, notice);
  }

  #reading(): OpenChat {
    return this.#ledgers.reading();
  }

  #writing(): Promise<OpenChat> {
    return this.#ledgers.writing();
  }
}

/** The mailboxes of the cluster answer for the agents. */
async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
