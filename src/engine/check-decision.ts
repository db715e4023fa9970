import { type Json, textOf } from '../kernel/index.ts';
import type { Decision } from './types.ts';

const LONGEST_RATIONALE = 20_000;
const LARGEST_VALUE = 1_000_000;

/** Why an answer of a planner cannot be used, or undefined. Planners are bounded, whoever writes them. */
export function problemWithDecision(decision: Decision): string | undefined {
  if (decision === null || typeof decision !== 'object') return 'the answer is not a decision';
  if (typeof decision.rationale !== 'string') return 'the decision has no rationale';
  if (decision.rationale.length > LONGEST_RATIONALE)
    return `the rationale is longer than ${LONGEST_RATIONALE} characters`;
  switch (decision.kind) {
    case 'call_tool':
      if (typeof decision.tool !== 'string') return 'call_tool names no tool';
      if (decision.then !== undefined && typeof decision.then !== 'string')
        return '"then" is not the name of a state';
      return tooLarge('the input', decision.input);
    case 'transition':
      return typeof decision.to === 'string' ? undefined : 'transition names no state';
    case 'ask_human':
      if (typeof decision.question !== 'string' || decision.question.length > LONGEST_RATIONALE)
        return 'ask_human has no usable question';
      if (decision.options !== undefined && decision.options.length === 0)
        return 'ask_human offers an empty list of options';
      return undefined;
    case 'finish':
      return tooLarge('the output', decision.output);
    case 'fail':
      return typeof decision.reason === 'string' ? undefined : 'fail gives no reason';
    default:
      return `"${textOf((decision as { kind?: unknown }).kind)}" is not a kind of decision`;
  }
}

function tooLarge(what: string, value: Json): string | undefined {
  if (value === undefined) return `${what} is missing`;
  return sizeUpTo(value, LARGEST_VALUE) >= LARGEST_VALUE
    ? `${what} is larger than ${LARGEST_VALUE} characters`
    : undefined;
}

/** A rough size in characters; stops counting at `most`. */
function sizeUpTo(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 8;
  let size = 2;
  for (const key in value) {
    size += key.length + 3 + sizeUpTo((value as Record<string, unknown>)[key], most - size);
    if (size >= most) return most;
  }
  return size;
}
