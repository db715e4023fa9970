import { canonicalJson, type Json } from '../kernel/index.ts';

const MAX_LINES = 12;
const MAX_WIDTH = 160;

/** Short lines that show where two values differ, such as `input.path: "a" → "b"`. */
export function diffValues(expected: Json, actual: Json): readonly string[] {
  return limit([...differences(expected, actual, '')]);
}

function* differences(expected: Json | undefined, actual: Json | undefined, path: string): Generator<string> {
  if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      yield* differences(expected[key], actual[key], path === '' ? key : `${path}.${key}`);
    return;
  }
  if (shown(expected) !== shown(actual))
    yield `${path === '' ? 'value' : path}: ${cut(shown(expected))} → ${cut(shown(actual))}`;
}

/** The lines that only one of two texts has. */
export function diffLines(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const removed = old.filter((line) => !now.includes(line)).map((line) => cut(`- ${line}`));
  const added = now.filter((line) => !old.includes(line)).map((line) => cut(`+ ${line}`));
  return limit([...removed, ...added]);
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: Json | undefined): string {
  return value === undefined ? 'nothing' : canonicalJson(value);
}

function cut(text: string): string {
  return text.length <= MAX_WIDTH ? text : `${text.slice(0, MAX_WIDTH).toWellFormed()}…`;
}

function limit(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more`];
}
