// Owns: taking conversations and messages away for good, with all that runs hold of them. Does not own: how content is erased.
import { commitDecided, type EventAddress } from '../ledger/index.ts';
import { type ChatEventData, chatEvent, chatStream, turnStream } from './chat-events.ts';
import type { ChatParts } from './chat-parts.ts';
import { type Conversations, visibleAfter } from './conversations.ts';
import type { ConversationSummary } from './ports.ts';
import type { DropReason, Notification } from './types.ts';

/** What `cleanup` has removed. */
export interface CleanupReport {
  readonly messages: number;
  readonly conversations: readonly string[];
}

const DELETED = 'the conversation was deleted';
const EXPIRED = 'the message has expired';

export class Forgetting {
  readonly #parts: ChatParts;
  readonly #conversations: Conversations;

  constructor(parts: ChatParts, conversations: Conversations) {
    this.#parts = parts;
    this.#conversations = conversations;
  }

  /**
   * Ends a conversation, drops what was not answered, and erases everything that was said in it and thought about it. Content
   * goes first, so that whoever is interrupted finds the conversation still there and can delete it again.
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

  /** Erases what nobody sees any more, and removes conversations in which nothing is left. */
  async cleanup(by: string): Promise<CleanupReport> {
    let messages = 0;
    const removed: string[] = [];
    for (const conversation of await this.#conversations.list()) {
      const { name } = conversation;
      await this.#dropStrangers(name, by);
      const expired = await this.#expire(conversation, by);
      messages += expired;
      if (await this.#isOver(conversation, expired)) {
        await this.delete(name, by);
        removed.push(name);
      }
    }
    const strays = await this.#parts.records.strays();
    const lost = strays.map(({ conversation, id }) => ({ stream: chatStream(conversation), index: id }));
    await this.#parts.erasure.erase(lost, by, DELETED);
    return { messages: messages + strays.length, conversations: removed };
  }

  /**
   * A host has ended a turn that was not its own any more: what its run has written since the message was taken away goes as
   * well.
   */
  async afterTurn({ id, run }: { readonly id: string; readonly run: string }, by: string): Promise<void> {
    const { records, erasure } = this.#parts;
    const found = await records.notification(id);
    if (found?.reason !== 'deleted' && found?.reason !== 'expired') return;
    await erasure.erase(await this.#runBodies([run]), by, DELETED);
  }

  async #isOver({ name, createdAt, ttlMs }: ConversationSummary, expired: number): Promise<boolean> {
    const { records, clock } = this.#parts;
    if (expired === 0 && createdAt > visibleAfter({ ttlMs }, clock.now())) return false;
    const left = await records.messages({ conversation: name, after: 0, limit: 1 });
    return left.length === 0 && (await records.openIn(name)).length === 0;
  }

  /** Drops and erases what has expired; answers with how many messages that were. */
  async #expire(conversation: ConversationSummary, by: string): Promise<number> {
    const { records, erasure, clock } = this.#parts;
    const { name } = conversation;
    const expired = await records.expiredMessages(name, visibleAfter(conversation, clock.now()));
    if (expired.length === 0) return 0;
    const ids = new Set(expired.map(({ id }) => id));
    const runs = await this.#drop(name, by, 'expired', ({ message }) => ids.has(message));
    await erasure.stop(runs, by, EXPIRED);
    const stream = chatStream(name);
    const claims = (await this.#claims(name)).filter(({ notification }) => ids.has(messageOf(notification)));
    const thought = await this.#runBodies(claims.map(({ run }) => run));
    await erasure.erase([...[...ids].map((index) => ({ stream, index })), ...thought], by, EXPIRED);
    return expired.length;
  }

  /** Drops what waits for agents that are not there any more. */
  async #dropStrangers(name: string, by: string): Promise<void> {
    const known = await this.#parts.agents.names();
    await this.#drop(
      name,
      by,
      'unknown_agent',
      ({ agent, status }) => status === 'queued' && !known.has(agent),
    );
  }

  /** Drops what is open and meant; answers with its runs. */
  #drop(
    name: string,
    by: string,
    reason: DropReason,
    isMeant: (notification: Notification) => boolean,
  ): Promise<readonly string[]> {
    const { events, records } = this.#parts;
    const why = reason === 'expired' ? EXPIRED : 'the agent is gone';
    return commitDecided(events, { stream: turnStream(name), actor: by }, async () => {
      const open = (await records.openIn(name)).filter(isMeant);
      const drafts = open.map(({ id }) => chatEvent('turn.dropped', { notification: id, reason }, { why }));
      return { events: drafts, answer: runsOf(open) };
    });
  }

  async #eraseAll(name: string, by: string): Promise<void> {
    const { erasure } = this.#parts;
    const own = await erasure.bodiesOf([chatStream(name), turnStream(name)]);
    const runs = (await this.#claims(name)).map(({ run }) => run);
    await erasure.erase([...own, ...(await this.#runBodies(runs))], by, DELETED);
  }

  /** Who has ever taken up what; also the runs that failed and were followed by others. */
  async #claims(name: string): Promise<readonly ChatEventData['turn.claimed'][]> {
    const events = await this.#parts.events.read(turnStream(name));
    return events.flatMap(({ type, data }) =>
      type === 'turn.claimed' ? [data as unknown as ChatEventData['turn.claimed']] : [],
    );
  }

  /** What runs, and the runs below them, hold of what they were about. */
  async #runBodies(runs: readonly string[]): Promise<readonly EventAddress[]> {
    const { erasure } = this.#parts;
    const streams = await Promise.all([...new Set(runs)].map((run) => erasure.streamsOfRun(run)));
    return erasure.bodiesOf(streams.flat());
  }
}

function runsOf(notifications: readonly Notification[]): readonly string[] {
  return notifications.flatMap(({ run }) => run ?? []);
}

/** The message that a notification is about: the middle of its id, whose other parts hold no slash. */
function messageOf(notification: string): number {
  return Number(notification.split('/')[1]);
}
