import type { ToolSchema } from '../../engine/index.ts';
import { findSchemaIssues } from '../../graph/index.ts';
import type { Json, JsonObject } from '../../kernel/index.ts';
import { cleanText } from './clean-text.ts';

const LONGEST_DESCRIPTION = 4_000;
const DEEPEST = 100;

/**
 * A server's JSON Schema as a tool has it. What cannot be checked here is passed over, for the server checks as well.
 * Shown as it is, but for hidden characters in what it says to readers.
 */
export function serverSchema(schema: JsonObject): ToolSchema {
  let shown: JsonObject | undefined;
  return {
    check: {
      '~standard': {
        version: 1,
        vendor: 'oka',
        validate(value) {
          const issues = findSchemaIssues(schema, value as Json);
          return issues.length === 0 ? { value } : { issues };
        },
      },
    },
    json: () => (shown ??= cleanSchema(schema, 0) as JsonObject),
  };
}

function cleanSchema(part: Json, depth: number): Json {
  if (part === null || typeof part !== 'object' || depth > DEEPEST) return part;
  if (Array.isArray(part)) return part.map((one) => cleanSchema(one, depth + 1));
  return Object.fromEntries(
    Object.entries(part as JsonObject).map(([key, value]) => [
      key,
      typeof value === 'string' && (key === 'description' || key === 'title')
        ? cleanText(value, LONGEST_DESCRIPTION)
        : cleanSchema(value, depth + 1),
    ]),
  );
}
