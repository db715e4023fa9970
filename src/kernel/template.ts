import { canonicalJson, type Json, type JsonObject } from './canonical-json.ts';
import { OkaError } from './errors.ts';
import { memoize } from './memoize.ts';

/** Handles a path without a value: returns a replacement or throws. */
export type MissingPath = (path: string) => Json;

const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const WHOLE = /^\{\{([^{}]*)\}\}$/;

const MAX_PARSED_PATHS = 5_000;

/** Splits `a.b[0].c` into its keys. Rejects keys that could reach a prototype. */
export const parsePath: (path: string) => readonly string[] = memoize(MAX_PARSED_PATHS, splitPath);

function splitPath(path: string): readonly string[] {
  const keys = path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .map((key) => key.trim());
  if (keys.some((key) => key === '')) {
    throw new OkaError(
      'kernel.template_invalid',
      `Invalid path "${path}": expected names joined by dots, e.g. input.name.`,
    );
  }
  const bad = keys.find((key) => REFUSED_KEYS.has(key));
  if (bad)
    throw new OkaError('kernel.path_refused', `"${bad}" is not allowed in a path. Choose another key.`);
  return keys;
}

/** Reads a path from plain JSON, own members only. `undefined` when it has no value. */
export function readPath(scope: unknown, path: string): Json | undefined {
  let value: unknown = scope;
  for (const key of parsePath(path)) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value as Json | undefined;
}

/** Every path that a template mentions, in order. */
export function templatePaths(template: Json): string[] {
  if (typeof template === 'string')
    return [...template.matchAll(PLACEHOLDER)].map((match) => (match[1] as string).trim());
  if (Array.isArray(template)) return template.flatMap(templatePaths);
  if (template !== null && typeof template === 'object')
    return Object.values(template).flatMap(templatePaths);
  return [];
}

/**
 * Fills `{{path}}` placeholders from `scope`. A string that is one placeholder keeps the value's type; inside text a
 * string is inserted unquoted and any other value as JSON.
 */
export function renderTemplate(template: Json, scope: unknown, onMissing: MissingPath = refuseMissing): Json {
  if (typeof template === 'string') return renderText(template, scope, onMissing);
  if (Array.isArray(template)) return template.map((item) => renderTemplate(item, scope, onMissing));
  if (template === null || typeof template !== 'object') return template;
  const filled: Record<string, Json> = {};
  for (const key of Object.keys(template)) {
    if (REFUSED_KEYS.has(key)) parsePath(key);
    filled[key] = renderTemplate((template as JsonObject)[key] as Json, scope, onMissing);
  }
  return filled;
}

function renderText(template: string, scope: unknown, onMissing: MissingPath): Json {
  const whole = WHOLE.exec(template);
  const lookUp = (path: string): Json => readPath(scope, path) ?? missingOrNull(scope, path, onMissing);
  if (whole) return lookUp((whole[1] as string).trim());
  return template.replaceAll(PLACEHOLDER, (_, path: string) => {
    const value = lookUp(path.trim());
    return typeof value === 'string' ? value : canonicalJson(value);
  });
}

function missingOrNull(scope: unknown, path: string, onMissing: MissingPath): Json {
  return readPath(scope, path) === null ? null : onMissing(path);
}

function refuseMissing(path: string): never {
  throw new OkaError(
    'kernel.template_missing',
    `"{{${path}}}" has no value. Check the name or set a value.`,
    { data: { path } },
  );
}
