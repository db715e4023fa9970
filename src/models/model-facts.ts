import type { ModelUsage } from './types.ts';

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** For input tokens from the provider's cache; they cost what others do unless told. */
  readonly cachedInput?: number;
}

/** What is known of a model before it is asked. */
export interface ModelFacts {
  /** How many tokens a request and its answer may have together. */
  readonly contextTokens?: number;
  readonly price?: ModelPrice;
}

/** Facts by the name of the model. */
export type ModelTable = Readonly<Record<string, ModelFacts>>;

/** Empty until prices come from a source that can be named; what is not listed is unknown, and said to be. */
export const MODEL_TABLE: ModelTable = {};

const DATED = /-\d{4}-?\d{2}-?\d{2}$/;
const MILLION = 1_000_000;

/** What is known of a model; a dated version is its undated one, and any other name must be listed itself. */
export function factsOf(model: string, table: ModelTable = MODEL_TABLE): ModelFacts | undefined {
  const name = Object.hasOwn(table, model) ? model : model.replace(DATED, '');
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The price of a model; undefined where it is not known. */
export function priceOf(model: string, table: ModelTable = MODEL_TABLE): ModelPrice | undefined {
  return factsOf(model, table)?.price;
}

/** What a call cost; `unknown` where the price or the usage is not known, never a guess. */
export function costOf(
  model: string,
  { inputTokens, outputTokens, cachedInputTokens = 0 }: ModelUsage,
  table: ModelTable = MODEL_TABLE,
): number | 'unknown' {
  const price = priceOf(model, table);
  if (!price || inputTokens === undefined || outputTokens === undefined) return 'unknown';
  const cached = Math.min(cachedInputTokens, inputTokens);
  const input = (inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + outputTokens * price.output) / MILLION;
}
