import { OkaError, textOf } from './errors.ts';
import { remembering } from './remembering.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

const DEEPEST = 1_000;
const FEW_KEYS = 24;
const MOST_CACHED_KEYS = 5_000;
const NEEDS_ESCAPING = /[^\x20\x21\x23-\x5b\x5d-\x7e]/;

/**
 * JSON as RFC 8785 writes it: keys in UTF-16 order, no white space, ECMAScript numbers. Members that are `undefined`
 * are left out. What JSON cannot say (NaN, functions, lone surrogates, cycles) is refused, never bent.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

/** A value as canonical JSON, and what parsing that text would give, frozen. */
interface CanonicalForm {
  readonly text: string;
  readonly value: Json;
}

/** Writes a value and copies it at the same time. Nothing that still holds the value can change the copy. */
export function canonicalForm(value: unknown): CanonicalForm {
  const text = form(value, 0);
  const made = { text, value: formed };
  formed = null;
  return made;
}

/** Any value as JSON: itself where it is, else as text. */
export function toJson(value: unknown): Json {
  try {
    return JSON.parse(canonicalJson(value)) as Json;
  } catch {
    return textOf(value);
  }
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
      if (depth > DEEPEST) throw tooDeep();
      return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth);
    default:
      throw refused(`a value of type ${typeof value}`);
  }
}

/** What the last call of `form` has copied. */
let formed: Json = null;

function form(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) {
    formed = value === 0 ? 0 : (value as Json); // Minus nought is written as nought.
    return write(value, depth);
  }
  if (depth > DEEPEST) throw tooDeep();
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
  if (!text.isWellFormed()) throw refused('a string with half of a surrogate pair');
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

/** What an object of a class says of itself as JSON. */
function asJson(value: object): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== 'function') throw refused(`an object of class ${value.constructor?.name}`);
  return toJSON.call(value);
}

function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  if (keys.length > FEW_KEYS) keys.sort();
  else sortFew(keys);
  return keys;
}

/** Most objects have a handful of keys, nearly in order; this beats a general sort on them. */
function sortFew(keys: string[]): void {
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string;
    let place = i;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
}

/** The same few keys come again and again. */
const firstKey = remembering(MOST_CACHED_KEYS, (key) => `{${writeString(key)}:`);
const nextKey = remembering(MOST_CACHED_KEYS, (key) => `,${writeString(key)}:`);

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
