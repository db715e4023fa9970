// Owns: sending batches to an HTTP endpoint and reading its position. Does not own: what the endpoint stores.
// I1 Redirects are not followed: ledger and token go only to the configured address.
// I2 Only an answer in the documented format counts; anything else is a failure, and the request is retried.
import type { Agent } from 'undici';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import type {
  LedgerHead,
  Projection,
  ReplicaBatch,
  ReplicaSink,
  ReplicaTally,
  ReplicationErrorCode,
} from '../../ledger/index.ts';
import { batchBody, type HttpAnswer, questionBody, readAnswer } from './http-format.ts';

export interface HttpSinkOptions {
  /** Validated by `checkHttpUrl`. */
  readonly url: URL;
  readonly token?: string;
  /** Tables whose changes are sent along with the events. */
  readonly projections: readonly Projection[];
  /** How long the endpoint may be silent. Default: 30 seconds. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const CONNECT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;
const TRANSIENT = new Set([408, 425, 429]);
const CONFLICT = 409;

/** A sink behind an HTTP endpoint, such as a Convex HTTP action. */
export class HttpSink implements ReplicaSink {
  readonly name: string;
  readonly #options: HttpSinkOptions;
  #agent: Promise<Agent> | undefined;

  constructor(options: HttpSinkOptions) {
    this.#options = options;
    const { origin, pathname } = options.url;
    this.name = `${origin}${pathname}`;
  }

  async position(workspace: string, signal: AbortSignal): Promise<LedgerHead> {
    return (await this.#post(questionBody(workspace), signal)).position;
  }

  async ship(batch: ReplicaBatch, signal: AbortSignal): Promise<LedgerHead> {
    const body = batchBody(batch, this.#options.projections);
    return (await this.#post(body, signal, { 'idempotency-key': batch.key })).position;
  }

  async tally(workspace: string, signal: AbortSignal): Promise<ReplicaTally | undefined> {
    return (await this.#post(questionBody(workspace), signal)).tally;
  }

  async close(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    await (await agent)?.destroy();
  }

  async #post(
    body: string,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpAnswer> {
    try {
      const { status, text } = await this.#ask(body, signal, headers);
      return this.#judge(status, text);
    } catch (error) {
      signal.throwIfAborted();
      if (isOkaError(error)) throw error;
      const { code, message } = error as { code?: string; message: string };
      throw this.#failure('replication.unreachable', `is not reachable: ${code ?? message}`, true);
    }
  }

  async #ask(body: string, signal: AbortSignal, headers: Readonly<Record<string, string>>) {
    const { request, Agent } = await import('./undici-library.ts');
    const { url, token, timeoutMs = TIMEOUT_MS } = this.#options;
    this.#agent ??= Promise.resolve(new Agent({ connect: { timeout: CONNECT_MS } }));
    const answer = await request(url, {
      method: 'POST',
      body,
      signal,
      dispatcher: await this.#agent,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'oka-replication',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      size += piece.length;
      // Leaving the loop closes the connection.
      if (size > MAX_ANSWER_BYTES) break;
      pieces.push(piece);
    }
    const text = size > MAX_ANSWER_BYTES ? '' : Buffer.concat(pieces).toString('utf8');
    return { status: answer.statusCode, text };
  }

  #judge(status: number, text: string): HttpAnswer {
    if (status === 200 || status === CONFLICT) {
      const answer = readAnswer(text);
      if (answer !== undefined) return answer;
      const what = `answered ${status} without a valid position`;
      throw this.#failure('replication.bad_answer', what, true);
    }
    if (status >= 500 || TRANSIENT.has(status))
      throw this.#failure('replication.unreachable', `answered ${status}`, true);
    const what = status >= 300 && status < 400 ? 'redirects, which is not followed' : 'rejected the request';
    throw this.#failure('replication.refused', `${what}: status ${status}`, false);
  }

  #failure(code: ReplicationErrorCode, what: string, transient: boolean): OkaError<ReplicationErrorCode> {
    const next = transient
      ? 'Oka retries and sends the rest when it answers'
      : 'Check the address and the token in your config.json';
    return new OkaError(code, `${this.name} ${what}. ${next}.`, { data: { sink: this.name }, transient });
  }
}
