import type { Clock, OkaError } from '../../kernel/index.ts';
import { type ModelsErrorCode, modelError } from '../../models/index.ts';

/** The limits of one call of a model. */
export interface CallLimits {
  /** The maximum time without a byte. */
  readonly quietMs: number;
  /** The maximum time from the request to the last byte of the answer. */
  readonly totalMs: number;
  /** The maximum size of an answer, as it is sent. */
  readonly maxBytes: number;
}

const DEFAULT_LIMITS: CallLimits = {
  quietMs: 120_000,
  totalMs: 600_000,
  // A long answer has 128,000 tokens, and a streamed token takes about 300 bytes.
  maxBytes: 64 * 1024 * 1024,
};

/** Fills in the defaults. A model that may be silent for long gets more time in total, too. */
export function callLimits({
  quietMs = DEFAULT_LIMITS.quietMs,
  totalMs = Math.max(DEFAULT_LIMITS.totalMs, 2 * quietMs),
  maxBytes = DEFAULT_LIMITS.maxBytes,
}: { readonly [Name in keyof CallLimits]?: CallLimits[Name] | undefined }): CallLimits {
  return { quietMs, totalMs, maxBytes };
}

/** The maximum size of what is parsed at once: a line of a stream, or a body that is not streamed. */
export function maxPartBytes({ maxBytes }: CallLimits): number {
  return maxBytes / 2;
}

/** The maximum size of the arguments of all tool calls in an answer, which the ledger records. */
export function maxArgumentBytes({ maxBytes }: CallLimits): number {
  return maxBytes / 16;
}

export function tooLarge(who: string, what: string, limit: number): OkaError<ModelsErrorCode> {
  return modelError(
    'models.answer_too_large',
    `${who} sent ${what} of more than ${limit} bytes. Ask for less, or increase "max_answer_bytes" of the model.`,
    { data: { limit, setting: 'max_answer_bytes' } },
  );
}

/** Aborts a call after too long a silence or too long a time, and counts the bytes of its answer. */
export class CallWatch {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #limits: CallLimits;
  readonly #who: string;
  readonly #cancelTotal: () => void;
  #cancelSilence: () => void = () => undefined;
  #bytes = 0;

  constructor(clock: Clock, limits: CallLimits, who: string) {
    this.#clock = clock;
    this.#limits = limits;
    this.#who = who;
    const { totalMs } = limits;
    const message = `${who} did not finish its answer within ${totalMs / 1_000} seconds. Ask for less, or increase "total_timeout_seconds" of the model.`;
    const data = { limit: totalMs / 1_000, setting: 'total_timeout_seconds' };
    this.#cancelTotal = clock.callAt(clock.now() + totalMs, () =>
      this.#abort(modelError('models.timed_out', message, { data })),
    );
    this.#waitForByte();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the wait for the next byte; throws when the answer is too large. */
  received(bytes: number): void {
    this.#waitForByte();
    this.#bytes += bytes;
    const { maxBytes } = this.#limits;
    if (this.#bytes > maxBytes) throw tooLarge(this.#who, 'an answer', maxBytes);
  }

  end(): void {
    this.#cancelTotal();
    this.#cancelSilence();
  }

  #waitForByte(): void {
    this.#cancelSilence();
    const { quietMs } = this.#limits;
    const message = `${this.#who} sent nothing for ${quietMs / 1_000} seconds. Try again, or increase "timeout_seconds" of the model.`;
    const data = { limit: quietMs / 1_000, setting: 'timeout_seconds' };
    this.#cancelSilence = this.#clock.callAt(this.#clock.now() + quietMs, () =>
      this.#abort(modelError('models.silent', message, { data })),
    );
  }

  #abort(reason: Error): void {
    this.end();
    this.#controller.abort(reason);
  }
}
