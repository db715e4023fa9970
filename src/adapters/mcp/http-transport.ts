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

const FAREWELL_MS = 500;

/** The code with which a request is answered whose stream ended without an answer. */
export const STREAM_LOST = -32_099;

/**
 * Talks with a server over streamable HTTP. The SDK leaves a request unanswered whose stream breaks off; here it is
 * answered with STREAM_LOST. Redirects are followed within the origin only, which is the SDK's own rule.
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
    { largestMessageBytes, clock }: { readonly largestMessageBytes: number; readonly clock: Clock },
  ) {
    this.#clock = clock;
    this.#inner = new StreamableHTTPClientTransport(url, {
      requestInit: { headers },
      fetch: boundedFetch(largestMessageBytes, (error) => {
        this.#failure = error;
      }),
    });
  }

  /** Why the talk was broken off by this side, if it was. */
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

  /** Ends the session on the server too, where there is one and it can be told soon. */
  async close(): Promise<void> {
    const { sessionId } = this.#inner;
    if (sessionId !== undefined && this.#failure === undefined)
      await withinLimit({ clock: this.#clock, ms: FAREWELL_MS }, () => this.#inner.terminateSession()).catch(
        () => undefined,
      );
    await this.#inner.close();
  }
}
