import {
  type FetchLike,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../kernel/index.ts';
import { withinLimit } from './limits.ts';

type InnerOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

const TERMINATE_TIMEOUT_MS = 500;

/** The error code of a request whose stream ended without an answer. */
export const STREAM_LOST = -32_099;

/**
 * Connects to a server over streamable HTTP. The SDK never settles a request whose stream breaks; here it fails with
 * STREAM_LOST. The SDK keeps reading the stream of a request that it cancelled; here it is closed. The SDK follows redirects only
 * within the origin.
 */
export class HttpTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly hasPerRequestStream = true;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #clock: Clock;
  /** The requests without an answer, with what closes their streams. */
  readonly #open = new Map<string | number, AbortController>();
  #failure: Error | undefined;

  constructor(
    url: URL,
    headers: Readonly<Record<string, string>>,
    { maxMessageBytes, clock }: { readonly maxMessageBytes: number; readonly clock: Clock },
  ) {
    this.#clock = clock;
    this.#inner = new StreamableHTTPClientTransport(url, {
      requestInit: { headers },
      fetch: boundedFetch(maxMessageBytes, (error) => {
        this.#failure = error;
      }),
    });
  }

  /** Why this side closed the connection. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => {
      if ((isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id !== undefined)
        this.#open.delete(message.id);
      this.onmessage?.(message);
    };
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (!isJSONRPCRequest(message))
      return this.#inner.send(message, options as InnerOptions).finally(() => this.#closeCancelled(message));
    const { id } = message;
    const closing = new AbortController();
    this.#open.set(id, closing);
    const onRequestStreamEnd = (): void => {
      options.onRequestStreamEnd?.();
      if (!this.#open.delete(id)) return;
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: STREAM_LOST, message: 'the stream ended' } });
    };
    const signals = [closing.signal, ...(options.requestSignal ? [options.requestSignal] : [])];
    const requestSignal = AbortSignal.any(signals);
    return this.#inner.send(message, { ...options, onRequestStreamEnd, requestSignal } as InnerOptions);
  }

  /** Closes the stream of a request once its cancellation was sent. */
  #closeCancelled(message: JSONRPCMessage): void {
    if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'] as string | number;
    const closing = this.#open.get(id);
    this.#open.delete(id);
    closing?.abort();
  }

  /** Also terminates the session on the server, within a short time limit. */
  async close(): Promise<void> {
    const { sessionId } = this.#inner;
    if (sessionId !== undefined && this.#failure === undefined)
      await withinLimit({ clock: this.#clock, ms: TERMINATE_TIMEOUT_MS }, () =>
        this.#inner.terminateSession(),
      ).catch(() => undefined);
    await this.#inner.close();
  }
}

const LINE_END = 10;
const CARRIAGE_RETURN = 13;

/** Fetches with a memory limit: for a whole body, or for one event of an event stream. Streams may be of any length. */
function boundedFetch(maxBytes: number, onTooLarge: (error: Error) => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const body = response.body.pipeThrough(limit(maxBytes, isStream, onTooLarge));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function limit(
  maxBytes: number,
  isStream: boolean,
  onTooLarge: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let held = 0;
  let isLineEmpty = false;
  const count = (chunk: Uint8Array): void => {
    if (!isStream) {
      held += chunk.length;
      return;
    }
    for (const byte of chunk) {
      held += 1;
      if (byte === LINE_END) {
        if (isLineEmpty) held = 0;
        isLineEmpty = true;
      } else if (byte !== CARRIAGE_RETURN) isLineEmpty = false;
      if (held > maxBytes) return;
    }
  };
  return new TransformStream({
    transform(chunk, controller) {
      count(chunk);
      if (held <= maxBytes) {
        controller.enqueue(chunk);
        return;
      }
      const error = new Error(`a message is larger than ${maxBytes} bytes`);
      onTooLarge(error);
      throw error;
    },
  });
}
