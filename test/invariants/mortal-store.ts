import { OkaError } from '../../src/kernel/index.ts';
import type { Commit, EventStore, LedgerEvent, LedgerHead, StreamEnd } from '../../src/ledger/index.ts';

/** A scenario is over long before; a process that uses the store more often runs in circles and is held fast. */
const MOST_USES = 5_000;
/** How often a process lets others have a turn, even on a store that answers at once. */
const USES_PER_TURN = 64;

/** When a process dies: at its n-th commit, just before or just after that is stored. */
export interface Death {
  readonly atCommit: number;
  readonly stored: boolean;
  /** A dead process either does nothing more, or (a weaker death) sees every use of the store refused. */
  readonly how: 'silent' | 'refusing';
}

/** A commit that fails although the process lives on; `stored`: it happened, and only the answer was lost. */
export interface Hiccup {
  readonly atCommit: number;
  readonly stored: boolean;
}

export class ProcessGone extends Error {
  constructor() {
    super('the process is gone');
  }
}

/** One process's hold on the shared store: it dies with the process. It may also be slow, as a remote store is. */
export class MortalStore implements EventStore {
  readonly #inner: EventStore;
  readonly #death: Death | undefined;
  readonly #hiccups: readonly Hiccup[];
  readonly #onUse: () => void;
  readonly #slowness: number;
  readonly #gone: Promise<void>;
  #die: () => void = () => undefined;
  #commits = 0;
  #uses = 0;
  dead = false;

  constructor(
    inner: EventStore,
    options: {
      readonly death: Death | undefined;
      readonly hiccups: readonly Hiccup[];
      readonly onUse: () => void;
      readonly slowness: number;
    },
  ) {
    this.#inner = inner;
    this.#death = options.death;
    this.#hiccups = options.hiccups;
    this.#onUse = options.onUse;
    this.#slowness = options.slowness;
    this.#gone = new Promise((resolve) => {
      this.#die = () => {
        this.dead = true;
        resolve();
      };
    });
  }

  /** Settles when the process dies. */
  get gone(): Promise<void> {
    return this.#gone;
  }

  async commit(commit: Commit): Promise<readonly LedgerEvent[]> {
    this.#commits += 1;
    const fatal = this.#death !== undefined && this.#commits === this.#death.atCommit;
    if (fatal && !this.#death.stored) this.#die();
    const hiccup = this.#hiccups.find(({ atCommit }) => atCommit === this.#commits);
    return this.#use(async () => {
      if (hiccup && !hiccup.stored) throw busy();
      const stored = await this.#inner.commit(commit);
      if (hiccup) throw busy();
      if (!fatal) return stored;
      this.#die();
      return this.#afterDeath();
    });
  }

  waitForCapacity(): Promise<void> | undefined {
    return this.#inner.waitForCapacity();
  }

  read(stream: string, fromIndex?: number): Promise<readonly LedgerEvent[]> {
    return this.#use(() => this.#inner.read(stream, fromIndex));
  }

  readAfter(seq: number, limit: number): Promise<readonly LedgerEvent[]> {
    return this.#use(() => this.#inner.readAfter(seq, limit));
  }

  end(stream: string): Promise<StreamEnd> {
    return this.#use(() => this.#inner.end(stream));
  }

  head(): Promise<LedgerHead> {
    return this.#use(() => this.#inner.head());
  }

  sync(): Promise<void> {
    return this.#use(() => this.#inner.sync());
  }

  subscribe(listener: (events: readonly LedgerEvent[]) => void): () => void {
    return this.#inner.subscribe(listener);
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    this.#uses += 1;
    if (this.#uses > MOST_USES) return new Promise(() => undefined);
    if (this.#uses % USES_PER_TURN === 0) await turn();
    this.#onUse();
    for (let i = 0; i < this.#slowness; i++) await turn();
    if (this.dead) return this.#afterDeath();
    const answer = await work();
    for (let i = 0; i < this.#slowness; i++) await turn();
    return this.dead ? this.#afterDeath() : answer;
  }

  #afterDeath<T>(): Promise<T> {
    return this.#death?.how === 'refusing' ? Promise.reject(new ProcessGone()) : new Promise(() => undefined);
  }
}

function busy(): OkaError {
  return new OkaError('ledger.busy', 'the store does not answer just now; try again.', { transient: true });
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
