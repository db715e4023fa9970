import { OkaError } from './errors.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

const DEEPEST = 1_000;
const INTEGER_KEY = /^(?:0|[1-9]\d{0,9})$/;
/** Thrown for the rare object that keeps its keys in an order of its own, whatever order they are set in. */
const UNORDERABLE = Symbol('unorderable');

/**
 * JSON as RFC 8785 writes it: keys in UTF-16 order, no white space, ECMAScript numbers. Members that are `undefined`
 * are left out. What JSON cannot say (NaN, functions, lone surrogates, cycles) is refused, never bent.
 */
export function canonicalJson(value: unknown): string {
  try {
    // JSON.stringify writes a value in canonical form once its keys are in order, and is the fastest writer there is.
    return JSON.stringify(inOrder(value, 0));
  } catch (error) {
    if (error === UNORDERABLE) return write(value);
    throw error;
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

/** The value itself when its keys are in order throughout, else a copy whose keys are. */
function inOrder(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return checked(value);
    case 'number':
      if (!Number.isFinite(value)) throw refused(`the number ${value}`);
      return value;
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (depth > DEEPEST) throw refused('a value nested deeper than 1,000 levels, or a cycle');
      return Array.isArray(value) ? arrayInOrder(value, depth) : objectInOrder(value, depth);
    default:
      throw refused(`a value of type ${typeof value}`);
  }
}

function checked(text: string): string {
  if (!text.isWellFormed()) throw refused('a string with half of a surrogate pair');
  return text;
}

function arrayInOrder(items: readonly unknown[], depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const item = inOrder(items[i], depth + 1);
    if (item !== items[i]) {
      copy ??= [...items];
      copy[i] = item;
    }
  }
  return copy ?? items;
}

function objectInOrder(value: object, depth: number): unknown {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON !== 'function') throw refused(`an object of class ${value.constructor?.name}`);
    return inOrder(toJSON.call(value), depth + 1);
  }
  if ('toJSON' in value) throw UNORDERABLE;
  const source = value as Record<string, unknown>;
  const keys = Object.keys(source);
  let previous = '';
  let ordered = true;
  for (const key of keys) {
    if (key === '__proto__') throw UNORDERABLE;
    if (key < previous) ordered = false;
    if (isDigit(key.charCodeAt(0)) && INTEGER_KEY.test(key)) throw UNORDERABLE;
    previous = key;
  }
  let copy: Record<string, unknown> | undefined;
  if (!ordered) {
    keys.sort();
    copy = {};
  }
  for (const key of keys) {
    const member = source[key];
    if (member === undefined) continue;
    const arranged = inOrder(member, depth + 1);
    if (copy === undefined && arranged !== member) copy = { ...source };
    if (copy !== undefined) copy[checked(key)] = arranged;
    else checked(key);
  }
  return copy ?? value;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Writes by hand what cannot be put in order; `inOrder` has refused what is not JSON up to where it gave up. */
function write(value: unknown, depth = 0): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(inOrder(value, depth));
  if (depth > DEEPEST) throw refused('a value nested deeper than 1,000 levels, or a cycle');
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return write(inOrder(value, depth), depth + 1);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(checked(key))}:${write(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}

function refused(what: string): OkaError<'kernel.not_canonical'> {
  return new OkaError(
    'kernel.not_canonical',
    `${what} cannot be written as canonical JSON; pass plain JSON values.`,
  );
}
