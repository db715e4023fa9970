// Owns: sending batches to an HTTP endpoint and reading where it stands. Does not own: what the endpoint keeps.
// I1 Redirects are not followed: the ledger and the token go to the address that the person wrote, and nowhere else.
// I2 Only an answer in the published shape counts; anything else is a failure, and the endpoint is asked anew.
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
import { type HttpAnswer, readAnswer } from './http-answer.ts';
import { batchBody, questionBody } from './http-batch.ts';

/** Where an HTTP sink is. */
export interface HttpSinkOptions {
  /** Checked by `checkHttpUrl`. */
  readonly url: URL;
  readonly token?: string;
  /** Tables whose changes are sent beside the events. */
  readonly projections: readonly Projection[];
  /** How long the endpoint may be silent; half a minute unless told. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 30_000;
const CONNECT_MS = 10_000;
const LONGEST_ANSWER = 65_536;
const PASSING = new Set([408, 425, 429]);
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
      throw this.#failure('replication.unreachable', `does not answer: ${code ?? message}`, true);
    }
  }

  async #ask(body: string, signal: AbortSignal, headers: Readonly<Record<string, string>>) {
    const { request, Agent } = await import('./undici-library.ts');
    const { url, token, patienceMs = PATIENCE_MS } = this.#options;
    this.#agent ??= Promise.resolve(new Agent({ connect: { timeout: CONNECT_MS } }));
    const answer = await request(url, {
      method: 'POST',
      body,
      signal,
      dispatcher: await this.#agent,
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
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
      // Leaving the loop lets go of the connection with the rest.
      if (size > LONGEST_ANSWER) break;
      pieces.push(piece);
    }
    const text = size > LONGEST_ANSWER ? '' : Buffer.concat(pieces).toString('utf8');
    return { status: answer.statusCode, text };
  }

  #judge(status: number, text: string): HttpAnswer {
    if (status === 200 || status === CONFLICT) {
      const answer = readAnswer(text);
      if (answer !== undefined) return answer;
      const what = `answered ${status} with something else than where it stands`;
      throw this.#failure('replication.bad_answer', what, true);
    }
    if (status >= 500 || PASSING.has(status))
      throw this.#failure('replication.unreachable', `answers ${status}`, true);
    const what = status >= 300 && status < 400 ? 'wants to lead elsewhere, which is not followed' : 'refuses';
    throw this.#failure('replication.refused', `${what}: status ${status}`, false);
  }

  #failure(code: ReplicationErrorCode, what: string, transient: boolean): OkaError<ReplicationErrorCode> {
    const next = transient
      ? 'what is not there yet is sent when it answers again'
      : 'check the address and the token in your config.json';
    return new OkaError(code, `${this.name} ${what}; ${next}.`, { data: { sink: this.name }, transient });
  }
}
