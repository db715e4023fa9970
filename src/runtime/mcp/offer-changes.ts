import type { OfferChange } from '../../adapters/mcp-server/index.ts';
import type { Clock } from '../../kernel/index.ts';

const POLL_MS = 2_000;

export interface OfferChangesParts {
  readonly clock: Clock;
  /** The changes since the last poll. */
  readonly look: () => Promise<readonly OfferChange[]>;
  readonly onWarning: (what: string) => void;
}

/** Polls for changes while there are listeners. */
export class OfferChanges {
  readonly #parts: OfferChangesParts;
  readonly #listeners = new Set<(change: OfferChange) => void>();
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor(parts: OfferChangesParts) {
    this.#parts = parts;
  }

  subscribe(listener: (change: OfferChange) => void): () => void {
    this.#listeners.add(listener);
    if (this.#cancel === undefined) this.#lookLater();
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  #lookLater(): void {
    const { clock } = this.#parts;
    this.#cancel = clock.callAt(clock.now() + POLL_MS, () => void this.#look(), { background: true });
  }

  async #look(): Promise<void> {
    try {
      const changes = this.#listeners.size === 0 ? [] : await this.#parts.look();
      for (const change of changes) for (const listener of this.#listeners) listener(change);
    } catch (error) {
      // What closing has cut off is no trouble.
      if (!this.#closed) this.#parts.onWarning(`changes cannot be noticed: ${(error as Error).message}`);
    }
    if (!this.#closed) this.#lookLater();
  }
}
