import * as z from 'zod';
import type { Json, JsonObject } from '../kernel/index.ts';
import { describeIssues } from './describe-issues.ts';
import { modelError } from './model-error.ts';

const MOST_STARTS = 50;
const LONGEST_SHOWN = 4_000;
const FENCED = /```[^\n`]*\n([\s\S]*?)```/g;

/**
 * The JSON in a model's text, checked against a JSON Schema: the whole text, a fenced block, or the first object or list
 * in it that fits. Nothing is repaired or filled in; `models.malformed` says everything that was wrong.
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
  const said = problems ?? ['there is no JSON in it'];
  throw modelError(
    'models.malformed',
    `the model's answer does not fit what was asked for: ${said.join('; ')}. Ask again with these findings.`,
    { data: { problems: said, text: text.slice(0, LONGEST_SHOWN).toWellFormed() } },
  );
}

function checkerOf(schema: JsonObject): (value: Json) => string[] {
  let compiled: z.ZodType;
  try {
    compiled = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    throw modelError(
      'models.request_failed',
      `the schema for the answer cannot be used: ${error instanceof Error ? error.message : String(error)}. Correct the schema.`,
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
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function* candidatesIn(text: string): Generator<string> {
  yield text;
  for (const [, block] of text.matchAll(FENCED)) yield block as string;
  let starts = 0;
  for (let at = 0; at < text.length && starts < MOST_STARTS; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    starts += 1;
    const end = endOfValue(text, at);
    if (end !== undefined) yield text.slice(at, end);
  }
}

/** Where the object or list that starts at `start` ends, by its brackets outside of strings. */
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
