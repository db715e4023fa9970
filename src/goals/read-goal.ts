// Owns: what a goal can mean. Every word has a place in each reading.
import { fileAction, fileQuery } from './grammar/files.ts';
import { gitAction, gitQuery } from './grammar/git.ts';
import { personalGoal } from './grammar/personal.ts';
import { tableAction, tableQuery } from './grammar/tables.ts';
import { textAction, textQuery } from './grammar/texts.ts';
import { file } from './grammar/values.ts';
import type { Goal, Query } from './meaning.ts';
import { inOrder, listOf, map, maybe, oneOf, readAll, type Rule, rule, said } from './parser.ts';
import { Words, type World } from './words.ts';

const query: Rule<Query> = rule(() => oneOf(fileQuery, tableQuery, textQuery, gitQuery));

/** Where an answer is written: "into TODOS.md", "and save it as found.md". */
const intoFile: Rule<string> = map(
  inOrder(
    oneOf(
      said('into|to|and save it to|and save it as|and write it to|and write it into|and put it in|and put them in|and save them to|and save them in|and write them to|and put it into|and save result to|and save result in|and write result to'),
    ),
    maybe(said('file|note|report|document|file called|note called')),
    file,
  ),
  ([, , path]) => path,
);

const one: Rule<Goal> = rule(() =>
  oneOf<Goal>(
    map(inOrder(query, maybe(intoFile)), ([answer, write]) => (write === undefined ? { answer } : { answer, write })),
    map(inOrder(said('write|put|save|create|make|collect|gather|export'), query, intoFile), ([, answer, write]) => ({ answer, write })),
    map(oneOf(fileAction, textAction, tableAction, gitAction), (change) => ({ change })),
    personalGoal,
  ),
);

const several: Rule<Goal> = map(
  listOf(one, 'then|and then|, then|, and then|and|, and|and after that|after that|;'),
  (steps) => (steps.length === 1 ? (steps[0] as Goal) : { steps }),
);

const POLITE = maybe(said('please|, please|thanks|, thanks'));
const whole = map(inOrder(several, POLITE), ([found]) => found);

export interface Reading {
  readonly meanings: readonly Goal[];
  /** The first word that no reading explains. */
  readonly stuckAt?: string;
}

export function readGoal(text: string, world?: World): Reading {
  const words = new Words(text, world);
  const meanings = readAll(whole, words);
  const stuck = words.stuckAt;
  return { meanings, ...(meanings.length > 0 || stuck === undefined ? {} : { stuckAt: stuck.said }) };
}
