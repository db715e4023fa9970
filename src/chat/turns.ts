// Owns: the lifecycle of a notification, with exactly one outcome. Does not own: the run that answers it, and polling.
import { commitDecided, type DecidedChange, type EventDraft, type SyncLevel } from '../ledger/index.ts';
import { chatEvent, chatStream, turnStream } from './chat-events.ts';
import { shortened } from './conversation-text.ts';
import type { ChatParts } from './ports.ts';
import { agentMessage } from './post-message.ts';
import type { ChainLimits, DropReason, Message, ModelWait, Notification } from './types.ts';

const MAX_ATTEMPTS = 3;
const MAX_REPLY_LENGTH = 1024 * 1024;

/** A claimed notification and the run that answers it. */
export interface Turn {
  readonly notification: Notification;
  readonly message: Message;
  readonly run: string;
  /** Whether the run may have started before. */
  readonly again: boolean;
}

export interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
}

export interface TurnResult extends Spent {
  readonly text: string;
  /** Whether the run has read untrusted content, such as a web page or another agent's tool result. */
  readonly untrusted: boolean;
}

/** The host that claims turns, and a check whether another host is alive. */
export interface Hosts {
  readonly self: string;
  readonly isAlive: (owner: string) => boolean;
}

/** Result of a claim: claimed, dropped, or not available now. */
type Claimed = Turn | 'dropped' | 'later';

export class Turns {
  readonly #parts: ChatParts;
  readonly #hosts: Hosts;
  /** Serializes claims and results per conversation, which avoids commit conflicts within this process. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(parts: ChatParts, hosts: Hosts) {
    this.#parts = parts;
    this.#hosts = hosts;
  }

  /** Claims queued notifications of these agents: at most one per agent and conversation. */
  async claim(
    agents: readonly string[],
    {
      limit = Number.POSITIVE_INFINITY,
      canClaim = () => true,
    }: { readonly limit?: number; readonly canClaim?: (notification: Notification) => boolean } = {},
  ): Promise<readonly Turn[]> {
    const turns: Turn[] = [];
    const busy = new Set<string>();
    // After a drop, the next notification of that agent may be available.
    for (let again = true; again; ) {
      again = false;
      for (const notification of await this.#parts.records.open(agents)) {
        if (turns.length >= limit) return turns;
        const place = `${notification.conversation}/${notification.agent}`;
        if (busy.has(place)) continue;
        const held = notification.status === 'claimed' && !this.#isFree(notification);
        const claimed = held || !canClaim(notification) ? 'later' : await this.#claimOne(notification);
        if (claimed === 'dropped') again = true;
        else busy.add(place);
        if (typeof claimed !== 'string') turns.push(claimed);
      }
    }
    return turns;
  }

  /** A claim is free if its host is gone. Parked claims are not free. */
  #isFree({ owner, parked }: Notification): boolean {
    return !parked && (owner === undefined || !this.#hosts.isAlive(owner));
  }

  #claimOne({ id, conversation, agent }: Notification): Promise<Claimed> {
    const { records, ids, clock } = this.#parts;
    return this.#decide(
      conversation,
      async (): Promise<DecidedChange<Claimed>> => {
        const now = await records.notification(id);
        if (now === undefined || now.status === 'done' || now.status === 'dropped') return nothing('dropped');
        const place = await records.conversation(conversation);
        if (place === undefined) return drop(now, 'deleted', 'the conversation is gone');
        const crashed = now.status === 'claimed';
        if (crashed && !this.#isFree(now)) return nothing('later');
        // A started turn finishes even while the conversation is paused.
        if (place.paused && !crashed && now.run === undefined) return nothing('later');
        const other = await records.claimed(conversation, agent);
        if (other !== undefined && other.id !== id) return nothing('later');
        const message = await records.message(conversation, now.message);
        if (message === undefined || message.at + place.ttlMs <= clock.now())
          return drop(now, 'expired', 'the message has expired');
        if (crashed && now.attempts >= MAX_ATTEMPTS)
          return drop(now, 'quarantined', `its host stopped ${now.attempts} times while answering it`);
        const over = crashed || now.run !== undefined ? undefined : await this.#overBudget(now.chain);
        if (over !== undefined) return drop(now, 'budget', over);
        const run = now.run ?? ids.next();
        const [owner, attempts] = [this.#hosts.self, now.attempts + 1];
        const claim = { notification: id, run, owner, attempt: attempts };
        const notification: Notification = { ...now, status: 'claimed', run, owner, attempts, parked: false };
        return {
          events: [chatEvent('turn.claimed', claim)],
          answer: { notification, message, run, again: now.run !== undefined },
        };
        // Power loss may lose the claim: it also loses the run it was made for.
      },
      'normal',
    );
  }

  async #overBudget(chain: string): Promise<string | undefined> {
    const use = await this.#parts.records.chainUse(chain);
    const { limits } = this.#parts;
    for (const name of ['turns', 'tokens', 'costUsd'] as const)
      if (use[name] >= limits[name])
        return `the chain has reached its limit of ${NAMES[name]}: ${use[name]} of ${limits[name]}`;
    return undefined;
  }

  /** Commits the reply, its notifications and the end of the turn. Returns false and stores nothing if another host owns the turn. */
  async finish(turn: Turn, result: TurnResult): Promise<boolean> {
    const { notification } = turn;
    const { conversation } = notification;
    const text = shortened(result.text, MAX_REPLY_LENGTH);
    const { agent } = notification;
    const said = { conversation, agent, text, notification, tainted: result.untrusted };
    const reply = text.trim() === '' ? undefined : (await agentMessage(this.#parts, said)).event;
    return this.#decide(conversation, async () => {
      if (!(await this.#isOurs(turn))) return nothing(false);
      return {
        events: [chatEvent('turn.done', { notification: notification.id, ...totalSpent(turn, result) })],
        others: reply === undefined ? [] : [{ stream: chatStream(conversation), events: [reply] }],
        answer: true,
      };
    });
  }

  /** Releases a turn when its host stops. The next owner continues its run. */
  release(turn: Turn): Promise<boolean> {
    const { id, attempts } = turn.notification;
    return this.#change(turn, chatEvent('turn.released', { notification: id, attempt: attempts - 1 }));
  }

  /** Parks a turn whose run waits for a person, or for a model that is busy. */
  park(turn: Turn, waiting?: ModelWait): Promise<boolean> {
    return this.#change(turn, chatEvent('turn.parked', { notification: turn.notification.id, ...waiting }));
  }

  /** Claims a parked turn whose run no longer waits. */
  async unpark(notification: Notification): Promise<Turn | undefined> {
    const { records } = this.#parts;
    const { id, conversation, run } = notification;
    const ours = await this.#decide(conversation, async () => {
      const now = await records.notification(id);
      if (now?.status !== 'claimed' || !now.parked || run === undefined) return nothing(false);
      const claim = { notification: id, run, owner: this.#hosts.self, attempt: now.attempts };
      return { events: [chatEvent('turn.claimed', claim)], answer: true };
    });
    const message = await records.message(conversation, notification.message);
    const current = await records.notification(id);
    if (!ours || run === undefined || message === undefined || current === undefined) return undefined;
    return { notification: current, message, run, again: true };
  }

  /** Retries a failed turn, or drops it after MAX_ATTEMPTS. */
  fail(turn: Turn, why: string, spent: Spent): Promise<boolean> {
    const { id, attempts } = turn.notification;
    if (attempts >= MAX_ATTEMPTS) return this.drop(turn, 'failed', why, spent);
    const failed = { notification: id, attempt: attempts, ...totalSpent(turn, spent) };
    return this.#change(turn, chatEvent('turn.failed', failed, { why }));
  }

  drop(turn: Turn, reason: DropReason, why: string, spent: Spent): Promise<boolean> {
    const { id } = turn.notification;
    const dropped = { notification: id, reason, ...totalSpent(turn, spent) };
    return this.#change(turn, chatEvent('turn.dropped', dropped, { why }));
  }

  #change(turn: Turn, event: EventDraft): Promise<boolean> {
    return this.#decide(turn.notification.conversation, async () =>
      (await this.#isOurs(turn)) ? { events: [event], answer: true } : nothing(false),
    );
  }

  async #isOurs({ notification, run }: Turn): Promise<boolean> {
    const now = await this.#parts.records.notification(notification.id);
    return now?.status === 'claimed' && now.owner === this.#hosts.self && now.run === run;
  }

  /** Commits a change if nobody else changed the conversation's turns; serialized within this process. */
  #decide<Answer>(
    conversation: string,
    decide: () => Promise<DecidedChange<Answer>>,
    sync: SyncLevel = 'full',
  ): Promise<Answer> {
    const before = this.#queues.get(conversation) ?? Promise.resolve();
    const mine = before.then(() =>
      commitDecided(
        this.#parts.events,
        { stream: turnStream(conversation), actor: this.#hosts.self, sync },
        decide,
      ),
    );
    const settled = mine.catch(() => undefined);
    this.#queues.set(conversation, settled);
    void settled.then(() => {
      if (this.#queues.get(conversation) === settled) this.#queues.delete(conversation);
    });
    return mine;
  }
}

const NAMES: Readonly<Record<keyof Omit<ChainLimits, 'depth'>, string>> = {
  turns: 'turns',
  tokens: 'tokens',
  costUsd: 'dollars',
};

/** The usage of this attempt and all earlier ones. */
function totalSpent({ notification }: Turn, { tokens, costUsd }: Spent): Spent {
  return { tokens: notification.tokens + tokens, costUsd: notification.costUsd + costUsd };
}

function nothing<Answer>(answer: Answer): DecidedChange<Answer> {
  return { events: [], answer };
}

function drop({ id }: Notification, reason: DropReason, why: string): DecidedChange<Claimed> {
  return { events: [chatEvent('turn.dropped', { notification: id, reason }, { why })], answer: 'dropped' };
}
