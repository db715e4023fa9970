// Owns: passing the ledger on to all event streams. It reads each event once, however many streams there are. A stream that
// starts in the past first reads what it has missed.
//
// Exactly once: each stream has a position, skips events up to it, and joins the others only when it has reached their
// position. The hub moves its own position in the same turn in which it hands events to the streams.
import { type Clock, OkaError, type Warn, waitUntil, warnOf } from '../../kernel/index.ts';
import type { FeedEvent, FeedText, LedgerFeed } from '../../runtime/index.ts';
import { type EventStream, ledgerMessage, textMessage } from './event-stream.ts';

export const MAX_STREAMS = 256;
const BATCH = 500;
/** Between two reads, because each syncs the ledger to disk. */
const MIN_PAUSE_MS = 25;
/** Other processes write to the ledger too. */
const LOOK_MS = 250;
const HEARTBEAT_MS = 15_000;

export type Feed = Pick<LedgerFeed, 'head' | 'readAfter' | 'onCommit' | 'onText' | 'describeText'>;

export class EventHub {
  readonly #feed: Feed;
  readonly #clock: Clock;
  readonly #onWarning: Warn;
  /** All streams, and those that have caught up. */
  readonly #streams = new Set<EventStream>();
  readonly #live = new Set<EventStream>();
  readonly #stopping = new AbortController();
  #position = 0;
  #texts: { readonly run: string; readonly text: string }[] = [];
  #wake: () => void = () => undefined;
  #isNews = false;
  #pumping: Promise<void> | undefined;

  constructor(parts: {
    readonly feed: Feed;
    readonly clock: Clock;
    readonly onWarning: Warn;
  }) {
    this.#feed = parts.feed;
    this.#clock = parts.clock;
    this.#onWarning = parts.onWarning;
  }

  get count(): number {
    return this.#streams.size;
  }

  /** Throws if no further stream is possible. Call it before the response is begun. */
  requireCapacity(): void {
    if (this.#streams.size < MAX_STREAMS && !this.#stopping.signal.aborted) return;
    throw new OkaError(
      'http.too_many_streams',
      `${MAX_STREAMS} event streams are open. Close some pages and try again.`,
      { data: { limit: MAX_STREAMS }, transient: true },
    );
  }

  /** Serves a stream until it closes or the hub stops. */
  async serve(stream: EventStream): Promise<void> {
    this.#streams.add(stream);
    this.#start();
    try {
      stream.ready(stream.position);
      await this.#catchUp(stream);
    } catch (error) {
      warnOf(this.#onWarning, error, `An event stream ended: ${(error as Error).message}`);
      stream.drop();
    }
  }

  remove(stream: EventStream): void {
    this.#streams.delete(stream);
    this.#live.delete(stream);
  }

  /** Ends all streams; their clients resume at the next daemon. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#pumping;
    for (const stream of this.#streams) stream.end();
  }

  async #catchUp(stream: EventStream): Promise<void> {
    while (stream.isOpen && !this.#stopping.signal.aborted) {
      const events = await this.#feed.readAfter(stream.position, BATCH);
      for (const event of events) {
        stream.event(event, () => ledgerMessage(event));
        await stream.drained();
      }
      if (events.length === BATCH) continue;
      if (this.#live.size === 0) this.#position = stream.position;
      if (stream.position < this.#position) continue;
      if (stream.isOpen) this.#live.add(stream);
      return;
    }
  }

  #start(): void {
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
      // A stream may have come while the pump ended.
      if (this.#streams.size > 0 && !this.#stopping.signal.aborted) this.#start();
    });
  }

  /** Reads the ledger while there are streams. */
  async #pump(): Promise<void> {
    const wake = (): void => {
      this.#isNews = true;
      this.#wake();
    };
    const stopCommits = this.#feed.onCommit(wake);
    const stopTexts = this.#feed.onText((piece) => {
      this.#texts.push(piece);
      wake();
    });
    let beatAt = this.#clock.now() + HEARTBEAT_MS;
    try {
      while (this.#streams.size > 0 && !this.#stopping.signal.aborted) {
        this.#isNews = false;
        if (!(await this.#pass())) await this.#pause(LOOK_MS);
        else await waitUntil(this.#clock, this.#clock.now() + MIN_PAUSE_MS, [this.#stopping.signal]);
        if (this.#clock.now() < beatAt) continue;
        beatAt = this.#clock.now() + HEARTBEAT_MS;
        for (const stream of this.#streams) stream.heartbeat();
      }
      // What is committed before the end reaches the streams that are open.
      if (this.#stopping.signal.aborted) while (await this.#pass());
    } catch (error) {
      warnOf(this.#onWarning, error, `Event streams ended: ${(error as Error).message}`);
      for (const stream of this.#streams) stream.drop();
      this.#streams.clear();
      this.#live.clear();
    } finally {
      stopCommits();
      stopTexts();
      this.#texts = [];
    }
  }

  /** Passes on what is new. True if there was something. */
  async #pass(): Promise<boolean> {
    // Text first: the event that records an answer comes after its text.
    const texts = await Promise.all(this.#takeTexts().map((piece) => this.#feed.describeText(piece)));
    for (const text of texts) this.#tellText(text);
    const events = this.#live.size === 0 ? [] : await this.#feed.readAfter(this.#position, BATCH);
    for (const event of events) this.#tell(event);
    return texts.length + events.length > 0;
  }

  /** One piece per run, with everything it has said since the last time. */
  #takeTexts(): readonly { readonly run: string; readonly text: string }[] {
    const byRun = new Map<string, string>();
    for (const { run, text } of this.#texts) byRun.set(run, (byRun.get(run) ?? '') + text);
    this.#texts = [];
    return [...byRun].map(([run, text]) => ({ run, text }));
  }

  #tellText(text: FeedText): void {
    const message = once(() => textMessage(text));
    for (const stream of this.#live) stream.text(text, message);
  }

  #tell(event: FeedEvent): void {
    const message = once(() => ledgerMessage(event));
    for (const stream of this.#live) stream.event(event, message);
    this.#position = Math.max(this.#position, event.position);
  }

  /** Resolves at the next news, or after the interval. */
  async #pause(ms: number): Promise<void> {
    if (this.#isNews || this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.callAt(this.#clock.now() + ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

function once(make: () => string): () => string {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
