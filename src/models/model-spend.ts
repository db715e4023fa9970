// Owns: what a model call may cost before it is made, and what each of its requests has cost.
// I1 The reservation covers the largest answer that a request can get: the request carries that limit unless what is left
//    covers any answer.
// I2 A request that failed before the provider answered costs no tokens. Neither does one that a busy provider refused, also in
//    the middle of an answer, unless the provider reports what it charges.
// I3 A model without a known price costs `ASSUMED_PRICE`, so that cost limits hold for it too.
import { isOkaError } from '../kernel/index.ts';
import { MODEL_TABLE } from './known-models.ts';
import { isBusy } from './model-error.ts';
import { costOf } from './model-facts.ts';
import type { FoundModel } from './ports.ts';
import type { ModelPrice, ModelUsage, RequestTarget } from './types.ts';

/** Amounts by the names of budgets. */
export interface ModelSpend {
  readonly model_calls?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cost_usd?: number;
  /** The part of the cost that follows from an assumed price. */
  readonly assumed_cost_usd?: number;
  readonly retries?: number;
}

type ModelTerms = Pick<FoundModel, 'price' | 'isAssumed' | 'maxOutputTokens'>;

/** The highest published price that Oka knows. */
export const ASSUMED_PRICE: ModelPrice = highestPrice(
  Object.values(MODEL_TABLE).flatMap(({ price }) => price ?? []),
);

/** The highest of each. */
export function highestPrice(prices: readonly ModelPrice[]): ModelPrice {
  return {
    input: Math.max(...prices.map(({ input }) => input)),
    output: Math.max(...prices.map(({ output }) => output)),
  };
}

/** No known model answers with more tokens. */
const LARGEST_ANSWER = 128_000;
/** The limit for a model without a configured one, when the budget does not cover `LARGEST_ANSWER`. */
const USUAL_LIMIT = 8_192;
/** A call with less room for its answer is not made. */
const LEAST_ANSWER = 256;
const MILLION = 1_000_000;

/** What to reserve before a request of this size. `left` is what the budgets allow. */
export function reservationFor(
  inputTokens: number,
  terms: ModelTerms,
  left: (name: 'output_tokens' | 'cost_usd') => number,
): ModelSpend {
  const { price, maxOutputTokens } = terms;
  const inputCost = price === undefined ? 0 : (inputTokens * price.input) / MILLION;
  const forOutput = left('cost_usd') - inputCost;
  const affordable = Math.min(
    left('output_tokens'),
    price === undefined || price.output === 0
      ? Number.POSITIVE_INFINITY
      : Math.floor((forOutput * MILLION) / price.output),
  );
  const wanted = maxOutputTokens ?? (affordable >= LARGEST_ANSWER ? LARGEST_ANSWER : USUAL_LIMIT);
  const least = Math.min(wanted, LEAST_ANSWER);
  const output = Math.max(least, Math.min(wanted, affordable));
  const cost = price && inputCost + (output * price.output) / MILLION;
  return {
    model_calls: 1,
    input_tokens: inputTokens,
    output_tokens: output,
    ...(cost === undefined ? {} : { cost_usd: cost, ...(terms.isAssumed ? { assumed_cost_usd: cost } : {}) }),
  };
}

/** The limit that a request carries, from what was reserved for it. */
export function answerLimit(
  reserved: { readonly output_tokens?: number } | undefined,
): { readonly maxOutputTokens: number } | undefined {
  const limit = reserved?.output_tokens;
  return limit === undefined || limit >= LARGEST_ANSWER ? undefined : { maxOutputTokens: limit };
}

/** Failures of requests that the provider has begun to answer, and will charge for. */
const ANSWERED = [
  'models.malformed',
  'models.refused',
  'models.stream_cut',
  'models.timed_out',
  'models.answer_too_large',
  'models.answer_cut',
  'models.answer_empty',
] as const;

/** The cost of a request that failed; `received` is the length of the text that came before the failure. */
export function spendOfFailure(
  error: unknown,
  sentTokens: number,
  target: RequestTarget,
  received = 0,
): ModelSpend {
  const usage = isOkaError(error) ? (error.data['usage'] as ModelUsage | undefined) : undefined;
  const isAnswered = received > 0 || isOkaError(error, ANSWERED);
  if (usage === undefined && (isBusy(error) || !isAnswered)) return { model_calls: 1 };
  return spendOf(usage ?? {}, sentTokens, target, received);
}

/** The cost of an answered request. Tokens that the provider did not count are estimated. */
export function spendOf(
  usage: ModelUsage,
  sentTokens: number,
  { price, isAssumed }: Pick<RequestTarget, 'price' | 'isAssumed'>,
  received: number,
): ModelSpend {
  const { inputTokens = sentTokens, outputTokens = Math.ceil(received / 4) } = usage;
  const cost = price && costOf({ ...usage, inputTokens, outputTokens }, price);
  return {
    model_calls: 1,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...(cost === undefined ? {} : { cost_usd: cost, ...(isAssumed ? { assumed_cost_usd: cost } : {}) }),
  };
}
