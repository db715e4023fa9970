import { isFiller, isValue, looksLikeFile, readGoal, readTokens, tidyPath, wordOf } from './read-goal.ts';
import { splitGoal } from './split-goal.ts';
import { DETERMINERS } from './vocabulary.ts';

/** What must be there when a goal is reached. */
export interface GoalNeeds {
  /** Files that the result goes into. */
  readonly files: readonly string[];
  /** Something must have been changed. */
  readonly change: boolean;
}

/** An answer is the whole result of a goal that begins with one of these words. */
const ASKING = new Set(
  `what who where when why how which whose is are was were do does did can could should would will has have
  show list tell explain describe summarise summarize brief read print display view find search look count compare check review analyse
  analyze calculate compute estimate report answer say recall remind help hello hi hey thanks thank yes no ok okay please`.split(
    /\s+/,
  ),
);
/** … and of these, unless it names a file. */
const COMPOSING = new Set(
  'write draft compose create make generate give suggest plan propose translate think imagine invent name outline produce prepare'.split(
    ' ',
  ),
);

/** What must be there when a goal is reached, as far as its words tell. A verb that is not known asks for a change. */
export function needsOf(goal: string): GoalNeeds {
  const files: string[] = [];
  let change = false;
  for (const stage of splitGoal(goal))
    for (const [i, { step }] of stage.entries()) {
      const { verb = '', parts, target } = readGoal(step);
      if (i > 0 && !startsClause(step)) continue;
      const named = parts.filter((part) => isValue(part) && looksLikeFile(part.text));
      const isQuestion = /\?\s*$/.test(step) || ASKING.has(verb);
      if (target !== undefined && named.includes(target) && !/\?\s*$/.test(step))
        files.push(tidyPath(target.text));
      else if (!isQuestion && !(COMPOSING.has(verb) && named.length === 0)) {
        change = true;
        const [only, ...others] = named;
        if (only !== undefined && others.length === 0 && COMPOSING.has(verb)) files.push(tidyPath(only.text));
      }
    }
  return { files, change: change || files.length > 0 };
}

/** Whether a piece after "and" is a clause of its own and not another object, as in "a poem and a story". */
function startsClause(piece: string): boolean {
  const [first, ...rest] = readTokens(piece);
  if (first === undefined || isValue(first)) return false;
  return rest.length > 0 && !DETERMINERS.has(wordOf(first)) && !isFiller(first);
}
