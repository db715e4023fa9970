import { type Json, textOf } from '../kernel/index.ts';
import type { Decision } from './types.ts';

const LONGEST_TEXT = 20_000;
const DEEPEST = 500;
const LARGEST_VALUE = 1_000_000;

/** Why an answer of a planner cannot be used, or undefined. Planners are bounded, whoever writes them. */
export function problemWithDecision(decision: Decision): string | undefined {
  if (decision === null || typeof decision !== 'object') return 'the answer is not a decision';
  if (!isText(decision.rationale)) return 'the decision has no usable rationale';
  if (decision.model !== undefined) {
    const problem = problemWithValue('the record of the model', decision.model as unknown as Json);
    if (problem) return problem;
  }
  switch (decision.kind) {
    case 'call_tool':
      if (!isText(decision.tool)) return 'call_tool names no tool';
      if (decision.then !== undefined && !isText(decision.then)) return '"then" is not the name of a state';
      if (decision.idempotencyKey !== undefined && !isText(decision.idempotencyKey))
        return 'the idempotency key is not text';
      return problemWithValue('the input', decision.input);
    case 'transition':
      return isText(decision.to) ? undefined : 'transition names no state';
    case 'ask_human':
      if (!isText(decision.question)) return 'ask_human has no usable question';
      if (decision.options === undefined) return undefined;
      if (
        !Array.isArray(decision.options) ||
        decision.options.length === 0 ||
        !decision.options.every(isText)
      ) {
        return 'ask_human offers no usable options';
      }
      return undefined;
    case 'finish':
      return problemWithValue('the output', decision.output);
    case 'fail':
      if (decision.code !== undefined && !isText(decision.code)) return 'the code is not text';
      return isText(decision.reason) ? undefined : 'fail gives no usable reason';
    default:
      return `"${textOf((decision as { kind?: unknown }).kind)}" is not a kind of decision`;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT && value.isWellFormed();
}

function problemWithValue(what: string, value: Json): string | undefined {
  const size = sizeUpTo(value, LARGEST_VALUE, 0);
  if (Number.isNaN(size)) return `${what} is not plain JSON`;
  return size >= LARGEST_VALUE ? `${what} is larger than ${LARGEST_VALUE} characters` : undefined;
}

/** A rough size in characters; stops counting at `most`. NaN for what cannot be written as JSON. */
function sizeUpTo(value: unknown, most: number, depth: number): number {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value.length : Number.NaN;
    case 'number':
      return Number.isFinite(value) ? 8 : Number.NaN;
    case 'boolean':
      return 8;
    case 'object':
      return value === null ? 8 : sizeOfMembers(value, most, depth);
    default:
      return Number.NaN;
  }
}

function sizeOfMembers(value: object, most: number, depth: number): number {
  const isList = Array.isArray(value);
  const prototype = Object.getPrototypeOf(value);
  if (depth > DEEPEST || (!isList && prototype !== Object.prototype && prototype !== null)) return Number.NaN;
  let size = 2;
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined && !isList) continue;
    size += key.length + 3 + sizeUpTo(member, most - size, depth + 1);
    if (!(size < most)) return size;
  }
  return size;
}
