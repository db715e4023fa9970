// Owns: every request of one model call, whether it may be sent, and what all of them cost together.
// I1 A provider asks `admits` before each request after the first, and reports each request with `begin`. No other place counts
//    requests.
// I2 A request is priced by the model that it went to.
// I3 A request that its caller interrupts before the answer costs what was reserved for it.
// I4 One more request is admitted only while everything sent, and the most that it can cost, fit the budgets.
import { isOkaError } from '../kernel/index.ts';
import { type ModelSpend, spendOf, spendOfFailure } from './model-spend.ts';
import type { ModelPrice, ModelRecovery, OpenRequest, RequestAccount, RequestTarget } from './types.ts';

interface AccountOptions {
  /** The signal of the call. */
  readonly signal: AbortSignal;
  /** The estimated size of the request. */
  readonly sentTokens: number;
  /** What was reserved for the first request; a further one may cost as much. */
  readonly reserved?: ModelSpend | undefined;
  /** The price that the reservation assumes. */
  readonly price?: ModelPrice | undefined;
  /** Reserves the total of a call; false if the budgets do not cover it. */
  readonly reserve?: ((total: ModelSpend) => Promise<boolean>) | undefined;
}

interface SentRequest extends RequestTarget {
  spend: ModelSpend;
  failure?: { readonly code: string; readonly message: string };
}

export class ModelAccount implements RequestAccount {
  readonly #options: AccountOptions;
  readonly #sent: SentRequest[] = [];
  #sentTokens: number;
  #retries = 0;

  constructor(options: AccountOptions) {
    this.#options = options;
    this.#sentTokens = options.sentTokens;
  }

  async admits(why: 'retry' | 'continuation', moreTokens = 0): Promise<boolean> {
    const { reserve, reserved = { model_calls: 1 }, price } = this.#options;
    const retries = this.#retries + (why === 'retry' ? 1 : 0);
    const more = price === undefined ? {} : { cost_usd: (moreTokens * price.input) / 1_000_000 };
    const total = sum([
      ...this.#sent.map(({ spend }) => spend),
      reserved,
      { input_tokens: moreTokens, ...more, retries },
    ]);
    if (reserve !== undefined && !(await reserve(total))) return false;
    this.#sentTokens += moreTokens;
    this.#retries = retries;
    return true;
  }

  begin(target: RequestTarget): OpenRequest {
    // Until its end is reported, a request counts as one that was not answered.
    const sent: SentRequest = { ...target, spend: { model_calls: 1 } };
    const sentTokens = this.#sentTokens;
    this.#sent.push(sent);
    let isOpen = true;
    return {
      answered: ({ usage, text }) => {
        if (isOpen) sent.spend = spendOf(usage, sentTokens, target, text.length);
        isOpen = false;
      },
      failed: (error, received) => {
        if (!isOpen) return;
        isOpen = false;
        sent.spend = this.#isUnknown(error, received)
          ? { ...this.#options.reserved }
          : spendOfFailure(error, sentTokens, target, received);
        const message = error instanceof Error ? error.message : String(error);
        sent.failure = { code: isOkaError(error) ? error.code : 'models.request_failed', message };
      },
    };
  }

  /** Whether a request was interrupted before its answer: its provider may charge it all the same. */
  #isUnknown(error: unknown, received = 0): boolean {
    const { signal, reserved } = this.#options;
    const hasUsage = isOkaError(error) && error.data['usage'] !== undefined;
    return signal.aborted && reserved?.model_calls !== undefined && received === 0 && !hasUsage;
  }

  get requests(): number {
    return this.#sent.length;
  }

  /** What all requests have cost. */
  spend(): ModelSpend {
    const retries = this.#retries === 0 ? [] : [{ retries: this.#retries }];
    return sum([...this.#sent.map(({ spend }) => spend), ...retries]);
  }

  /** The failed requests, for the record of a call without an answer. */
  failures(): readonly ModelRecovery[] {
    return this.#sent.flatMap(({ provider, model, failure }, place) =>
      failure === undefined
        ? []
        : [
            {
              kind: 'request_failed' as const,
              subject: `${provider} (${model})`,
              attempt: place + 1,
              ...failure,
            },
          ],
    );
  }
}

function sum(spends: readonly ModelSpend[]): ModelSpend {
  const total: { -readonly [name in keyof ModelSpend]: number } = {};
  for (const spend of spends)
    for (const name of Object.keys(spend) as (keyof ModelSpend)[])
      total[name] = (total[name] ?? 0) + (spend[name] ?? 0);
  return total;
}
