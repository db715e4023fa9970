import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../kernel/index.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { withinLimit } from './within-limit.ts';

type InnerOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

const TERMINATE_TIMEOUT_MS = 500;

/** The error code of a request whose stream ended without an answer. */
export const STREAM_LOST = -32_099;

/**
 * Connects to a server over streamable HTTP. The SDK never settles a request whose stream breaks; here it fails with
 * STREAM_LOST. The SDK follows redirects only within the origin.
 */
export class HttpTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly hasPerRequestStream = true;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #clock: Clock;
  readonly #open = new Set<string | number>();
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
    if (!isJSONRPCRequest(message)) return this.#inner.send(message, options as InnerOptions);
    const { id } = message;
    this.#open.add(id);
    const onRequestStreamEnd = (): void => {
      options.onRequestStreamEnd?.();
      if (!this.#open.delete(id)) return;
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: STREAM_LOST, message: 'the stream ended' } });
    };
    return this.#inner.send(message, { ...options, onRequestStreamEnd } as InnerOptions);
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
