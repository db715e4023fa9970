// Owns: what the processes of a ledger tell each other without storing it, such as the text of models. It may get lost.
import { type Clock, digestOf, type Random } from '../../kernel/index.ts';
import type { PostgresConnection } from './connection.ts';
import { Notifications } from './notifications.ts';

/** PostgreSQL refuses notifications of 8,000 bytes and more. */
const MAX_BYTES = 7_800;
/** How many messages may wait while the server does not answer; more are dropped. */
const MAX_WAITING = 10_000;

type Listener = (message: string) => void;

export class LiveChannel {
  readonly #connection: PostgresConnection;
  readonly #clock: Clock;
  readonly #channel: string;
  readonly #self: string;
  readonly #listeners = new Set<Listener>();
  readonly #waiting: string[] = [];
  #count = 0;
  #sending: Promise<void> | undefined;
  #notifications: Notifications | undefined;
  #isClosed = false;

  constructor(connection: PostgresConnection, clock: Clock, random: Random) {
    this.#connection = connection;
    this.#clock = clock;
    this.#self = random.hex(16);
    this.#channel = `oka_live_${digestOf(connection.schema).slice(-16)}`;
  }

  /** Sends a message of one line to the other processes that listen now. */
  send(message: string): void {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING || Buffer.byteLength(message) > MAX_BYTES)
      return;
    this.#waiting.push(message);
    this.#sending ??= this.#flush().finally(() => {
      this.#sending = undefined;
    });
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#notifications ??= new Notifications({
      clock: this.#clock,
      channel: this.#channel,
      connect: () => this.#connection.listener(),
      onNotification: (sent) => this.#receive(sent),
    });
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#notifications?.stop();
  }

  #receive(sent: string): void {
    const [head = '', ...messages] = sent.split('\n');
    if (head.startsWith(this.#self)) return;
    for (const message of messages) for (const listener of this.#listeners) listener(message);
  }

  /** Sends together what has come while the server answered the last time. */
  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const notifications: string[] = [];
      let bytes = Number.POSITIVE_INFINITY;
      for (const message of this.#waiting.splice(0)) {
        const size = Buffer.byteLength(message) + 1;
        if (bytes + size > MAX_BYTES) {
          // Each has a number, because PostgreSQL delivers equal notifications of a statement once.
          notifications.push(`${this.#self} ${this.#count++}`);
          bytes = 0;
        }
        notifications.push(`${notifications.pop()}\n${message}`);
        bytes += size;
      }
      const text = 'SELECT pg_notify($1, sent) FROM unnest($2::text[]) AS sent';
      await this.#connection.query(text, [this.#channel, notifications]).catch(() => undefined);
    }
  }
}
