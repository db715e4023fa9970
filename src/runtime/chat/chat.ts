// Owns: conversations on one workspace: the faces of the domain for the API, and who hosts agents here. Does not own: what
// a conversation is, and what a host does.
import type { ChatApi, ChatHappening, ConversationItem, NotificationView } from '../../api/index.ts';
import {
  type ChatRecords,
  type Conversation,
  type Conversations,
  chatStream,
  conversationOf,
  type Notification,
  turnStream,
} from '../../chat/index.ts';
import { toFailure } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { warnOfFailures } from '../services/warn-of-failures.ts';
import type { AgentHost } from './agent-host.ts';
import { ChatLedgers, type OpenChat } from './chat-ledgers.ts';
import { viewConversation, viewMessage, viewNotification } from './chat-views.ts';
import type { ChatWorkbench, Doorbell } from './chat-workbench.ts';
import { followChat } from './follow-chat.ts';
import { openHost } from './open-host.ts';

/** All that can be done with conversations on one workspace. */
export class Chat implements ChatApi {
  readonly #bench: ChatWorkbench;
  readonly #ledgers: ChatLedgers;
  readonly #hosts = new Set<AgentHost>();

  constructor(bench: ChatWorkbench) {
    this.#bench = bench;
    this.#ledgers = new ChatLedgers(bench);
  }

  async list(): Promise<readonly ConversationItem[]> {
    return (await this.#looking().conversations.list()).map(viewConversation);
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
    this.#ring(sent.notified, { conv_name: conversation, message_id: sent.id, depth: 1 });
    return sent;
  }

  async view(request: Parameters<ChatApi['view']>[0]): ReturnType<ChatApi['view']> {
    const { conversation, ...options } = request;
    const { messages, notices } = await this.#looking().conversations.view(conversation, options);
    return { messages: messages.map(viewMessage), notices };
  }

  follow(request: Parameters<ChatApi['follow']>[0]): AsyncGenerator<ChatHappening> {
    const { clock, listen } = this.#bench;
    const watch = (onChange: () => void): (() => void) =>
      this.#watch((events) => {
        const streams = [chatStream(request.conversation), turnStream(request.conversation)];
        if (events.some(({ stream }) => streams.includes(stream))) onChange();
      });
    const { records } = this.#looking();
    return followChat({ clock, listen, records, watch, view: (which) => this.view(which) }, request);
  }

  /** Calls back with what this process has stored; the answer stops it. */
  #watch(onChange: (events: readonly LedgerEvent[]) => void): () => void {
    return this.#bench.ledger().store.subscribe(onChange);
  }

  async pause(request: Parameters<ChatApi['pause']>[0]): Promise<readonly ConversationItem[]> {
    const { conversation, cancel = false, by } = request;
    const { conversations, records, parts } = await this.#writing();
    const changed = await this.#each(conversation, (name) => conversations.pause(name, by, { cancel }));
    for (const { name } of cancel ? changed : []) {
      const runs = (await records.openIn(name)).flatMap(({ status, run }) =>
        status === 'claimed' && run ? run : [],
      );
      await parts.erasure.stop(runs, by, 'the conversation was paused');
      await this.#callOff(name);
    }
    return this.#items(changed);
  }

  async resume(request: Parameters<ChatApi['resume']>[0]): Promise<readonly ConversationItem[]> {
    const { conversation, by } = request;
    const { conversations, records } = await this.#writing();
    const changed = await this.#each(conversation, (name) => conversations.resume(name, by));
    for (const { name, agents } of changed) {
      const [waiting] = await records.openIn(name);
      if (waiting) this.#ring(agents, { conv_name: name, message_id: waiting.message, depth: waiting.depth });
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
    const place = await records.conversation(conversation);
    await erasure.delete(conversation, by);
    await this.#callOff(conversation, place?.agents);
  }

  async cleanup(by: string): ReturnType<ChatApi['cleanup']> {
    const report = await (await this.#writing()).erasure.cleanup(by);
    for (const host of this.#hosts) await host.reconsider();
    return report;
  }

  /** Tells hosts, here and elsewhere, to look at what they are working on. */
  async #callOff(name: string, agents?: readonly string[]): Promise<void> {
    for (const host of this.#hosts) await host.reconsider();
    const present = agents ?? (await this.#looking().records.conversation(name))?.agents ?? [];
    this.#ring(present, { conv_name: name, message_id: 0, depth: 0 });
  }

  async trace(conversation: string): Promise<readonly NotificationView[]> {
    const { conversations, records } = this.#looking();
    await conversations.require(conversation);
    const messages = await records.messages({ conversation, after: 0 });
    const causes = new Map(messages.map((message) => [message.id, message]));
    return (await records.notifications(conversation)).map((one) => viewNotification(one, causes));
  }

  async notify({ conv_name: name, depth }: Parameters<ChatApi['notify']>[0]): Promise<void> {
    for (const host of this.#hosts) host.wake();
    if (this.#hosts.size === 0) return;
    const place = await this.#looking().records.conversation(name);
    const isCalledOff = place === undefined || place.paused || depth === 0;
    if (isCalledOff) for (const host of this.#hosts) await host.reconsider();
  }

  async host({ agents, signal, onTurn, onOutcome }: Parameters<ChatApi['host']>[0]): Promise<void> {
    const opened = await this.#writing();
    const { owners, onTrouble } = this.#bench;
    const host = await openHost(this.#bench, opened, {
      agents,
      onOutcome: onOutcome ?? warnOfFailures(onTrouble),
      onTurn: ({ notification, run }, outcome) => {
        const { id } = notification;
        onTurn?.({ notification: id, run, outcome });
        const after =
          outcome === 'lost'
            ? opened.erasure.afterTurn({ id, run }, owners.self)
            : this.#passOn(notification, opened.records);
        after.catch((error: unknown) => onTrouble(toFailure(error, 'engine.tool_failed').message));
      },
    });
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

  /** Rings for whoever is mentioned in what an agent has said because of a notification. */
  async #passOn({ id }: Notification, records: ChatRecords): Promise<void> {
    for (const { id: message, conversation, depth } of await records.answersTo(id)) {
      const told = await records.notificationsOf(conversation, message);
      const bell = { conv_name: conversation, message_id: message, depth: depth + 1 };
      this.#ring(
        told.map(({ agent }) => agent),
        bell,
      );
    }
  }

  #ring(agents: readonly string[], bell: Doorbell): void {
    for (const host of this.#hosts) host.wake();
    if (agents.length > 0) this.#bench.ring(agents, bell);
  }

  #looking(): OpenChat {
    return this.#ledgers.looking();
  }

  #writing(): Promise<OpenChat> {
    return this.#ledgers.writing();
  }
}
