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
