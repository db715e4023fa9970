// Owns: one stream of server-sent events: what it selects, what it has sent, and whether its client reads.
import type { ServerResponse } from 'node:http';
import type { FeedEvent, FeedText, RunTree } from '../../runtime/index.ts';

/** A client with more unread data than this is disconnected; it resumes without a gap. */
const MAX_UNREAD_BYTES = 1_048_576;

export interface StreamFilter {
  readonly tree?: RunTree;
  readonly conversation?: string;
  /** Types of events, or the first parts of types, such as `run`. */
  readonly kinds?: readonly string[];
}

/** Whether a filter selects an event. Events have to be passed in order, because a start adds a run to the tree. */
export function selects(filter: StreamFilter, event: FeedEvent): boolean {
  const isInTree = filter.tree?.includes(event) ?? true;
  return isInTree && selectsKind(filter, event.conversation, event.type);
}

function selectsKind(
  { conversation: wanted, kinds }: StreamFilter,
  conversation: string | undefined,
  type: string,
): boolean {
  if (wanted !== undefined && wanted !== conversation) return false;
  return kinds === undefined || kinds.some((kind) => type === kind || type.startsWith(`${kind}.`));
}

/** The message of an event. The same text goes to all streams. */
export function ledgerMessage({ body: _, ...event }: FeedEvent): string {
  return `id: ${event.position}\nevent: ledger\ndata: ${JSON.stringify(event)}\n\n`;
}

export function textMessage(piece: FeedText): string {
  return `event: text\ndata: ${JSON.stringify(piece)}\n\n`;
}

export class EventStream {
  readonly #response: ServerResponse;
  readonly #filter: StreamFilter;
  /** Everything up to this event was sent or not selected. */
  position: number;
  #hasStalled = false;

  constructor(response: ServerResponse, filter: StreamFilter, position: number) {
    this.#response = response;
    this.#filter = filter;
    this.position = position;
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  ready(position: number): void {
    this.#write(`id: ${position}\nevent: ready\ndata: ${JSON.stringify({ position })}\n\n`);
  }

  /** Sends an event if it is selected and was not sent before. */
  event(event: FeedEvent, message: () => string): void {
    if (event.position <= this.position) return;
    this.position = event.position;
    if (selects(this.#filter, event)) this.#write(message());
  }

  text(piece: FeedText, message: () => string): void {
    const isInTree = this.#filter.tree?.has(piece.run) ?? true;
    if (isInTree && selectsKind(this.#filter, piece.conversation, 'text')) this.#write(message());
  }

  /** Keeps the connection open, and tells where to resume. Disconnects a client that has read nothing since the last one. */
  heartbeat(): void {
    if (this.#hasStalled && this.#response.writableNeedDrain) this.drop();
    this.#hasStalled = this.#response.writableNeedDrain;
    this.#write(`: \nid: ${this.position}\n\n`);
  }

  /** Resolves when the client has read enough to continue, or is gone. */
  async drained(): Promise<void> {
    if (!this.isOpen || !this.#response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#response.off('drain', done).off('close', done);
        resolve();
      };
      this.#response.once('drain', done).once('close', done);
    });
  }

  end(): void {
    this.#response.end();
  }

  drop(): void {
    this.#response.destroy();
  }

  #write(message: string): void {
    if (!this.isOpen) return;
    this.#response.write(message);
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.drop();
  }
}
