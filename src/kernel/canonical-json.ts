import { OkaError, textOf } from './errors.ts';
import { memoize } from './memoize.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

const MAX_DEPTH = 1_000;
const MAX_INSERTION_SORT_KEYS = 24;
const MAX_CACHED_KEYS = 5_000;
const NEEDS_ESCAPING = /[^\x20\x21\x23-\x5b\x5d-\x7e]/;

/**
 * Canonical JSON by RFC 8785: keys in UTF-16 order, no white space, ECMAScript numbers. Omits `undefined` members.
 * Throws for values that JSON cannot represent: NaN, functions, lone surrogates, cycles.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/** A value as canonical JSON, and the frozen result of parsing that text. */
interface CanonicalForm {
  readonly text: string;
  readonly value: Json;
}

/** Serializes and deep-copies a value in one pass. Later changes to the value do not affect the copy. */
export function canonicalForm(value: unknown): CanonicalForm {
  const text = form(value, 0);
  const made = { text, value: formed };
  formed = null;
  return made;
}

/** Converts any value to JSON: JSON values unchanged, everything else as text. */
export function toJson(value: unknown): Json {
  try {
    return JSON.parse(canonicalJson(value)) as Json;
  } catch {
    return textOf(value);
  }
}

/** Whether a value is nested too deeply for canonical JSON. A cycle is, too. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, depth + 1));
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], depth + 1)) return true;
  return false;
}

/** Rejects a value from outside that is nested too deeply to be stored. */
export function refuseTooDeep(value: unknown): void {
  if (isTooDeep(value)) throw tooDeep();
}

/** Parses JSON from outside. Throws a SyntaxError also for a value that is nested deeper than canonical JSON allows. */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (isTooDeep(value)) throw new SyntaxError('it is nested deeper than 1,000 levels');
  return value;
}

/** Deep equality of plain JSON; stops at the first difference. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as JsonObject;
  const right = b as JsonObject;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]));
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      if (!Number.isFinite(value)) throw refused(`the number ${value}`);
      return `${value}`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth > MAX_DEPTH) throw tooDeep();
      return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth);
    default:
      throw refused(`a value of type ${typeof value}`);
  }
}

/** The copy that the last call of `form` made. */
let formed: Json = null;

function form(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) {
    formed = value === 0 ? 0 : (value as Json); // RFC 8785 writes -0 as 0.
    return write(value, depth);
  }
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return formArray(value, depth);
  return isPlain(value) ? formObject(value, depth) : form(asJson(value), depth + 1);
}

function formArray(items: readonly unknown[], depth: number): string {
  const copied: Json[] = [];
  let text = '[';
  for (let i = 0; i < items.length; i++) {
    const item = form(items[i], depth + 1);
    text += i === 0 ? item : `,${item}`;
    copied.push(formed);
  }
  formed = Object.freeze(copied);
  return `${text}]`;
}

function formObject(value: object, depth: number): string {
  const keys = sortedKeys(value);
  const copied: Record<string, Json> = {};
  let text = '';
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    text += text === '' ? firstKey(key) : nextKey(key);
    text += form(member, depth + 1);
    if (key === '__proto__') Object.defineProperty(copied, key, { value: formed, enumerable: true });
    else copied[key] = formed;
  }
  formed = Object.freeze(copied);
  return text === '' ? '{}' : `${text}}`;
}

function writeString(text: string): string {
  if (!NEEDS_ESCAPING.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw refused('a string with a lone surrogate');
  return JSON.stringify(text);
}

function writeArray(items: readonly unknown[], depth: number): string {
  let text = '[';
  for (let i = 0; i < items.length; i++)
    text += i === 0 ? write(items[i], depth + 1) : `,${write(items[i], depth + 1)}`;
  return `${text}]`;
}

function writeObject(value: object, depth: number): string {
  if (!isPlain(value)) return write(asJson(value), depth + 1);
  const keys = sortedKeys(value);
  let text = '';
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    text += text === '' ? firstKey(key) : nextKey(key);
    text += write(member, depth + 1);
  }
  return text === '' ? '{}' : `${text}}`;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function asJson(value: object): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== 'function') throw refused(`an object of class ${value.constructor?.name}`);
  return toJSON.call(value);
}

function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  if (keys.length > MAX_INSERTION_SORT_KEYS) keys.sort();
  else insertionSort(keys);
  return keys;
}

/** Insertion sort: most objects have few keys, nearly in order, and a general sort is slower on them. */
function insertionSort(keys: string[]): void {
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string;
    let place = i;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
}

/** Cached because the same keys recur in most objects. */
const firstKey = memoize(MAX_CACHED_KEYS, (key) => `{${writeString(key)}:`);
const nextKey = memoize(MAX_CACHED_KEYS, (key) => `,${writeString(key)}:`);

function tooDeep(): OkaError<'kernel.not_canonical'> {
  return refused('a value nested deeper than 1,000 levels, or a cycle');
}

function refused(what: string): OkaError<'kernel.not_canonical'> {
  return new OkaError(
    'kernel.not_canonical',
    `${what} cannot be written as canonical JSON; pass plain JSON values.`,
  );
}

/** The value when it is an object; an empty object otherwise. */
export function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
