import type { RE2JS } from 're2js';
import { type Json, OkaError, sameJson } from '../kernel/index.ts';
import type { GraphErrorCode } from './errors.ts';
import { compilePattern } from './patterns.ts';
import type { Operator } from './types.ts';

type Comparison = (left: Json, right: Json, operator: Operator) => boolean;

const COMPARISONS: { readonly [operator in Operator]: Comparison } = {
  eq: (left, right) => sameJson(left, right),
  ne: (left, right) => !sameJson(left, right),
  gt: (left, right, operator) => order(left, right, operator) > 0,
  gte: (left, right, operator) => order(left, right, operator) >= 0,
  lt: (left, right, operator) => order(left, right, operator) < 0,
  lte: (left, right, operator) => order(left, right, operator) <= 0,
  in: isIn,
  not_in: (left, right, operator) => !isIn(left, right, operator),
  contains,
  starts_with: (left, right, operator) => bothTexts(left, right, operator)[0].startsWith(right as string),
  ends_with: (left, right, operator) => bothTexts(left, right, operator)[0].endsWith(right as string),
  matches,
  exists: (left) => left !== null,
  empty: isEmpty,
};

/**
 * Evaluates a typed condition. Equality is equality of JSON; order compares two numbers or two texts; a pattern matches
 * anywhere in the text, in linear time. Types that an operator cannot compare are an error, never false.
 */
export function evaluateCondition(operator: Operator, left: Json, right: Json = null): boolean {
  return COMPARISONS[operator](left, right, operator);
}

function order(left: Json, right: Json, operator: Operator): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right);
  throw typeError(operator, left, right, 'compare two numbers or two texts');
}

function isIn(left: Json, right: Json, operator: Operator): boolean {
  if (Array.isArray(right)) return right.some((item) => sameJson(item as Json, left));
  if (typeof right === 'string' && typeof left === 'string') return right.includes(left);
  throw typeError(operator, left, right, 'look for a value in a list, or for a text in a text');
}

function contains(left: Json, right: Json, operator: Operator): boolean {
  if (Array.isArray(left)) return isIn(right, left, operator);
  if (typeof right === 'string') {
    if (typeof left === 'string') return left.includes(right);
    if (left !== null && typeof left === 'object') return Object.hasOwn(left, right);
  }
  throw typeError(operator, left, right, 'look in a list, in a text for a text, or in an object for a key');
}

function matches(left: Json, right: Json, operator: Operator): boolean {
  const [text, pattern] = bothTexts(left, right, operator);
  let compiled: RE2JS;
  try {
    compiled = compilePattern(pattern);
  } catch (error) {
    throw new OkaError<GraphErrorCode>(
      'graph.condition_pattern',
      `the pattern "${pattern}" cannot be used: ${(error as Error).message}; write it in RE2 syntax.`,
      { data: { pattern }, cause: error },
    );
  }
  return compiled.test(text);
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function bothTexts(left: Json, right: Json, operator: Operator): [string, string] {
  if (typeof left === 'string' && typeof right === 'string') return [left, right];
  throw typeError(operator, left, right, 'give it two texts');
}

function typeError(operator: Operator, left: Json, right: Json, advice: string): OkaError<GraphErrorCode> {
  const types = { left: typeName(left), right: typeName(right) };
  return new OkaError(
    'graph.condition_type',
    `"${operator}" cannot compare ${types.left} with ${types.right}; ${advice}.`,
    { data: { operator, ...types } },
  );
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
