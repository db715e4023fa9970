// jsonata calls two hooks around every evaluation. This file uses them to bound the work of an expression without a
// clock, so that the same expression over the same input always ends in the same way.
//
// I1. Every evaluation costs one unit, and more for new lists, objects and functions; operators and functions also cost
//     the weight of their operands.
// I2. No value may weigh more than MAX_WEIGHT, counted as a tree: a shared part counts each time it is reached.

import type jsonata from 'jsonata';
import { canonicalJson } from '../kernel/index.ts';

const MAX_WORK = 1_000_000;
const WORK_PER_YIELD = 10_000;
const MAX_WEIGHT = 10_000_000;
/** The weight that an operator or a function reads for one unit of work. */
const WEIGHT_PER_UNIT = 64;
/** The members of a new list or object that cost one unit. */
const MEMBERS_PER_UNIT = 8;
/** A new function costs one unit more for each of these many earlier functions. */
const FUNCTIONS_PER_UNIT = 32;
const MAX_DEPTH = 500;

const ENTRY = Symbol.for('jsonata.__evaluate_entry');
const EXIT = Symbol.for('jsonata.__evaluate_exit');

interface Tree {
  readonly type: string;
  readonly lhs?: unknown;
  readonly rhs?: unknown;
  readonly arguments?: readonly unknown[];
}

interface Account {
  work: number;
  nextYield: number;
  /** The weights of known lists and objects. */
  readonly weights: WeakMap<object, number>;
  /** The weight of the last result of each part of the expression. */
  readonly results: WeakMap<object, number>;
  readonly functions: WeakSet<object>;
  functionCount: number;
}

/** Makes an expression stop with an error when it does too much work or grows a value too large. */
export function countWork(expression: jsonata.Expression): void {
  const accounts = new WeakMap<object, Account>();
  const accountOf = (environment: { base: object }): Account => {
    const known = accounts.get(environment.base);
    if (known !== undefined) return known;
    const opened: Account = {
      work: 0,
      nextYield: WORK_PER_YIELD,
      weights: new WeakMap(),
      functions: new WeakSet(),
      functionCount: 0,
      results: new WeakMap(),
    };
    accounts.set(environment.base, opened);
    return opened;
  };
  const assign = expression.assign as (name: string | symbol, value: unknown) => void;
  assign(ENTRY, (_tree: Tree, _input: unknown, environment: { base: object }) => {
    const account = accountOf(environment);
    charge(account, 1);
    return yieldSometimes(account);
  });
  assign(EXIT, (tree: Tree, _input: unknown, environment: { base: object }, result: unknown) => {
    const account = accountOf(environment);
    // A pattern is a new function on each evaluation; it wraps nothing.
    if (typeof result === 'function' && tree.type !== 'regex') chargeFunction(result, account);
    account.results.set(tree, weigh(result, account, 0));
    if (tree.type === 'binary' || tree.type === 'function' || tree.type === 'apply')
      charge(account, Math.floor(operandWeight(tree, account) / WEIGHT_PER_UNIT));
  });
}

/** Replaces the functions whose work the hooks would count too late. */
export function boundFunctions(expression: jsonata.Expression): void {
  expression.registerFunction('pad', pad, '<s-ns?:s>');
  expression.registerFunction('distinct', distinct, '<x:x>');
  expression.registerFunction('sort', sort, '<af?:a>');
}

/** Yields to the event loop now and then, because long work would block the whole process. */
function yieldSometimes(account: Account): Promise<void> | undefined {
  if (account.work < account.nextYield) return undefined;
  account.nextYield = account.work + WORK_PER_YIELD;
  return new Promise((resolve) => setImmediate(resolve));
}

function charge(account: Account, units: number): void {
  account.work += units;
  if (account.work > MAX_WORK)
    throw new Error(`it does more than ${MAX_WORK} units of work; check for a loop without an end`);
}

/** jsonata wraps a function each time it is passed on, and each wrapper makes the call slower. */
function chargeFunction(value: object, account: Account): void {
  if (account.functions.has(value)) return;
  account.functions.add(value);
  account.functionCount += 1;
  charge(account, Math.floor(account.functionCount / FUNCTIONS_PER_UNIT));
}

function operandWeight(tree: Tree, account: Account): number {
  let weight = 0;
  for (const operand of [tree.lhs, tree.rhs, ...(tree.arguments ?? [])]) {
    if (operand !== null && typeof operand === 'object') weight += account.results.get(operand) ?? 0;
  }
  return weight;
}

/** The approximate size of a value in characters; throws when it exceeds the limit. */
function weigh(value: unknown, account: Account, depth: number): number {
  if (typeof value === 'string') return bounded(1 + value.length);
  if (value === null || typeof value !== 'object' || isFunction(value)) return 1;
  const known = account.weights.get(value);
  if (known !== undefined) return known;
  if (depth > MAX_DEPTH) throw new Error(`it nests values deeper than ${MAX_DEPTH} levels`);
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.entries(value);
  charge(account, Math.floor(members.length / MEMBERS_PER_UNIT));
  let weight = 1;
  for (const member of members) weight = bounded(weight + weigh(member, account, depth + 1));
  account.weights.set(value, weight);
  return weight;
}

function bounded(weight: number): number {
  if (weight > MAX_WEIGHT) throw new Error(`it makes a value larger than ${MAX_WEIGHT} characters`);
  return weight;
}

/** True for jsonata's own functions, which are objects. */
export function isFunction(value: object): boolean {
  return '_jsonata_lambda' in value || '_jsonata_function' in value;
}

function pad(text: string | undefined, width: number, filler = ' '): string | undefined {
  if (text === undefined) return undefined;
  const letters = [...text].length;
  const missing = Math.abs(Math.trunc(width)) - letters;
  if (missing <= 0) return text;
  bounded(missing);
  const source = [...(filler === '' ? ' ' : filler)];
  const padding = Array.from({ length: missing }, (_, index) => source[index % source.length]).join('');
  return width > 0 ? text + padding : padding + text;
}

/** The distinct values of a list in the order of their first occurrence, in linear time. */
function distinct(this: object, values: unknown): unknown {
  if (!Array.isArray(values) || values.length <= 1) return values;
  const { createSequence } = this as { createSequence: () => unknown[] };
  const unique: unknown[] = 'sequence' in values ? createSequence() : [];
  const seen = new Set<string>();
  for (const value of values) {
    const key = canonicalJson(value);
    if (seen.has(key)) continue;
    seen.add(key);
    unique.push(value);
  }
  return unique;
}

type Comparator = (one: unknown, other: unknown) => unknown;

/** Sorts numbers or texts, or by a function that returns whether two values must be swapped; the sort is stable. */
async function sort(values: unknown[] | undefined, mustSwap?: Comparator): Promise<unknown> {
  if (values === undefined || values.length <= 1) return values;
  const swap = mustSwap ?? defaultOrder(values);
  let from = [...values];
  for (let width = 1; width < from.length; width *= 2) {
    const to: unknown[] = [];
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length);
      const end = Math.min(start + 2 * width, from.length);
      for (let left = start, right = middle; left < middle || right < end; ) {
        const takeRight = left >= middle || (right < end && (await swap(from[left], from[right])) === true);
        to.push(takeRight ? from[right++] : from[left++]);
      }
    }
    from = to;
  }
  return from;
}

function defaultOrder(values: readonly unknown[]): Comparator {
  const type = typeof values[0];
  if ((type !== 'number' && type !== 'string') || values.some((value) => typeof value !== type))
    throw new Error('only numbers, or only texts, can be sorted without a function');
  return (one, other) => (one as string) > (other as string);
}
