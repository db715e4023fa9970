// Owns: a connection that listens to one channel, and its replacement when it breaks.
import type pg from 'pg';
import { backoffMs, type Clock } from '../../kernel/index.ts';

const PAUSES = { firstMs: 200, longestMs: 10_000 };

interface NotificationParts {
  readonly clock: Clock;
  readonly channel: string;
  readonly connect: () => Promise<pg.Client>;
  readonly onNotification: (payload: string, serverProcess: number) => void;
  /** Called whenever the channel is open: what was sent before has been missed. */
  readonly onOpen?: () => void;
}

export class Notifications {
  readonly #parts: NotificationParts;
  #client: pg.Client | undefined;
  #isStopped = false;
  #cancelRetry: () => void = () => undefined;

  constructor(parts: NotificationParts) {
    this.#parts = parts;
    void this.#listen(1);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelRetry();
    // The connections are closed by their owner, also where the server does not answer.
    void this.#client?.end().catch(() => undefined);
  }

  async #listen(attempt: number): Promise<void> {
    const { clock, channel, connect, onNotification, onOpen } = this.#parts;
    const retry = (): void => {
      this.#client = undefined;
      if (this.#isStopped) return;
      const at = clock.now() + backoffMs(attempt, PAUSES);
      this.#cancelRetry = clock.callAt(at, () => void this.#listen(attempt + 1), { background: true });
    };
    try {
      const client = await connect();
      this.#client = client;
      client.once('end', retry);
      client.on('notification', ({ payload = '', processId }) => onNotification(payload, processId));
      await client.query(`LISTEN ${channel}`);
      if (this.#isStopped) await client.end();
      else onOpen?.();
    } catch {
      if (this.#client === undefined) retry();
    }
  }
}
