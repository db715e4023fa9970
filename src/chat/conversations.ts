// Owns: creating, reading, pausing conversations and posting to them. Does not own: agent turns and deletion.
import { didYouMean, type EpochMs, nearestName, OkaError } from '../kernel/index.ts';
import { commitDecided } from '../ledger/index.ts';
import { chatEvent, chatStream, turnStream } from './chat-events.ts';
import { addressed } from './mentions.ts';
import type { ChatParts, ChatRecords, ConversationSummary } from './ports.ts';
import { messageEvent } from './post-message.ts';
import { isRetryable, retryTurns } from './retry-turns.ts';
import {
  type ChatErrorCode,
  type Conversation,
  DEFAULT_TTL_MS,
  type DropReason,
  type Message,
  type Notification,
  PERSON,
} from './types.ts';

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u;
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** The messages of a conversation, and notices about mentions that get no answer. */
export interface ConversationView {
  readonly messages: readonly Message[];
  readonly notices: readonly Notice[];
}

/** A status line shown with a message. */
export interface Notice {
  readonly message: number;
  readonly what: string;
  /** An agent waits for an approval or an answer of the person. */
  readonly waiting?: true;
  /** A started turn ended without an answer. */
  readonly ended?: true;
  /** An agent waits until this time, because its model is rate limited or overloaded. */
  readonly until?: EpochMs;
  /** The dropped turn that a person can retry. */
  readonly retry?: string;
}

/** An agent whose name is close to an unknown one. */
export interface NameSuggestion {
  readonly name: string;
  readonly nearest: string;
}

export class Conversations {
  readonly #parts: ChatParts;

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  list(): Promise<readonly ConversationSummary[]> {
    return this.#parts.records.conversations(this.#parts.clock.now());
  }

  require(name: string): Promise<Conversation> {
    return requireConversation(this.#parts.records, name);
  }

  async create(name: string, by: string, options: { readonly ttlMs?: number } = {}): Promise<Conversation> {
    if (!NAME.test(name)) {
      throw invalid(
        `Invalid conversation name "${name}": use up to 64 letters, digits, _ and -, and start with a letter or digit.`,
        'name',
      );
    }
    const { events, records } = this.#parts;
    const { ttlMs = this.#parts.ttlMs ?? DEFAULT_TTL_MS } = options;
    if (!(ttlMs > 0)) throw invalid('the time to keep messages must be greater than 0.', 'ttl');
    await commitDecided(events, { stream: turnStream(name), actor: by }, async () => {
      if (await records.conversation(name)) {
        const message = `Conversation "${name}" already exists. Join it with: oka chat join ${name}.`;
        throw new OkaError<ChatErrorCode>('chat.exists', message, { data: { conversation: name } });
      }
      return { events: [chatEvent('conversation.created', { ttlMs })], answer: undefined };
    });
    return this.require(name);
  }

  /** Stores a person's message and its notifications. */
  async send(
    name: string,
    text: string,
    by: string,
    options: { readonly to?: readonly string[] } = {},
  ): Promise<{
    readonly id: number;
    readonly notified: readonly string[];
    readonly unknown: readonly string[];
    readonly suggestions: readonly NameSuggestion[];
  }> {
    const { agents } = await this.require(name);
    checkText(text);
    const known = await this.#parts.agents.names();
    const found = addressed(text, PERSON, { person: PERSON, agents: known, present: agents });
    const { to: asked = [] } = options;
    const to = {
      agents: [...new Set([...asked.filter((agent) => known.has(agent)), ...found.agents])],
      unknown: [...new Set([...asked.filter((agent) => !known.has(agent)), ...found.unknown])],
    };
    const event = messageEvent({ from: PERSON, text, depth: 0, to }, this.#parts.limits);
    const appends = [{ stream: chatStream(name), events: [event] }];
    const [stored] = await this.#parts.events.commit({ actor: by, sync: 'full', appends });
    const id = stored?.index ?? 0;
    await this.#eraseIfDeleted(name, id, by);
    const suggestions = to.unknown.flatMap((unknown) => {
      const nearest = nearestName(unknown, known);
      return nearest === undefined ? [] : [{ name: unknown, nearest }];
    });
    return { id, notified: to.agents, unknown: to.unknown, suggestions };
  }

  /** Copies messages into another conversation, with their authors and their taint. Sends no notifications. */
  async carry(from: string, to: string, ids: readonly number[], by: string): Promise<void> {
    const { records, events, limits } = this.#parts;
    await this.require(to);
    const { messages } = await this.view(from);
    const copies = messages
      .filter(({ id }) => ids.includes(id))
      .map(({ from: author, text, depth, tainted }) => {
        const follows = { within: [], untrusted: true, tainted: tainted === true };
        const message = { from: author, text, depth, to: { agents: [], unknown: [] } };
        return messageEvent(author === PERSON ? message : { ...message, follows }, limits);
      });
    if (copies.length === 0) return;
    const stored = await events.commit({
      actor: by,
      sync: 'full',
      appends: [{ stream: chatStream(to), events: copies }],
    });
    if (!(await records.conversation(to)))
      for (const { index } of stored) await this.#eraseIfDeleted(to, index, by);
  }

  /** Erases the message if the conversation was deleted meanwhile. */
  async #eraseIfDeleted(name: string, index: number, by: string): Promise<void> {
    const { records, erasure } = this.#parts;
    if (await records.conversation(name)) return;
    await erasure.erase([{ stream: chatStream(name), index }], by, 'the conversation was deleted');
    await this.require(name);
  }

  async view(
    name: string,
    options: { readonly since?: number; readonly upTo?: number; readonly limit?: number } = {},
  ): Promise<ConversationView> {
    const conversation = await this.require(name);
    const { records } = this.#parts;
    const after = visibleAfter(conversation, this.#parts.clock.now());
    const messages = await records.messages({ conversation: name, after, ...options });
    const shown = new Set(messages.map(({ id }) => id));
    const [first, last] = [messages[0], messages.at(-1)];
    const unanswered = first && last ? await records.unanswered(name, first.id, last.id) : [];
    const notices = unanswered.filter(({ message }) => shown.has(message)).flatMap((one) => noticeOf(one));
    const names = messages.some(({ unknown }) => unknown.length > 0) ? await this.#parts.agents.names() : [];
    return { messages, notices: [...unknownNameNotices(messages, [...names]), ...notices] };
  }

  /** Queues dropped turns again. */
  async retry(name: string, turn: string | undefined, by: string): Promise<readonly Notification[]> {
    const after = visibleAfter(await this.require(name), this.#parts.clock.now());
    return retryTurns(this.#parts, { conversation: name, after, turn, by });
  }

  /** Stops new turns from starting. Turns in progress finish. */
  pause(name: string, by: string, options: { readonly cancel?: boolean } = {}): Promise<Conversation> {
    return this.#switch(name, by, true, options);
  }

  resume(name: string, by: string): Promise<Conversation> {
    return this.#switch(name, by, false, {});
  }

  async #switch(
    name: string,
    by: string,
    paused: boolean,
    { cancel }: { readonly cancel?: boolean },
  ): Promise<Conversation> {
    await commitDecided(this.#parts.events, { stream: turnStream(name), actor: by }, async () => {
      const conversation = await this.require(name);
      if (conversation.paused === paused && cancel !== true) return { events: [], answer: undefined };
      const event = paused
        ? chatEvent('conversation.paused', { cancel: cancel ? true : undefined })
        : chatEvent('conversation.resumed', {});
      return { events: [event], answer: undefined };
    });
    return this.require(name);
  }
}

/** Messages older than this are hidden. */
export function visibleAfter({ ttlMs }: Pick<Conversation, 'ttlMs'>, now: EpochMs): EpochMs {
  return now - ttlMs;
}

function noticeOf(notification: Notification): Notice[] {
  const { id, status, message, agent, reason, detail, parked, waiting } = notification;
  if (waiting !== undefined) {
    const { until, why } = waiting;
    return [{ message, what: `${agent} tries again at ${showUtc(until)}: ${why}`, until }];
  }
  if (parked)
    return [{ message, what: `${agent} waits for your approval. See: oka approvals list`, waiting: true }];
  if (status !== 'dropped' || reason === undefined) return [];
  const why = detail === undefined ? '' : ` (${detail})`;
  const retry = isRetryable(notification) ? { retry: id } : {};
  if (!STARTED.includes(reason))
    return [{ message, what: `${agent} was not notified: ${reason}${why}`, ...retry }];
  const what = reason === 'cancelled' ? `${agent} was cancelled` : `${agent} did not answer: ${reason}${why}`;
  return [{ message, what, ended: true, ...retry }];
}

/** A time as lists show it, such as "2026-11-17 14:05:30 UTC". */
function showUtc(at: EpochMs): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Drop reasons of turns that had started. */
const STARTED: readonly DropReason[] = ['failed', 'quarantined', 'cancelled'];

/** One notice per unknown name. */
function unknownNameNotices(messages: readonly Message[], agents: readonly string[]): Notice[] {
  const first = new Map<string, Notice>();
  for (const { id: message, unknown } of messages)
    for (const name of unknown) {
      const help = didYouMean(nearestName(name, agents), 'See: oka agent list');
      if (!first.has(name)) first.set(name, { message, what: `No agent "${name}". ${help}` });
    }
  return [...first.values()];
}

/** Returns the conversation with this exact name, or fails and suggests the nearest one. */
export async function requireConversation(
  records: Pick<ChatRecords, 'conversation' | 'conversations'>,
  name: string,
): Promise<Conversation> {
  const found = await records.conversation(name);
  if (found) return found;
  const names = (await records.conversations(0)).map((one) => one.name);
  const help = `List them with: oka chat list. Create it with: oka chat new ${name}`;
  const message = `No conversation "${name}". ${didYouMean(nearestName(name, names), help)}`;
  throw new OkaError<ChatErrorCode>('chat.unknown', message, { data: { conversation: name } });
}

export function checkText(text: string): void {
  if (text.trim() === '') throw invalid('The message is empty.', 'text');
  if (Buffer.byteLength(text) > MAX_MESSAGE_BYTES)
    throw invalid(
      `The message is longer than ${MAX_MESSAGE_BYTES} bytes. Put it into a file and mention the file.`,
      'text',
    );
}

function invalid(message: string, field: string): OkaError<ChatErrorCode> {
  return new OkaError('chat.invalid', message, { data: { field } });
}
