// Owns: the events of a conversation, merged in order from chat and ledger. Does not own: how they are shown.
import type { ChatHappening, ChatMessageView, EventView, Notice, OkaApi } from '../../api/index.ts';

/** How long a message waits for the ledger events before it. */
const MAX_WAIT_MS = 1_000;
const TURN_PREFIX = 'turn.';

export interface RoomListener {
  readonly onMessage: (message: ChatMessageView) => void;
  readonly onNotice: (notice: Notice) => void;
  readonly onWords: (from: string, text: string) => void;
  /** What an agent does now: the model that it asks, or the last line of a running program. */
  readonly onActivity: (
    from: string,
    activity: { readonly model?: string; readonly output?: string },
  ) => void;
  readonly onTurn: (agent: string, run: string) => void;
  readonly onTurnEnd: (agent: string, end: TurnEnd) => void;
  /** An agent waits for approval, or until a time because its model is busy. */
  readonly onParked: (agent: string, until: number | undefined) => void;
  /** An event in the run of a turn. */
  readonly onStep: (agent: string, event: EventView) => void;
}

/** How a turn ended. A failed turn is retried; a dropped one is not. */
export interface TurnEnd {
  readonly how: 'done' | 'failed' | 'dropped' | 'released';
  /** Of a dropped turn, such as `cancelled`. */
  readonly reason?: string;
  readonly why?: string;
}

type Fields = Readonly<Record<string, string | undefined>>;

export class RoomEvents {
  readonly #api: OkaApi;
  readonly #conversation: string;
  readonly #listener: RoomListener;
  /** Agents by run; undefined for runs of no turn of this conversation. */
  readonly #runs = new Map<string, string | undefined>();
  #waiting: readonly ChatMessageView[] = [];
  #notices: readonly Notice[] = [];
  /** The last message seen in the ledger. */
  #posted: number;

  constructor(
    api: OkaApi,
    conversation: string,
    options: { readonly since: number; readonly listener: RoomListener },
  ) {
    this.#api = api;
    this.#conversation = conversation;
    this.#posted = options.since;
    this.#listener = options.listener;
  }

  async follow(signal: AbortSignal): Promise<void> {
    const since = this.#posted;
    const steps = this.#followLedger(signal);
    const words = this.#followChat(since, signal);
    await Promise.all([steps, words]);
  }

  async #followChat(since: number, signal: AbortSignal): Promise<void> {
    for await (const one of this.#api.chat.follow({
      conversation: this.#conversation,
      since,
      activities: true,
      signal,
    })) {
      if (signal.aborted) return;
      this.#handleChat(one);
    }
  }

  async #followLedger(signal: AbortSignal): Promise<void> {
    for await (const event of this.#api.ledger.tail({ last: 0, follow: true, signal })) {
      if (signal.aborted) return;
      await this.#handleEvent(event);
    }
  }

  #handleChat(one: ChatHappening): void {
    if (one.kind === 'words') this.#listener.onWords(one.from, one.text);
    else if (one.kind === 'activity') this.#listener.onActivity(one.from, one);
    else if (one.kind === 'notice') this.#notice(one.notice);
    else if (one.message.id <= this.#posted) this.#listener.onMessage(one.message);
    else {
      this.#waiting = [...this.#waiting, one.message];
      setTimeout(() => this.#flushUpTo(one.message.id), MAX_WAIT_MS).unref();
    }
  }

  /** Notices come after their message. */
  #notice(notice: Notice): void {
    if (this.#waiting.some(({ id }) => id === notice.message)) this.#notices = [...this.#notices, notice];
    else this.#listener.onNotice(notice);
  }

  #flushUpTo(id: number): void {
    this.#posted = Math.max(this.#posted, id);
    const due = this.#waiting.filter((message) => message.id <= id);
    this.#waiting = this.#waiting.filter((message) => message.id > id);
    for (const message of due) this.#listener.onMessage(message);
    const notices = this.#notices;
    this.#notices = [];
    for (const notice of notices) this.#notice(notice);
  }

  async #handleEvent(event: EventView): Promise<void> {
    if (event.stream === `chat/${this.#conversation}` && event.type === 'message.posted')
      this.#flushUpTo(event.index);
    else if (event.stream === `turns/${this.#conversation}`) this.#handleTurn(event);
    else if (event.stream.startsWith('run/')) {
      const agent = await this.#agentOf(event.stream.slice(4));
      if (agent !== undefined) this.#listener.onStep(agent, event);
    }
  }

  /** A turn can be claimed before the ledger is followed, so an unknown run is looked up once. */
  async #agentOf(run: string): Promise<string | undefined> {
    if (!this.#runs.has(run)) {
      const turns = await this.#api.chat.trace(this.#conversation);
      const found = turns.find((turn) => turn.run === run)?.agent;
      if (!this.#runs.has(run)) this.#runs.set(run, found);
    }
    return this.#runs.get(run);
  }

  #handleTurn({ type, data, body }: EventView): void {
    const { notification = '', run = '', reason } = data as Fields;
    const { why } = (body ?? {}) as Fields;
    const agent = notification.slice(notification.lastIndexOf('/') + 1);
    switch (type) {
      case 'turn.claimed':
        this.#runs.set(run, agent);
        this.#listener.onTurn(agent, run);
        return;
      case 'turn.parked':
        this.#listener.onParked(agent, (data as { readonly until?: number }).until);
        return;
      case 'turn.failed':
      case 'turn.done':
      case 'turn.dropped':
      case 'turn.released':
        this.#listener.onTurnEnd(agent, {
          how: type.slice(TURN_PREFIX.length) as TurnEnd['how'],
          ...(reason === undefined ? {} : { reason }),
          ...(why === undefined ? {} : { why }),
        });
        return;
    }
  }
}
