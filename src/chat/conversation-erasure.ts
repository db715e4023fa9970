// Owns: erasing conversations and messages, with everything that runs store about them. Does not own: how content is erased.
import { commitDecided, type EventAddress } from '../ledger/index.ts';
import { type ChatEventData, chatEvent, chatStream, turnStream } from './chat-events.ts';
import { type Conversations, visibleAfter } from './conversations.ts';
import type { ChatParts, ConversationSummary } from './ports.ts';
import type { DropReason, Notification } from './types.ts';

/** What `cleanup` has removed. */
export interface CleanupReport {
  readonly messages: number;
  readonly conversations: readonly string[];
  /** Waiting mentions of agents that no longer exist. */
  readonly mentions: number;
}

const DELETED = 'the conversation was deleted';
const EXPIRED = 'the message has expired';

export class ConversationErasure {
  readonly #parts: ChatParts;
  readonly #conversations: Conversations;

  constructor(parts: ChatParts, conversations: Conversations) {
    this.#parts = parts;
    this.#conversations = conversations;
  }

  /**
   * Deletes a conversation, drops open notifications, and erases its messages and its runs. Content is erased first, so that an
   * interrupted deletion can be repeated.
   */
  async delete(name: string, by: string): Promise<void> {
    const { events, records, erasure } = this.#parts;
    await this.#conversations.require(name);
    await this.#eraseAll(name, by);
    const runs = await commitDecided(events, { stream: turnStream(name), actor: by }, async () => {
      await this.#conversations.require(name);
      const open = await records.openIn(name);
      return { events: [chatEvent('conversation.deleted', {})], answer: runsOf(open) };
    });
    await erasure.stop(runs, by, DELETED);
    await this.#eraseAll(name, by);
  }

  /** Erases expired messages, drops waiting mentions of agents that are gone, and deletes conversations without messages. */
  async cleanup(by: string): Promise<CleanupReport> {
    let messages = 0;
    let mentions = 0;
    const removed: string[] = [];
    for (const conversation of await this.#conversations.list()) {
      const { name } = conversation;
      messages += await this.#expire(conversation, by);
      mentions += await this.#dropUnknownAgents(name, by);
      if (await this.#deleteIfEmpty(name, by)) removed.push(name);
    }
    const orphaned = (await this.#parts.records.orphanedMessages()).map(({ conversation, id: index }) => ({
      stream: chatStream(conversation),
      index,
    }));
    await this.#parts.erasure.erase(orphaned, by, DELETED);
    return { messages: messages + orphaned.length, conversations: removed, mentions };
  }

  /** Erases what a run wrote after its message was deleted or expired. */
  async afterTurn({ id, run }: { readonly id: string; readonly run: string }, by: string): Promise<void> {
    const { records, erasure } = this.#parts;
    const found = await records.notification(id);
    if (found?.reason !== 'deleted' && found?.reason !== 'expired') return;
    await erasure.erase(await this.#runBodies([run]), by, DELETED);
  }

  async #deleteIfEmpty(name: string, by: string): Promise<boolean> {
    const { events, records } = this.#parts;
    const isDeleted = await commitDecided(events, { stream: turnStream(name), actor: by }, async () => {
      const left = await records.messages({ conversation: name, after: 0, limit: 1 });
      const isEmpty = left.length === 0 && (await records.openIn(name)).length === 0;
      return { events: isEmpty ? [chatEvent('conversation.deleted', {})] : [], answer: isEmpty };
    });
    if (isDeleted) await this.#eraseAll(name, by);
    return isDeleted;
  }

  /** Drops the notifications of expired messages and erases both. Returns the number of messages. */
  async #expire(conversation: ConversationSummary, by: string): Promise<number> {
    const { records, erasure, clock } = this.#parts;
    const { name } = conversation;
    const expired = await records.expiredMessages(name, visibleAfter(conversation, clock.now()));
    if (expired.length === 0) return 0;
    const ids = new Set(expired.map(({ id }) => id));
    const dropped = await this.#drop(name, by, 'expired', ({ message }) => ids.has(message));
    await erasure.stop(runsOf(dropped), by, EXPIRED);
    const stream = chatStream(name);
    const claims = (await this.#claims(name)).filter(({ notification }) => ids.has(messageOf(notification)));
    const thought = await this.#runBodies(claims.map(({ run }) => run));
    await erasure.erase([...[...ids].map((index) => ({ stream, index })), ...thought], by, EXPIRED);
    return expired.length;
  }

  /** Drops queued notifications of agents that no longer exist. Returns their number. */
  async #dropUnknownAgents(name: string, by: string): Promise<number> {
    const known = await this.#parts.agents.names();
    const isUnknown = ({ agent, status }: Notification): boolean => status === 'queued' && !known.has(agent);
    return (await this.#drop(name, by, 'unknown_agent', isUnknown)).length;
  }

  /** Drops the open notifications that `matches` selects, and returns them. */
  #drop(
    name: string,
    by: string,
    reason: DropReason,
    matches: (notification: Notification) => boolean,
  ): Promise<readonly Notification[]> {
    const { events, records } = this.#parts;
    const why = reason === 'expired' ? EXPIRED : 'the agent is gone';
    return commitDecided(events, { stream: turnStream(name), actor: by }, async () => {
      const open = (await records.openIn(name)).filter(matches);
      const drafts = open.map(({ id }) => chatEvent('turn.dropped', { notification: id, reason }, { why }));
      return { events: drafts, answer: open };
    });
  }

  async #eraseAll(name: string, by: string): Promise<void> {
    const { erasure } = this.#parts;
    const own = await erasure.bodiesOf([chatStream(name), turnStream(name)]);
    const runs = (await this.#claims(name)).map(({ run }) => run);
    await erasure.erase([...own, ...(await this.#runBodies(runs))], by, DELETED);
  }

  /** Every claim, including those of failed runs. */
  async #claims(name: string): Promise<readonly ChatEventData['turn.claimed'][]> {
    const events = await this.#parts.events.read(turnStream(name));
    return events.flatMap(({ type, data }) =>
      type === 'turn.claimed' ? [data as unknown as ChatEventData['turn.claimed']] : [],
    );
  }

  /** The content of runs and their child runs. */
  async #runBodies(runs: readonly string[]): Promise<readonly EventAddress[]> {
    const { erasure } = this.#parts;
    const streams = await Promise.all([...new Set(runs)].map((run) => erasure.streamsOfRun(run)));
    return erasure.bodiesOf(streams.flat());
  }
}

function runsOf(notifications: readonly Notification[]): readonly string[] {
  return notifications.flatMap(({ run }) => run ?? []);
}

/** The message of a notification: the middle part of its id. The other parts contain no slash. */
function messageOf(notification: string): number {
  return Number(notification.split('/')[1]);
}
