import type { Json, JsonObject } from '../kernel/index.ts';

const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** True for a key that could reach a prototype. */
export function isRefusedKey(key: string): boolean {
  return REFUSED_KEYS.has(key);
}

/** True for a JSON object, which is neither null nor a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value);
}
