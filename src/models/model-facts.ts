import { MODEL_TABLE } from './known-models.ts';
import type { ModelFacts, ModelPrice, ModelTable, ModelUsage } from './types.ts';

const VERSION = /-(?:\d{4}-?\d{2}-?\d{2}|latest)$/;
const MILLION = 1_000_000;

/** The facts of a model, named as in the table; a dated or latest version matches its plain name. */
export function factsOf(model: string, table: ModelTable = MODEL_TABLE): ModelFacts | undefined {
  const name = Object.hasOwn(table, model) ? model : model.replace(VERSION, '');
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export function priceOf(model: string, table: ModelTable = MODEL_TABLE): ModelPrice | undefined {
  return factsOf(model, table)?.price;
}

/** The cost of counted tokens. */
export function costOf(
  { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0 }: ModelUsage,
  price: ModelPrice,
): number {
  const cached = Math.min(cachedInputTokens, inputTokens);
  const input = (inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input);
  return (input + outputTokens * price.output) / MILLION;
}
