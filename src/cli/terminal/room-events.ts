// Owns: what happens in a conversation, from the two places that tell it, in the order in which it happened. Does not own:
// how it is shown.
import type { ChatHappening, ChatMessageView, EventView, Notice, OkaApi } from '../../api/index.ts';

/** A message is shown after what led to it, which is told elsewhere; that is waited for so long and not longer. */
const LONGEST_WAIT_MS = 1_000;

export interface RoomListener {
  readonly onMessage: (message: ChatMessageView) => void;
  readonly onNotice: (notice: Notice) => void;
  readonly onWords: (from: string, text: string) => void;
  /** An agent begins to work on an answer, in this run. */
  readonly onTurn: (agent: string, run: string) => void;
  /** An agent has ended its turn, with or without an answer; `why` says what went wrong where it is tried again. */
  readonly onTurnEnd: (agent: string, why?: string) => void;
  /** An agent waits for a person. */
  readonly onParked: () => void;
  /** Something happened in a run that answers here. */
  readonly onStep: (agent: string, event: EventView) => void;
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Tells a listener what happens in a conversation until the signal aborts. */
export class RoomEvents {
  readonly #api: OkaApi;
  readonly #conversation: string;
  readonly #listener: RoomListener;
  /** Who works on an answer in which run. */
  readonly #runs = new Map<string, string>();
  #waiting: readonly ChatMessageView[] = [];
  #notices: readonly Notice[] = [];
  /** The last message that the ledger has told of. */
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
    const words = this.#followTalk(since, signal);
    await Promise.all([steps, words]);
  }

  async #followTalk(since: number, signal: AbortSignal): Promise<void> {
    for await (const one of this.#api.chat.follow({ conversation: this.#conversation, since, signal })) {
      if (signal.aborted) return;
      this.#hear(one);
    }
  }

  async #followLedger(signal: AbortSignal): Promise<void> {
    for await (const event of this.#api.ledger.tail({ last: 0, follow: true, signal })) {
      if (signal.aborted) return;
      this.#learn(event);
    }
  }

  #hear(one: ChatHappening): void {
    if (one.kind === 'words') this.#listener.onWords(one.from, one.text);
    else if (one.kind === 'notice') this.#notice(one.notice);
    else if (one.message.id <= this.#posted) this.#listener.onMessage(one.message);
    else {
      this.#waiting = [...this.#waiting, one.message];
      setTimeout(() => this.#tellUpTo(one.message.id), LONGEST_WAIT_MS).unref();
    }
  }

  /** What is to be known of a message comes after it. */
  #notice(notice: Notice): void {
    if (this.#waiting.some(({ id }) => id === notice.message)) this.#notices = [...this.#notices, notice];
    else this.#listener.onNotice(notice);
  }

  #tellUpTo(id: number): void {
    this.#posted = Math.max(this.#posted, id);
    const due = this.#waiting.filter((message) => message.id <= id);
    this.#waiting = this.#waiting.filter((message) => message.id > id);
    for (const message of due) this.#listener.onMessage(message);
    const notices = this.#notices;
    this.#notices = [];
    for (const notice of notices) this.#notice(notice);
  }

  #learn(event: EventView): void {
    if (event.stream === `chat/${this.#conversation}` && event.type === 'message.posted')
      this.#tellUpTo(event.index);
    else if (event.stream === `turns/${this.#conversation}`) this.#learnOfTurn(event);
    else {
      const agent = event.stream.startsWith('run/') ? this.#runs.get(event.stream.slice(4)) : undefined;
      if (agent !== undefined) this.#listener.onStep(agent, event);
    }
  }

  #learnOfTurn({ type, data, body }: EventView): void {
    const { notification = '', run = '' } = data as Fields;
    const agent = notification.slice(notification.lastIndexOf('/') + 1);
    switch (type) {
      case 'turn.claimed':
        this.#runs.set(run, agent);
        this.#listener.onTurn(agent, run);
        return;
      case 'turn.parked':
        this.#listener.onParked();
        return;
      case 'turn.failed':
        this.#listener.onTurnEnd(agent, (body as Fields | undefined)?.['why'] ?? 'it failed');
        return;
      case 'turn.done':
      case 'turn.dropped':
      case 'turn.released':
        this.#listener.onTurnEnd(agent);
        return;
    }
  }
}
