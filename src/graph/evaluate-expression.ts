import { type Json, type JsonObject, OkaError } from '../kernel/index.ts';
import type { GraphErrorCode } from './errors.ts';
import { describeThrown, parseExpression, placeOf } from './expression.ts';
import { isFunction } from './expression-guard.ts';

const DEEPEST_RESULT = 200;

/**
 * Evaluates a JSONata expression over plain JSON and gives plain JSON: nothing is null, a sequence is a list. The same
 * expression over the same values always gives the same result. Work, depth and size are bounded; patterns run in
 * linear time. `bindings` are the variables, without their dollar sign.
 */
export async function evaluateExpression(
  expression: string,
  input: Json,
  bindings: JsonObject = {},
): Promise<Json> {
  try {
    const parsed = parseExpression(expression);
    const used = Object.entries(bindings).filter(([name]) => parsed.variables.has(name));
    const result: unknown = await parsed.expression.evaluate(
      structuredClone(input),
      structuredClone(Object.fromEntries(used)),
    );
    return toPlainJson(result, 0);
  } catch (error) {
    const { position, code } = placeOf(error);
    throw new OkaError<GraphErrorCode>(
      'graph.expression_failed',
      `the expression failed: ${describeThrown(error)}; correct it or what it works on.`,
      {
        data: {
          expression,
          ...(position === undefined ? {} : { position }),
          ...(code === undefined ? {} : { jsonata: code }),
        },
        cause: error,
      },
    );
  }
}

function toPlainJson(value: unknown, depth: number): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`its result holds ${value}, which JSON does not have`);
    return value;
  }
  if (typeof value !== 'object' || isFunction(value)) throw new Error('its result holds a function');
  if (depth > DEEPEST_RESULT) throw new Error(`its result is nested deeper than ${DEEPEST_RESULT} levels`);
  if (Array.isArray(value)) return value.map((item) => toPlainJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === '__proto__') throw new Error('its result holds the key "__proto__"');
      return [key.toWellFormed(), toPlainJson(member, depth + 1)];
    }),
  );
}
