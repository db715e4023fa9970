// Owns: the life of a notification: who takes it up, what becomes of it, exactly once. Does not own: the run that answers
// it, and when to look for work.
import { commitDecided, type EventDraft, type SyncLevel } from '../ledger/index.ts';
import { agentMessage } from './agent-message.ts';
import { chatEvent, chatStream, turnStream } from './chat-events.ts';
import type { ChatParts } from './chat-parts.ts';
import { shortened } from './conversation-text.ts';
import type { ChainLimits, DropReason, Message, Notification } from './types.ts';

const MOST_ATTEMPTS = 3;
const LONGEST_REPLY = 1024 * 1024;

/** A notification that a host has taken up, and the run that answers it. */
export interface Turn {
  readonly notification: Notification;
  readonly message: Message;
  readonly run: string;
  /** Whether the run may have been begun before. */
  readonly again: boolean;
}

/** What the run of a turn came to. */
export interface TurnResult {
  readonly text: string;
  readonly tokens: number;
  readonly costUsd: number;
  /** Whether the run has seen what a page or another's tool said. */
  readonly untrusted: boolean;
}

export interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
}

/** Who takes part in turns: a host, which may be gone. */
export interface Hosts {
  readonly self: string;
  readonly isAlive: (owner: string) => boolean;
}

/** What came of looking at a notification: it is ours, it was dropped, or it is not to be had now. */
type Claimed = Turn | 'dropped' | 'later';

export class Turns {
  readonly #parts: ChatParts;
  readonly #hosts: Hosts;
  /** Claims and ends in one conversation wait for each other here, so that they do not meet in the ledger. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(parts: ChatParts, hosts: Hosts) {
    this.#parts = parts;
    this.#hosts = hosts;
  }

  /** Takes up what waits for these agents, as far as it can be had now: one for each agent and conversation. */
  async claim(
    agents: readonly string[],
    {
      most = Number.POSITIVE_INFINITY,
      mayTake = () => true,
    }: { readonly most?: number; readonly mayTake?: (notification: string) => boolean } = {},
  ): Promise<readonly Turn[]> {
    const turns: Turn[] = [];
    const busy = new Set<string>();
    // Where something was dropped, the next one in that place may be had.
    for (let again = true; again; ) {
      again = false;
      for (const notification of await this.#parts.records.open(agents)) {
        if (turns.length >= most) return turns;
        const place = `${notification.conversation}/${notification.agent}`;
        if (busy.has(place)) continue;
        const held = notification.status === 'claimed' && !this.#isFree(notification);
        const claimed = held || !mayTake(notification.id) ? 'later' : await this.#claimOne(notification);
        if (claimed === 'dropped') again = true;
        else busy.add(place);
        if (typeof claimed !== 'string') turns.push(claimed);
      }
    }
    return turns;
  }

  /** A claim is free when its host is gone. What waits for a person is not. */
  #isFree({ owner, parked }: Notification): boolean {
    return !parked && (owner === undefined || !this.#hosts.isAlive(owner));
  }

  #claimOne({ id, conversation, agent }: Notification): Promise<Claimed> {
    const { records, ids, clock } = this.#parts;
    return this.#decide(
      conversation,
      async (): Promise<Decided<Claimed>> => {
        const now = await records.notification(id);
        if (now === undefined || now.status === 'done' || now.status === 'dropped') return nothing('dropped');
        const place = await records.conversation(conversation);
        if (place === undefined) return drop(now, 'deleted', 'the conversation is gone');
        const crashed = now.status === 'claimed';
        if (crashed && !this.#isFree(now)) return nothing('later');
        // A turn that was begun is finished also where nothing new is taken up.
        if (place.paused && !crashed && now.run === undefined) return nothing('later');
        const other = await records.claimed(conversation, agent);
        if (other !== undefined && other.id !== id) return nothing('later');
        const message = await records.message(conversation, now.message);
        if (message === undefined || message.at + place.ttlMs <= clock.now())
          return drop(now, 'expired', 'the message has expired');
        if (crashed && now.attempts >= MOST_ATTEMPTS)
          return drop(now, 'quarantined', `its host ended ${now.attempts} times while it was answered`);
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
        // What is lost with the machine is lost together with the run that it was claimed for.
      },
      'normal',
    );
  }

  async #overBudget(chain: string): Promise<string | undefined> {
    const use = await this.#parts.records.chainUse(chain);
    const { limits } = this.#parts;
    for (const name of ['turns', 'tokens', 'costUsd'] as const)
      if (use[name] >= limits[name])
        return `the chain has used its ${NAMES[name]}: ${use[name]} of ${limits[name]}`;
    return undefined;
  }

  /**
   * Stores the reply, that the notification is done, and who is told of the reply, in one commit. False when the turn is not
   * this host's any more; then nothing is stored.
   */
  async finish(turn: Turn, result: TurnResult): Promise<boolean> {
    const { notification } = turn;
    const { conversation } = notification;
    const text = shortened(result.text, LONGEST_REPLY);
    const said = { conversation, agent: notification.agent, text, notification };
    const reply = text.trim() === '' ? undefined : (await agentMessage(this.#parts, said)).event;
    return this.#decide(conversation, async () => {
      if (!(await this.#isOurs(turn))) return nothing(false);
      return {
        events: [chatEvent('turn.done', { notification: notification.id, ...together(turn, result) })],
        others: reply === undefined ? [] : [{ stream: chatStream(conversation), events: [reply] }],
        answer: true,
      };
    });
  }

  /** Lets go of a turn at the end of a host; whoever claims it next goes on with its run. */
  release(turn: Turn): Promise<boolean> {
    const { id, attempts } = turn.notification;
    return this.#change(turn, chatEvent('turn.released', { notification: id, attempt: attempts - 1 }));
  }

  /** The run waits for a person: nobody has to stay with it. */
  park(turn: Turn): Promise<boolean> {
    return this.#change(turn, chatEvent('turn.parked', { notification: turn.notification.id }));
  }

  /** Takes up a turn again whose run does not wait for a person any more. */
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

  /** The run failed: the turn is tried again, or dropped when it was tried often enough. */
  fail(turn: Turn, why: string, spent: Spent): Promise<boolean> {
    const { id, attempts } = turn.notification;
    if (attempts >= MOST_ATTEMPTS) return this.drop(turn, 'failed', why, spent);
    const failed = { notification: id, attempt: attempts, ...together(turn, spent) };
    return this.#change(turn, chatEvent('turn.failed', failed, { why }));
  }

  drop(turn: Turn, reason: DropReason, why: string, spent: Spent): Promise<boolean> {
    const { id } = turn.notification;
    const dropped = { notification: id, reason, ...together(turn, spent) };
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

  /** Changes a conversation's turns on the condition that nobody else has; in turn within this process. */
  #decide<Answer>(
    conversation: string,
    decide: () => Promise<Decided<Answer>>,
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

interface Decided<Answer> {
  readonly events: readonly EventDraft[];
  readonly others?: readonly { readonly stream: string; readonly events: readonly EventDraft[] }[];
  readonly answer: Answer;
}

const NAMES: Readonly<Record<keyof Omit<ChainLimits, 'depth'>, string>> = {
  turns: 'turns',
  tokens: 'tokens',
  costUsd: 'dollars',
};

/** What this attempt and the ones before it have used. */
function together({ notification }: Turn, { tokens, costUsd }: Spent): Spent {
  return { tokens: notification.tokens + tokens, costUsd: notification.costUsd + costUsd };
}

function nothing<Answer>(answer: Answer): Decided<Answer> {
  return { events: [], answer };
}

function drop({ id }: Notification, reason: DropReason, why: string): Decided<Claimed> {
  return { events: [chatEvent('turn.dropped', { notification: id, reason }, { why })], answer: 'dropped' };
}
