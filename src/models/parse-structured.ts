import * as z from 'zod';
import { isTooDeep, type Json, type JsonObject } from '../kernel/index.ts';
import { modelError } from './model-error.ts';

const MAX_STARTS = 50;
const MAX_SHOWN_LENGTH = 4_000;
const FENCED = /```[^\n`]*\n([\s\S]*?)```/g;

/**
 * Extracts JSON from a model's text and checks it against a JSON Schema: the whole text, a fenced block, or the first matching
 * object or list. Nothing is repaired or filled in; `models.malformed` lists every problem.
 */
export function parseStructured(text: string, schema: JsonObject): Json {
  const check = checkerOf(schema);
  let problems: readonly string[] | undefined;
  for (const candidate of candidatesIn(text)) {
    const value = parse(candidate);
    if (value === undefined) continue;
    const found = check(value);
    if (found.length === 0) return value;
    problems ??= found;
  }
  const said = problems ?? ['it contains no JSON'];
  throw modelError(
    'models.malformed',
    `The model's answer does not match the schema: ${said.join('; ')}. Retry with these problems in the prompt.`,
    { data: { problems: said, text: text.slice(0, MAX_SHOWN_LENGTH).toWellFormed() } },
  );
}

function checkerOf(schema: JsonObject): (value: Json) => string[] {
  let compiled: z.ZodType;
  try {
    compiled = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    throw modelError(
      'models.request_failed',
      `The schema for the answer is invalid: ${error instanceof Error ? error.message : String(error)}. Correct the schema.`,
      { transient: false, cause: error },
    );
  }
  return (value) => {
    const result = compiled.safeParse(value);
    return result.success ? [] : describeIssues(result.error);
  };
}

function parse(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function* candidatesIn(text: string): Generator<string> {
  yield text;
  for (const [, block] of text.matchAll(FENCED)) yield block as string;
  let starts = 0;
  for (let at = 0; at < text.length && starts < MAX_STARTS; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    starts += 1;
    const end = endOfValue(text, at);
    if (end !== undefined) yield text.slice(at, end);
  }
}

/** The end of the object or list at `start`, found by brackets outside of strings. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** Lists validation problems with their paths: `$.turns[0].text: …`. */
export function describeIssues({ issues }: Pick<z.ZodError, 'issues'>): string[] {
  return issues.map(({ path, message }) => `${placeOf(path)}: ${message}`);
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (at, key) => at + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`),
    '$',
  );
}
