import type { JsonObject } from '../kernel/index.ts';
import type { FieldPath } from './node-type.ts';

const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** True for a key that could reach a prototype. */
export function isRefusedKey(key: string): boolean {
  return REFUSED_KEYS.has(key);
}

/** True for a JSON object, which is neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A path as text: `$.nodes[3].branch_targets["not now"]`. */
export function jsonPath(path: FieldPath): string {
  let text = '$';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  }
  return text;
}

/** The value at a path; reads own members only. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  let found = value;
  for (const key of path) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}

/** A value as JSON text, cut to `maxLength` characters. */
export function shortJson(value: unknown, maxLength: number): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > maxLength ? `${text.slice(0, maxLength - 1).toWellFormed()}…` : text;
}
