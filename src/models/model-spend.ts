// Owns: what a model call may cost before it is made, and what it has cost afterwards.
// I1 The reservation covers the largest answer that the call can get: the request carries that limit unless what is left
//    covers any answer.
// I2 A call that failed before the provider answered costs no tokens. A call that a busy provider refused costs nothing, also in
//    the middle of an answer, unless the provider reports what it charges.
import { isOkaError } from '../kernel/index.ts';
import { isBusy, modelError } from './model-error.ts';
import { costOf } from './model-facts.ts';
import type { FoundModel } from './ports.ts';
import type { ModelAnswer, ModelPrice, ModelUsage } from './types.ts';

/** Amounts by the names of budgets. */
export interface ModelSpend {
  readonly model_calls: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cost_usd?: number;
}

type ModelTerms = Pick<FoundModel, 'price' | 'unpriced' | 'maxOutputTokens'>;

/** No known model answers with more tokens. */
const LARGEST_ANSWER = 128_000;
/** The limit for a model without a configured one, when the budget does not cover `LARGEST_ANSWER`. */
const USUAL_LIMIT = 8_192;
/** A call with less room for its answer is not made. */
const LEAST_ANSWER = 256;
const MILLION = 1_000_000;

/** What to reserve before a call with a request of this size. `left` is what the budgets allow. */
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
  return {
    model_calls: 1,
    input_tokens: inputTokens,
    output_tokens: output,
    ...(price === undefined ? {} : { cost_usd: inputCost + (output * price.output) / MILLION }),
  };
}

/** Refuses a call whose cost cannot be bounded because a price is unknown. */
export function requirePrice({ unpriced }: ModelTerms): void {
  if (unpriced === undefined) return;
  throw modelError(
    'models.price_unknown',
    `The price of ${unpriced} is unknown, so the cost budget of this run cannot be kept. Set it with: oka model price ${unpriced} --input <usd> --output <usd> (per million tokens), or run without a cost budget.`,
    { data: { model: unpriced }, transient: false },
  );
}

/** The limit that a request carries, from what was reserved for it. */
export function answerLimit(
  reserved: { readonly output_tokens?: number } | undefined,
): { readonly maxOutputTokens: number } | undefined {
  const limit = reserved?.output_tokens;
  return limit === undefined || limit >= LARGEST_ANSWER ? undefined : { maxOutputTokens: limit };
}

/** The cost of an answer. Tokens that the provider did not count are estimated. */
export function spendOfAnswer(
  { usage, text, cost }: Pick<ModelAnswer, 'usage' | 'text' | 'cost'>,
  sentTokens: number,
  price: ModelPrice | undefined,
): ModelSpend {
  return spend(usage, sentTokens, text.length, price, typeof cost === 'number' ? cost : undefined);
}

/** Failures of calls that the provider has begun to answer, and will charge for. */
const ANSWERED = [
  'models.malformed',
  'models.refused',
  'models.stream_cut',
  'models.timed_out',
  'models.answer_too_large',
];

/** The cost of a failed call; `received` is the length of the text that came before the failure. */
export function spendOfFailure(
  error: unknown,
  sentTokens: number,
  price: ModelPrice | undefined,
  received = 0,
): ModelSpend {
  const usage = isOkaError(error) ? (error.data['usage'] as ModelUsage | undefined) : undefined;
  if (usage === undefined && isBusy(error)) return { model_calls: 0 };
  if (usage === undefined && received === 0 && !ANSWERED.some((code) => isOkaError(error, code)))
    return { model_calls: 1 };
  return spend(usage ?? {}, sentTokens, received, price);
}

function spend(
  usage: ModelUsage,
  sentTokens: number,
  received: number,
  price: ModelPrice | undefined,
  known?: number,
): ModelSpend {
  const { inputTokens = sentTokens, outputTokens = Math.ceil(received / 4) } = usage;
  const counted = { ...usage, inputTokens, outputTokens };
  const cost = known ?? (price === undefined ? 'unknown' : costOf('', counted, { '': { price } }));
  return {
    model_calls: 1,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...(typeof cost === 'number' ? { cost_usd: cost } : {}),
  };
}
