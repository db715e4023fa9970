import { code, count } from './markdown-text.ts';

const MOST_LEVELS = 4;
const MOST_KEYS = 30;
const MOST_ITEMS = 1_000;

/** The shape of a JSON value as a nested list: the keys, their types, how often they are there. */
export function jsonShape(value: unknown): string[] {
  return shapeOf([value], 0);
}

/** The rows of a list of objects; undefined for anything else. */
export function rowsOf(value: unknown): Record<string, unknown>[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every(isObject) ? (value as Record<string, unknown>[]) : undefined;
}

/** The names of the fields in the order in which they come first. */
export function fieldsOf(rows: readonly Record<string, unknown>[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** Several values of one place, told together. */
function shapeOf(values: readonly unknown[], level: number): string[] {
  const indent = '  '.repeat(level);
  const objects = values.filter(isObject);
  const lists = values.filter(Array.isArray) as unknown[][];
  const lines: string[] = [];
  if (level >= MOST_LEVELS)
    return objects.length + lists.length > 0 ? [`${indent}- deeper levels are not told`] : [];
  if (lists.length > 0) {
    const items = lists.flatMap((list) => list.slice(0, MOST_ITEMS));
    const lengths = lists.map((list) => list.length);
    const smallest = lengths.reduce((a, b) => Math.min(a, b));
    const largest = lengths.reduce((a, b) => Math.max(a, b));
    const range = smallest === largest ? count(largest, 'item') : `${smallest} to ${count(largest, 'item')}`;
    lines.push(`${indent}- list of ${range}: ${kindsOf(items) || 'empty'}`, ...shapeOf(items, level + 1));
  }
  const keys = fieldsOf(objects);
  for (const key of keys.slice(0, MOST_KEYS)) {
    const there = objects.filter((object) => Object.hasOwn(object, key)).map((object) => object[key]);
    const share = there.length < objects.length ? `, in ${there.length} of ${objects.length}` : '';
    const nested = there.filter((inner) => typeof inner === 'object' && inner !== null);
    lines.push(`${indent}- ${code(key)}: ${kindsOf(there)}${share}`, ...shapeOf(nested, level + 1));
  }
  if (keys.length > MOST_KEYS) lines.push(`${indent}- and ${count(keys.length - MOST_KEYS, 'more key')}`);
  return lines;
}

function kindsOf(values: readonly unknown[]): string {
  return [...new Set(values.map(kindOf))].sort().join(' or ');
}

/** What a value is, in words. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
