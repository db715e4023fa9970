import { type Json, textOf } from '../kernel/index.ts';
import { BUDGET_NAMES, type Spend } from './budgets.ts';
import type { Decision, Finish, Transition } from './types.ts';

const MAX_TEXT_LENGTH = 20_000;
const MAX_DEPTH = 500;
const MAX_TIMEOUT_MS = 86_400_000;
const MAX_VALUE_LENGTH = 1_000_000;

/** Validates a planner's answer: returns a copy as a decision, or the reason why it is invalid. Must not throw. */
export function readDecision(answer: unknown): Decision | string {
  if (answer === null || typeof answer !== 'object') return 'the answer is not a decision';
  try {
    const decision = { ...answer } as Decision;
    return problemWith(decision) ?? decision;
  } catch (error) {
    return `the answer cannot be read: ${textOf(error)}`;
  }
}

function problemWith(decision: Decision): string | undefined {
  if (!isText(decision.rationale)) return 'the decision has no usable rationale';
  if (decision.spend !== undefined) return 'a planner may not set "spend"';
  if (decision.model !== undefined) {
    const problem =
      problemWithSpend(decision.model?.spend) ??
      problemWithValue('the record of the model', decision.model as unknown as Json);
    if (problem) return problem;
  }
  switch (decision.kind) {
    case 'call_tool':
      if (!isText(decision.tool)) return 'call_tool names no tool';
      if (decision.then !== undefined && !isText(decision.then)) return '"then" is not the name of a state';
      if (decision.idempotencyKey !== undefined && !isText(decision.idempotencyKey))
        return 'the idempotency key is not text';
      if (
        decision.timeoutMs !== undefined &&
        !(decision.timeoutMs > 0 && decision.timeoutMs <= MAX_TIMEOUT_MS)
      )
        return 'the timeout is not a number of milliseconds';
      if (decision.retries !== undefined && !(Number.isInteger(decision.retries) && decision.retries >= 0))
        return 'the number of retries is not a whole number';
      if (decision.again !== undefined && !(Number.isInteger(decision.again) && decision.again >= 0))
        return '"again" is not a whole number';
      if (
        decision.expects !== undefined &&
        !(Array.isArray(decision.expects) && decision.expects.every(isText))
      )
        return '"expects" is not a list of codes';
      if (decision.confirm !== undefined && decision.confirm !== true) return '"confirm" is not true';
      return problemWithValue('the input', decision.input);
    case 'transition':
      if (!isText(decision.to)) return 'transition names no state';
      return problemWithOutput(decision) ?? problemWithRemedy(decision);
    case 'ask_human':
      if (!isText(decision.question)) return 'ask_human has no usable question';
      if (decision.expiresInMs !== undefined && !(decision.expiresInMs >= 0 && decision.expiresInMs <= 1e13))
        return 'the expiry is not a number of milliseconds';
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
      return problemWithValue('the output', decision.output) ?? problemWithOutcome(decision.outcome);
    case 'fail':
      if (decision.code !== undefined && !isText(decision.code)) return 'the code is not text';
      return isText(decision.reason) ? undefined : 'fail gives no usable reason';
    default:
      return `"${textOf((decision as { kind?: unknown }).kind)}" is not a kind of decision`;
  }
}

function problemWithOutcome(outcome: Finish['outcome']): string | undefined {
  if (outcome === undefined) return undefined;
  const { is, because } = outcome;
  const known = is === 'checked' || is === 'partial' || is === 'unproven';
  return known && Array.isArray(because) && because.every(isText) ? undefined : 'the outcome is not one';
}

function problemWithOutput({ output }: Transition): string | undefined {
  if (output === undefined) return undefined;
  if (output === null || typeof output !== 'object') return 'the output of the transition is not one';
  if ('evidence' in output)
    return Number.isInteger(output.evidence) && output.evidence >= -1
      ? undefined
      : 'the output of the transition names no evidence';
  return problemWithValue('the output of the transition', output.value);
}

function problemWithRemedy({ remedy }: Transition): string | undefined {
  if (remedy === undefined) return undefined;
  if (remedy === null || typeof remedy !== 'object') return 'the remedy is not one';
  if (remedy.kind === 'retry')
    return Number.isInteger(remedy.attempt) && remedy.attempt > 0 ? undefined : 'a retry has no number';
  return remedy.kind === 'branch' || remedy.kind === 'substitute' ? undefined : 'the remedy is not one';
}

/** The reason why amounts cannot be charged, or undefined. */
export function problemWithSpend(spend: unknown): string | undefined {
  if (spend === null || typeof spend !== 'object') return 'the spend is not a set of amounts';
  for (const [name, amount] of Object.entries(spend)) {
    if (!(BUDGET_NAMES as readonly string[]).includes(name)) return `"${name}" is not a budget`;
    if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0)
      return `the spend of ${name} is not an amount`;
  }
  return undefined;
}

/** The cost that an answer reports, if it is valid. */
export function spendOfAnswer(answer: unknown): Spend | undefined {
  try {
    const spend = (answer as { model?: { spend?: Spend } } | null)?.model?.spend;
    return spend !== undefined && problemWithSpend(spend) === undefined ? { ...spend } : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && value.isWellFormed();
}

function problemWithValue(what: string, value: Json): string | undefined {
  const size = sizeUpTo(value, MAX_VALUE_LENGTH, 0);
  if (Number.isNaN(size)) return `${what} is not plain JSON`;
  return size >= MAX_VALUE_LENGTH ? `${what} is larger than ${MAX_VALUE_LENGTH} characters` : undefined;
}

/** A rough size in characters; stops counting at `max`. NaN for values that are not JSON. */
function sizeUpTo(value: unknown, max: number, depth: number): number {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value.length : Number.NaN;
    case 'number':
      return Number.isFinite(value) ? 8 : Number.NaN;
    case 'boolean':
      return 8;
    case 'object':
      return value === null ? 8 : sizeOfMembers(value, max, depth);
    default:
      return Number.NaN;
  }
}

function sizeOfMembers(value: object, max: number, depth: number): number {
  const isList = Array.isArray(value);
  const prototype = Object.getPrototypeOf(value);
  if (depth > MAX_DEPTH || (!isList && prototype !== Object.prototype && prototype !== null))
    return Number.NaN;
  let size = 2;
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined && !isList) continue;
    size += key.length + 3 + sizeUpTo(member, max - size, depth + 1);
    if (!(size < max)) return size;
  }
  return size;
}
