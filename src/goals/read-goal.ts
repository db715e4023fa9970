// Owns: what a goal can mean. Every word has a place in each reading.
import { fileAction, fileQuery } from './grammar/files.ts';
import { tableQuery } from './grammar/tables.ts';
import type { Goal } from './meaning.ts';
import { inOrder, map, maybe, oneOf, readAll, type Rule, rule, said } from './parser.ts';
import { Words } from './words.ts';

const goal: Rule<Goal> = rule(() =>
  oneOf<Goal>(
    map(oneOf(fileQuery, tableQuery), (answer) => ({ answer })),
    map(fileAction, (change) => ({ change })),
  ),
);

const POLITE = maybe(said('please|, please|thanks|, thanks'));
const whole = map(inOrder(goal, POLITE), ([found]) => found);

export interface Reading {
  readonly meanings: readonly Goal[];
  /** The first word that no reading explains. */
  readonly stuckAt?: string;
}

export function readGoal(text: string): Reading {
  const words = new Words(text);
  const meanings = readAll(whole, words);
  const stuck = words.stuckAt;
  return { meanings, ...(meanings.length > 0 || stuck === undefined ? {} : { stuckAt: stuck.said }) };
}
