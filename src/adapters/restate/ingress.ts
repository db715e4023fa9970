// Owns: calling handlers from outside the cluster, and what it means when that fails.
import { connect, HttpCallError, Opts, SendOpts, serde } from '@restatedev/restate-sdk-clients';
import type { WorkerView } from '../../engine/index.ts';
import { isOkaError, type Json, OkaError, systemClock, systemRandom } from '../../kernel/index.ts';
import { RAW_JSON, type Target, toBody, workersTarget } from './names.ts';
import type { ClusterErrorCode } from './ports.ts';
import { proofHeaders } from './proofs.ts';

export interface IngressOptions {
  readonly url: string;
  readonly project: string;
  readonly token: string;
}

const CHECK_MS = 10_000;

type CodedError = { readonly code?: string; readonly cause?: { readonly code?: string } };

export class Ingress {
  readonly #options: IngressOptions;
  readonly #connection: ReturnType<typeof connect>;

  constructor(options: IngressOptions) {
    this.#options = options;
    this.#connection = connect({ url: options.url });
  }

  /** Calls a handler and waits for its answer, however long it takes. Undefined if the signal aborts before. */
  async call<Answer>(target: Target, parameter: Json, signal?: AbortSignal): Promise<Answer | undefined> {
    for (;;) {
      const { body, ...sealed } = this.#seal(target, parameter);
      const options = { ...sealed, output: serde.json, ...(signal ? { signal } : {}) };
      const opts = Opts.from<Uint8Array, Answer>(options as never);
      try {
        return await this.#connection.call<Uint8Array, Answer>({ ...target, parameter: body, opts });
      } catch (error) {
        if (signal?.aborted) return undefined;
        // A long call outlasts the client's patience, not the handler's work: the next call waits behind it.
        if (isTimeout(error)) continue;
        throw this.#explain(error);
      }
    }
  }

  /** Sends a message; the handler runs later. */
  async send(target: Target, parameter: Json, delay = 0): Promise<void> {
    const { body, ...sealed } = this.#seal(target, parameter, delay);
    const opts = SendOpts.from<Uint8Array>({ ...sealed, ...(delay === 0 ? {} : { delay }) } as never);
    try {
      await this.#connection.send({ ...target, parameter: body, opts });
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** The bytes of a call, and its proof, which counts once. */
  #seal(target: Target, parameter: Json, delay = 0) {
    const body = toBody(parameter);
    const call = { target, body, at: systemClock.now() + delay, nonce: systemRandom.hex(16) };
    return { body, input: RAW_JSON, headers: proofHeaders(this.#options.token, call) };
  }

  /** The workers of the project. Throws unless Restate and one of them answer, and the token is the project's. */
  async workers(patienceMs = CHECK_MS): Promise<readonly WorkerView[]> {
    const { url, project } = this.#options;
    const health = new URL('/restate/health', url);
    const response = await fetch(health, { signal: AbortSignal.timeout(patienceMs) }).catch(
      (error: unknown) => {
        throw this.#explain(error);
      },
    );
    if (!response.ok)
      throw this.#error('cluster.unreachable', `Restate at ${url} answered ${response.status}.`, undefined);
    const patience = AbortSignal.timeout(patienceMs);
    const answer = await this.call<readonly WorkerView[]>(workersTarget(project, 'list'), {}, patience).catch(
      (error: unknown) => {
        if (!isKilled(error)) throw error;
      },
    );
    if (answer !== undefined) return answer;
    const message = `No worker of project "${project}" answered in time. Start one: oka worker.`;
    throw this.#error('cluster.no_worker', message, undefined);
  }

  #explain(error: unknown): OkaError {
    const { url } = this.#options;
    if (error instanceof HttpCallError) {
      const told = terminalError(error.responseText);
      if (told !== undefined) return told;
      if (error.status === 404)
        return this.#error(
          'cluster.no_worker',
          `Restate at ${url} knows no worker. Start one: oka worker.`,
          error,
        );
      const message = `Restate at ${url} answered ${error.status}: ${error.message}.`;
      return this.#error('cluster.unreachable', message, error);
    }
    const message = `Cannot reach Restate at ${url}. Start it, or set execution.ingress or OKA_RESTATE_INGRESS.`;
    return this.#error('cluster.unreachable', message, error);
  }

  #error(code: ClusterErrorCode, message: string, cause: unknown): OkaError<ClusterErrorCode> {
    const { url, project } = this.#options;
    return new OkaError(code, message, { data: { url, project }, cause, transient: true });
  }
}

/** The error of a handler, as it was thrown. */
function terminalError(text: string): OkaError | undefined {
  try {
    const { message } = JSON.parse(text) as { message: string };
    const {
      code,
      message: told,
      data,
    } = JSON.parse(message) as { code: string; message: string; data: object };
    return new OkaError(code, told, { data: { ...data } });
  } catch {
    return undefined;
  }
}

/** Whether Restate gave up because no worker answered. */
function isKilled(error: unknown): boolean {
  const { cause } = error as { readonly cause?: unknown };
  return isOkaError(error, 'cluster.unreachable') && cause instanceof HttpCallError && cause.status >= 500;
}

function isTimeout(error: unknown): boolean {
  const { code, cause } = error as CodedError;
  return [code, cause?.code].some(
    (one) => one === 'UND_ERR_HEADERS_TIMEOUT' || one === 'UND_ERR_BODY_TIMEOUT',
  );
}
