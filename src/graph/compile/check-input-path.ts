import { didYouMean, type Json, type JsonObject, nearestName } from '../../kernel/index.ts';
import type { FieldPath, Finding } from '../node-type.ts';
import { isJsonObject } from '../plain-json.ts';

/** A part of the input that the graph's own input schema rules out. */
export function findUnknownInput(
  schema: JsonObject | undefined,
  keys: readonly string[],
  field: FieldPath,
  path: string,
): Finding | undefined {
  let at: Json | undefined = schema;
  for (const key of keys) {
    if (!isJsonObject(at)) return undefined;
    const properties: Json | undefined = at['properties'];
    const known: JsonObject = isJsonObject(properties) ? properties : {};
    if (Object.hasOwn(known, key)) {
      at = known[key];
      continue;
    }
    if (at['type'] === 'array' || at['items'] !== undefined) {
      at = at['items'];
      continue;
    }
    if (at['additionalProperties'] !== false || at['patternProperties'] !== undefined) return undefined;
    return {
      code: 'graph.unknown_input',
      field,
      message: `"{{${path}}}": input_schema allows no "${key}" there.`,
      suggestion: didYouMean(
        nearestName(key, Object.keys(known)),
        'Add it to input_schema, or name another.',
      ),
    };
  }
  return undefined;
}
