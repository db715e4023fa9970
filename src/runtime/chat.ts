// Owns: conversations on one workspace: the faces of the domain for the API, and hosting agents. Does not own: what a
// conversation is.
import { SqliteChatRecords } from '../adapters/sqlite/index.ts';
import type { ChatApi, ChatHappening, ConversationItem, NotificationView } from '../api/index.ts';
import {
  type ChainLimits,
  type ChatAgents,
  type ChatParts,
  type Conversation,
  Conversations,
  chatStream,
  conversationOf,
  DEFAULT_CHAIN_LIMITS,
  Forgetting,
  type Notification,
  spokenTo,
  type Turn,
  Turns,
  turnStream,
  WITHIN,
} from '../chat/index.ts';
import type { Engine, Owners, RunRequest } from '../engine/index.ts';
import { type Clock, type Ids, type Json, type JsonObject, toFailure } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import { AgentHost, LONGEST_TURN_MS } from './agent-host.ts';
import { chatErasure, type ErasureParts } from './chat-erasure.ts';
import { viewConversation, viewMessage, viewNotification } from './chat-views.ts';
import { followChat } from './follow-chat.ts';
import type { OpenLedger } from './open-ledger.ts';

/** What conversations need of the workspace. */
export interface ChatWorkbench {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly owners: Owners;
  readonly databaseFile: string;
  /** For looking. */
  readonly ledger: () => OpenLedger;
  /** For changing; refuses where the workspace is not trusted. */
  readonly writable: () => Promise<OpenLedger>;
  readonly acting: () => Promise<Engine>;
  readonly agents: ChatAgents;
  readonly erase: ErasureParts['erase'];
  /** The run of an agent on a goal. */
  readonly agentRun: (agent: string, goal: string) => Promise<RunRequest>;
  /** Hears what models say, until the answer is called; the way to stop. */
  readonly listen: (hear: (piece: { readonly run: string; readonly text: string }) => void) => () => void;
  /** Wakes hosts in other processes. */
  readonly ring: (agents: readonly string[], bell: Doorbell) => void;
  /** Agents that answer in a process of their own. */
  readonly hostedElsewhere: () => Promise<ReadonlySet<string>>;
  readonly onTrouble: (what: string) => void;
  /** What differs from the usual: limits of chains, and how long messages are shown. */
  readonly settings: () => Promise<ChatSettings>;
}

export type ChatSettings = Partial<ChainLimits> & { readonly ttlMs?: number };

/** What is rung for. */
export interface Doorbell {
  readonly conv_name: string;
  readonly message_id: number;
  readonly depth: number;
}

interface Opened {
  readonly records: SqliteChatRecords;
  readonly parts: ChatParts;
  readonly conversations: Conversations;
  readonly forgetting: Forgetting;
}

/** All that can be done with conversations on one workspace. */
export class Chat implements ChatApi {
  readonly #bench: ChatWorkbench;
  readonly #looked = new WeakMap<OpenLedger, Opened>();
  readonly #written = new WeakMap<OpenLedger, Opened>();
  readonly #hosts = new Set<AgentHost>();

  constructor(bench: ChatWorkbench) {
    this.#bench = bench;
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
    const { forgetting, records } = await this.#writing();
    const place = await records.conversation(conversation);
    await forgetting.delete(conversation, by);
    await this.#callOff(conversation, place?.agents);
  }

  async cleanup(by: string): ReturnType<ChatApi['cleanup']> {
    const report = await (await this.#writing()).forgetting.cleanup(by);
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

  async notify({ conv_name: name }: Parameters<ChatApi['notify']>[0]): Promise<void> {
    for (const host of this.#hosts) host.wake();
    if (this.#hosts.size === 0) return;
    const place = await this.#looking().records.conversation(name);
    if (place === undefined || place.paused) for (const host of this.#hosts) await host.reconsider();
  }

  async host({ agents, signal, onTurn }: Parameters<ChatApi['host']>[0]): Promise<void> {
    const { parts, records, forgetting } = await this.#writing();
    const { owners, clock, onTrouble, hostedElsewhere } = this.#bench;
    const engine = await this.#bench.acting();
    const trouble = (error: unknown): void => onTrouble(toFailure(error, 'engine.tool_failed').message);
    const host = new AgentHost({
      turns: new Turns(parts, { self: owners.self, isAlive: owners.isAlive.bind(owners) }),
      engine,
      clock,
      owners,
      agents: async () => {
        if (agents !== undefined) return agents;
        const elsewhere = await hostedElsewhere();
        return [...(await this.#bench.agents.names())].filter((name) => !elsewhere.has(name));
      },
      parked: async (names) => (await records.open(names)).filter(({ parked }) => parked),
      requestOf: (turn) => this.#requestOf(turn),
      isCalledOff: async ({ notification, run }) => {
        const now = await records.notification(notification.id);
        if (now?.status !== 'claimed' || now.run !== run) return true;
        const place = await records.conversation(notification.conversation);
        return place?.paused === true && (await engine.load(run)).cancelRequested !== undefined;
      },
      onTurn: ({ notification, run }, outcome) => {
        const { id } = notification;
        onTurn?.({ notification: id, run, outcome });
        const after =
          outcome === 'lost'
            ? forgetting.afterTurn({ id, run }, owners.self)
            : this.#passOn(notification, records);
        after.catch(trouble);
      },
      onTrouble,
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
  async #passOn({ id }: Notification, records: SqliteChatRecords): Promise<void> {
    for (const { id: message, conversation, depth } of await records.answersTo(id)) {
      const told = await records.told(conversation, message);
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

  /** The run that answers a notification: on what was said, and within what everybody on the way may use. */
  async #requestOf({ notification, message }: Turn): Promise<RunRequest> {
    const { conversation, agent, within, untrusted, id } = notification;
    const request = await this.#bench.agentRun(agent, spokenTo(agent, message.text));
    const vars: JsonObject = {
      ...request.vars,
      conversation,
      message: message.id,
      ...(within.length === 0 ? {} : { [WITHIN]: within as unknown as Json }),
    };
    const budgets = { wall_ms: LONGEST_TURN_MS, ...request.budgets };
    return {
      ...request,
      vars,
      budgets,
      subject: conversation,
      origin: id,
      ...(untrusted ? { untrusted } : {}),
    };
  }

  #looking(): Opened {
    return this.#on(this.#bench.ledger(), this.#looked, {});
  }

  async #writing(): Promise<Opened> {
    const ledger = await this.#bench.writable();
    const known = this.#written.get(ledger);
    return known ?? this.#on(ledger, this.#written, await this.#bench.settings());
  }

  #on(ledger: OpenLedger, opened: WeakMap<OpenLedger, Opened>, settings: ChatSettings): Opened {
    const known = opened.get(ledger);
    if (known) return known;
    const { clock, ids, agents, databaseFile, acting, erase } = this.#bench;
    const { ttlMs, ...limits } = settings;
    const records = new SqliteChatRecords(ledger.database, databaseFile);
    const parts: ChatParts = {
      events: ledger.events,
      records,
      agents,
      erasure: chatErasure({ ledger, acting, erase }),
      clock,
      ids,
      limits: { ...DEFAULT_CHAIN_LIMITS, ...limits },
      ...(ttlMs === undefined ? {} : { ttlMs }),
    };
    const conversations = new Conversations(parts);
    const made = { records, parts, conversations, forgetting: new Forgetting(parts, conversations) };
    opened.set(ledger, made);
    return made;
  }
}
