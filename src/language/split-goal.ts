import { isValue, readTokens, wordOf } from './read-goal.ts';
import type { Token } from './types.ts';
import { isPolite, LEADING, SEQUENCE } from './vocabulary.ts';

/** A part of a goal that may be a step of its own. */
export interface GoalPiece {
  readonly text: string;
  /** Where it starts and ends in the goal. */
  readonly start: number;
  readonly end: number;
  /** The piece as a step of its own: "b.md" of "read a.md and b.md" is "read b.md". */
  readonly step: string;
}

const MAX_GOAL_LENGTH = 4_000;
const MAX_PIECES = 20;

/** Splits a goal into sequential stages, and each stage at "and" and commas. Quoted texts stay whole. */
export function splitGoal(goal: string): readonly (readonly GoalPiece[])[] {
  const whole = [[{ text: goal, start: 0, end: goal.length, step: goal }]];
  if (goal.length > MAX_GOAL_LENGTH) return whole;
  const ends = (token: Token): boolean => token.kind === 'stop' || SEQUENCE.has(wordOf(token));
  const stages = splitTokens(readTokens(goal), ends)
    .map(withoutLeading)
    .filter((stage) => !stage.every((token) => token.kind === 'comma' || isPolite(wordOf(token))))
    .map((stage) => toPieces(goal, stage));
  const count = stages.reduce((sum, pieces) => sum + pieces.length, 0);
  return stages.length === 0 || count > MAX_PIECES ? whole : stages;
}

/** Whether a goal has several stages. */
export function saysSeveral(goal: string): boolean {
  return splitGoal(goal).length > 1;
}

/** The tokens of a step without words such as "then" and "first" before it. */
export function withoutLeading(tokens: readonly Token[]): readonly Token[] {
  const first = tokens.findIndex((token) => token.kind !== 'comma' && !LEADING.has(wordOf(token)));
  return first < 0 ? [] : tokens.slice(first);
}

/** True for a token that joins the members of a list. */
export function isJoint(token: Token): boolean {
  return token.kind === 'comma' || wordOf(token) === 'and';
}

function toPieces(goal: string, stage: readonly Token[]): GoalPiece[] {
  const joins = (token: Token): boolean => isJoint(token) || wordOf(token) === 'also';
  let list = '';
  return splitTokens(stage, joins).map((tokens) => {
    const { start } = tokens[0] as Token;
    const { end } = tokens.at(-1) as Token;
    const text = goal.slice(start, end);
    const first = tokens.findIndex(isValue);
    if (first === 0 && tokens.length === 1) return { text, start, end, step: list + text };
    list = first === tokens.length - 1 ? goal.slice(start, tokens[first]?.start) : '';
    return { text, start, end, step: text };
  });
}

/** The tokens between separators, without empty groups. */
export function splitTokens(tokens: readonly Token[], separates: (token: Token) => boolean): Token[][] {
  const found: Token[][] = [[]];
  for (const token of tokens) {
    if (separates(token)) found.push([]);
    else found.at(-1)?.push(token);
  }
  return found.filter((group) => group.length > 0);
}
