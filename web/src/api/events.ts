// Owns: the one event stream of the app, with resume. Does not own: what an event means for the cache (live-updates.ts).

import { createStore, type Store } from '../state/store.ts';

/** An event of the ledger. */
export interface LedgerEvent {
  readonly position: number;
  readonly stream: string;
  readonly type: string;
  readonly at: number;
  readonly run?: string;
  readonly root?: string;
  readonly conversation?: string;
  readonly data: unknown;
}

/** A piece of a model's answer. It is not stored; the stored message follows as a ledger event. */
export interface TextEvent {
  readonly run?: string;
  readonly root?: string;
  readonly conversation?: string;
  readonly turn?: string;
  readonly text: string;
}

export type Connection = 'connecting' | 'live' | 'reconnecting';

type Listener<T> = (event: T) => void;
type Source = Pick<EventTarget, 'addEventListener'> & Pick<EventSource, 'close' | 'readyState'>;

interface StreamOptions {
  readonly open?: (url: string) => Source;
  /** Called when the server refuses the stream. */
  readonly onRefused?: () => void;
  readonly retryMs?: number;
}

const CLOSED = 2;

export class EventStream {
  readonly connection: Store<Connection> = createStore<Connection>('connecting');
  readonly #ledger = new Set<Listener<LedgerEvent>>();
  readonly #text = new Set<Listener<TextEvent>>();
  readonly #ready = new Set<() => void>();
  readonly #options: Required<StreamOptions>;
  #source: Source | undefined;
  #position: number | undefined;

  constructor(options: StreamOptions = {}) {
    this.#options = {
      open: (url) => new EventSource(url),
      onRefused: () => {},
      retryMs: 2_000,
      ...options,
    };
  }

  /** Connects, after the last event that was seen. */
  start(): void {
    this.#source?.close();
    const after = this.#position === undefined ? '' : `?after=${this.#position}`;
    const source = this.#options.open(`/v1/events${after}`);
    this.#source = source;
    source.addEventListener('ready', (message) => this.#onReady(read(message)));
    source.addEventListener('ledger', (message) => this.#onLedger(read(message)));
    source.addEventListener('text', (message) => {
      for (const listener of this.#text) listener(read(message));
    });
    source.addEventListener('error', () => this.#onError(source));
  }

  stop(): void {
    this.#source?.close();
    this.#source = undefined;
  }

  onLedger(listener: Listener<LedgerEvent>): () => void {
    return add(this.#ledger, listener);
  }

  onText(listener: Listener<TextEvent>): () => void {
    return add(this.#text, listener);
  }

  /** Called when the stream is complete from now on, also after an interruption. */
  onReady(listener: () => void): () => void {
    return add(this.#ready, listener);
  }

  #onReady({ position }: { readonly position: number }): void {
    this.#position ??= position;
    this.connection.set('live');
    for (const listener of this.#ready) listener();
  }

  #onLedger(event: LedgerEvent): void {
    // The server may repeat events around a reconnection.
    if (this.#position !== undefined && event.position <= this.#position) return;
    this.#position = event.position;
    for (const listener of this.#ledger) listener(event);
  }

  /** A browser reconnects by itself, except if the server refused. */
  #onError(source: Source): void {
    if (source !== this.#source) return;
    this.connection.set('reconnecting');
    if (source.readyState !== CLOSED) return;
    this.#options.onRefused();
    setTimeout(() => {
      if (this.#source === source) this.start();
    }, this.#options.retryMs);
  }
}

function add<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read<T>(message: Event): T {
  return JSON.parse((message as MessageEvent<string>).data) as T;
}
