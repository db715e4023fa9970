import type { ModelUsage } from './types.ts';

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** What is known of a model before it is asked. */
export interface ModelFacts {
  /** How many tokens a request and its answer may have together. */
  readonly contextTokens?: number;
  readonly price?: ModelPrice;
}

/** Facts by the name of the model. */
export type ModelTable = Readonly<Record<string, ModelFacts>>;

/** A few models and their list prices. Prices change: a configuration can bring its own table. */
export const MODEL_TABLE: ModelTable = {
  'gpt-4o': { contextTokens: 128_000, price: { input: 2.5, output: 10 } },
  'gpt-4o-mini': { contextTokens: 128_000, price: { input: 0.15, output: 0.6 } },
  'gpt-4.1': { contextTokens: 1_047_576, price: { input: 2, output: 8 } },
  'gpt-4.1-mini': { contextTokens: 1_047_576, price: { input: 0.4, output: 1.6 } },
  'claude-sonnet-4': { contextTokens: 200_000, price: { input: 3, output: 15 } },
  'claude-opus-4': { contextTokens: 200_000, price: { input: 15, output: 75 } },
};

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
  { inputTokens, outputTokens }: ModelUsage,
  table: ModelTable = MODEL_TABLE,
): number | 'unknown' {
  const price = priceOf(model, table);
  if (!price || inputTokens === undefined || outputTokens === undefined) return 'unknown';
  return (inputTokens * price.input + outputTokens * price.output) / MILLION;
}
