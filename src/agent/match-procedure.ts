import type { ToolFace } from '../engine/index.ts';
import type { JsonObject } from '../kernel/index.ts';
import type { Goal } from '../language/index.ts';
import { stem, TextIndex, tokenise } from '../retrieval/index.ts';
import type { Procedure } from './types.ts';

export interface MatchedProcedure {
  readonly procedure: Procedure;
  readonly parameters: JsonObject;
  readonly trigger: string;
}

/** The procedure that a goal calls for: a trigger fits, its tools are there, and it can read the rest of the goal. */
export function matchProcedure(
  goal: Goal,
  procedures: readonly Procedure[],
  tools: readonly ToolFace[],
): MatchedProcedure | undefined {
  const words = stemsOf(goal);
  const present = new Set(tools.map((tool) => tool.name));
  const nearest = nearestProcedures(goal, procedures);
  const others = procedures.filter((procedure) => !nearest.includes(procedure));
  for (const procedure of [...nearest, ...others]) {
    if (!procedure.tools.every((tool) => present.has(tool))) continue;
    const trigger =
      procedure.triggers.find((phrase) => fits(phrase, words, goal)) ?? procedure.called?.(goal);
    const parameters = trigger === undefined ? undefined : procedure.parameters(goal);
    if (trigger !== undefined && parameters) return { procedure, parameters, trigger };
  }
  return undefined;
}

/** The procedures that speak of what the goal speaks of, best first, whether or not they are meant. */
export function nearestProcedures(goal: Goal, procedures: readonly Procedure[]): Procedure[] {
  const words = goal.parts.filter((part) => part.kind === 'word').map((part) => part.text);
  const byName = new Map(procedures.map((procedure) => [procedure.name, procedure]));
  return indexOf(procedures)
    .search(words.join(' '), procedures.length)
    .map(({ id }) => byName.get(id))
    .filter((procedure) => procedure !== undefined);
}

const indexes = new WeakMap<readonly Procedure[], TextIndex>();

/** The index of a list of procedures, made once; every step of every run looks into it. */
function indexOf(procedures: readonly Procedure[]): TextIndex {
  const known = indexes.get(procedures);
  if (known) return known;
  const index = new TextIndex({ triggers: 2 });
  for (const { name, triggers, description } of procedures)
    index.add(name, { triggers: triggers.join(' '), description });
  indexes.set(procedures, index);
  return index;
}

/** Whether a trigger calls for what it stands for in this goal. */
export function fitsTrigger(trigger: string, goal: Goal): boolean {
  return fits(trigger, stemsOf(goal), goal);
}

function stemsOf(goal: Goal): readonly string[] {
  return goal.parts.filter((part) => part.kind === 'word').map((part) => stem(part.text.toLowerCase()));
}

/** The trigger's first word is the goal's verb, and the others follow it in order. */
function fits(trigger: string, words: readonly string[], goal: Goal): boolean {
  const wanted = tokenise(trigger);
  if (goal.verb === undefined || wanted[0] !== stem(goal.verb)) return false;
  let at = words.indexOf(wanted[0]);
  return wanted.slice(1).every((word) => {
    at = words.indexOf(word, at + 1);
    return at >= 0;
  });
}
