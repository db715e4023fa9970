import { isOkaError } from '../../kernel/index.ts';
import { Outbox, type OutboxSource, type ReplicaProgress, type ReplicaSink } from '../../ledger/index.ts';

/** An outbox that opens its sink on demand, and again after a refusal: a credential may have changed. */
export class ReopenedOutbox {
  sink: ReplicaSink | undefined;
  readonly #source: OutboxSource;
  readonly #open: () => Promise<ReplicaSink>;
  #outbox: Outbox | undefined;

  constructor(source: OutboxSource, open: () => Promise<ReplicaSink>) {
    this.#source = source;
    this.#open = open;
  }

  async shipAll(signal: AbortSignal, onShipped?: (progress: ReplicaProgress) => void) {
    this.sink ??= await this.#open();
    this.#outbox ??= new Outbox({ source: this.#source, sink: this.sink });
    try {
      return await this.#outbox.shipAll(signal, onShipped);
    } catch (error) {
      if (isOkaError(error) && !error.transient) await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const { sink } = this;
    this.sink = undefined;
    this.#outbox = undefined;
    await sink?.close();
  }
}
