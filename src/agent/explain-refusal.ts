import type { ToolFace } from '../engine/index.ts';
import { type Goal, type GoalPart, isFiller } from '../language/index.ts';
import { stem, tokenise } from '../retrieval/index.ts';
import { readTool } from './certain-tool.ts';
import { GENERAL_WORDS } from './procedures/read-task.ts';
import type { Procedure } from './types.ts';

const MAX_NEAREST = 3;
/** Longer goals are no known goal with one word more. */
const MAX_TRIED_WORDS = 15;
const GENERAL: ReadonlySet<string> = new Set(tokenise(`${GENERAL_WORDS} file folder name`));
const FURTHER = 'Everything it can do: oka do "what can you do?". For other goals add a model: oka model add';

/** Why a goal is not done: how far it was understood, what is near, and how to add a model. */
export function explainRefusal(
  goal: Goal,
  procedures: readonly Procedure[],
  tools: readonly ToolFace[],
  isKnown: (goal: Goal) => boolean,
): string {
  if (goal.text.trim() === '')
    return `The goal is empty. For example, Oka understands: read README.md. ${FURTHER}`;
  const near = nearProcedures(goal, procedures).map(({ example }) => example);
  const examples = near.length > 0 ? [`Near it, Oka understands: ${near.join('; ')}.`] : [];
  return [
    `The goal "${goal.text}" was not understood.`,
    ...howFar(goal, tools, isKnown),
    ...examples,
    FURTHER,
  ].join(' ');
}

function howFar(goal: Goal, tools: readonly ToolFace[], isKnown: (goal: Goal) => boolean): string[] {
  const extra = extraWord(goal, isKnown);
  if (extra) return [`It would be understood without the word "${extra.said ?? extra.text}".`];
  const reading = readTool(goal, tools);
  if (!reading || !('doubtful' in reading)) return [];
  const words = reading.doubtful.map((word) => `"${word}"`).join(', ');
  return [`Oka knows "${goal.verb ?? ''}", but not what to do here with: ${words}.`];
}

/** The one word without which the goal is a known one. */
function extraWord(goal: Goal, isKnown: (goal: Goal) => boolean): GoalPart | undefined {
  const words = goal.parts.filter((part) => part.kind === 'word' && !isFiller(part));
  if (words.length > MAX_TRIED_WORDS || words.length < 2) return undefined;
  const extra = words.filter((word) => {
    if (word.text.toLowerCase() === goal.verb) return false;
    const parts = goal.parts.filter((part) => part !== word);
    const text = goal.text
      .replace(word.said ?? word.text, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return isKnown({ ...goal, text, parts });
  });
  return extra.length === 1 ? extra[0] : undefined;
}

/** The procedures that share a word of their own with the goal; the one with most such words first. */
function nearProcedures(goal: Goal, procedures: readonly Procedure[]): Procedure[] {
  const said = new Set(
    goal.parts
      .filter((part) => part.kind === 'word' && !isFiller(part))
      .map(({ text }) => stem(text.toLowerCase())),
  );
  const shared = (procedure: Procedure): number =>
    ownWords(procedure).filter((word) => said.has(word)).length;
  return procedures
    .map((procedure) => ({ procedure, count: shared(procedure) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_NEAREST)
    .map(({ procedure }) => procedure);
}

function ownWords({ name, triggers }: Procedure): string[] {
  return [...new Set(tokenise([name, ...triggers].join(' ')))].filter((word) => !GENERAL.has(word));
}
