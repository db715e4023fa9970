import type { ModelUsage } from './types.ts';

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** For cached input tokens; default: the input price. */
  readonly cachedInput?: number;
}

export interface ModelFacts {
  /** The maximum of request and answer together. */
  readonly contextTokens?: number;
  readonly price?: ModelPrice;
}

/** Facts by model name. */
export type ModelTable = Readonly<Record<string, ModelFacts>>;

/** Empty until prices come from a citable source; unlisted models are unknown. */
export const MODEL_TABLE: ModelTable = {};

const DATED = /-\d{4}-?\d{2}-?\d{2}$/;
const MILLION = 1_000_000;

/** The facts of a model; a dated version matches its undated name. */
export function factsOf(model: string, table: ModelTable = MODEL_TABLE): ModelFacts | undefined {
  const name = Object.hasOwn(table, model) ? model : model.replace(DATED, '');
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export function priceOf(model: string, table: ModelTable = MODEL_TABLE): ModelPrice | undefined {
  return factsOf(model, table)?.price;
}

/** The cost of a call; `unknown` if the price or the usage is unknown, never a guess. */
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
