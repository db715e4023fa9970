// Owns: planning without a model. A goal becomes tasks only where every piece of it is surely understood; else it stays whole.
// I1 A pure function of the goal, the tools and what was recalled, so that a replay composes the same tasks.
import { deterministicPlanner } from '../agent/index.ts';
import type { ToolFace } from '../engine/index.ts';
import { type GoalPiece, readGoal, saysSeveral, splitGoal } from '../language/index.ts';
import { type Criterion, criterionSchema } from './criterion.ts';
import { type KnownProcedure, type ProcedureStep, recalledProcedures } from './known-procedures.ts';
import type { PlanWithoutModel } from './ports.ts';
import type { Task, TaskGraph } from './task-graph.ts';

const LONGEST_GOAL = 2_000;
const LONGEST_TITLE = 500;
const MOST_TASKS = 20;
const MOST_CRITERIA = 10;
const REFERRING = /^(?:it|its|them|they|their|those|these|this|that|one|ones|both|each|all|result|results)$/i;
const ORIGINS = ['file', 'promoted'];

const planner = deterministicPlanner();
type Understanding = ReturnType<typeof planner.understand>;
type Understood = Exclude<Understanding, { readonly by: 'nothing' }>;

/** A part of a goal that is understood by itself. */
interface Piece {
  readonly text: string;
  readonly known: Understood;
}

/**
 * Plans a goal without a model: by a procedure that people wrote or that was learned, else as the pieces that built-in
 * procedures and tools understand, else whole. Says why when nothing of this can be done.
 */
export const composeTasks: PlanWithoutModel = ({ goal, evidence, tools }) => {
  const known = meantProcedure(goal, recalledProcedures(evidence));
  if (known !== undefined) return fromSteps(goal, known);
  const stages = understoodStages(goal, tools);
  if (stages !== undefined) return fromStages(goal, stages);
  const whole = planner.understand(goal, tools);
  if (whole.by === 'nothing') return { unknown: whole.why + notUnderstoodParts(goal, tools) };
  if (isHalfUnderstood(goal, whole, tools)) return { unknown: halfUnderstood(goal, tools) };
  return goal.length > LONGEST_TITLE ? undefined : fromStages(goal, [[{ text: goal, known: whole }]]);
};

/** The procedure that a goal means: people's own before what was learned. */
function meantProcedure(goal: string, known: readonly KnownProcedure[]): KnownProcedure | undefined {
  return known
    .filter((procedure) => isMeant(procedure, goal))
    .sort((a, b) => ORIGINS.indexOf(a.origin) - ORIGINS.indexOf(b.origin))[0];
}

/** Whether a goal is reached by the calls of a learned procedure alone, which needs no child runs. */
export function isDoneByCalls(goal: string, known: readonly KnownProcedure[]): boolean {
  const meant = meantProcedure(goal, known);
  return meant?.origin === 'promoted' && meant.steps.every(({ tool }) => tool !== undefined);
}

/**
 * Whether planning without a model gains something: one of the known procedures is meant, or the goal falls into pieces that
 * are understood, or only some of them are, which is then said.
 */
export function gainsByPlanning(
  goal: string,
  tools: readonly ToolFace[],
  known: readonly KnownProcedure[] = [],
): boolean {
  if (known.some((procedure) => isMeant(procedure, goal))) return true;
  if (understoodStages(goal, tools) !== undefined) return true;
  const whole = planner.understand(goal, tools);
  if (whole.by === 'nothing') return notUnderstoodParts(goal, tools) !== '';
  return isHalfUnderstood(goal, whole, tools);
}

/** A tool would take the goal for its own words alone, while the goal says that there is more, which nothing understands. */
function isHalfUnderstood(goal: string, { by }: Understood, tools: readonly ToolFace[]): boolean {
  return by === 'tool' && saysSeveral(goal) && notUnderstoodParts(goal, tools) !== '';
}

function halfUnderstood(goal: string, tools: readonly ToolFace[]): string {
  return `not all of the goal "${goal}" was understood.${notUnderstoodParts(goal, tools)} Leave them out, say them as a procedure or a tool is asked for (see: oka tools list), or give it a model: oka init --model <provider>/<model>.`;
}

/** Its verb and words have to be there; the words alone are enough only where no phrase is given. */
function isMeant({ origin, trigger, steps }: KnownProcedure, goal: string): boolean {
  if (!ORIGINS.includes(origin) || steps.length === 0 || steps.length > MOST_TASKS) return false;
  if (trigger.phrases.some((phrase) => planner.fits(phrase, goal))) return true;
  return (
    trigger.phrases.length === 0 && trigger.words.length > 0 && planner.fits(trigger.words.join(' '), goal)
  );
}

function fromSteps(goal: string, { name, steps }: KnownProcedure): TaskGraph {
  const ids = new TaskIds();
  const tasks: Task[] = [];
  for (const step of steps) {
    const before = tasks.at(-1);
    tasks.push({
      id: ids.next(`${name}-${tasks.length + 1}`),
      title: step.title.trim().slice(0, LONGEST_TITLE),
      depends_on: before === undefined ? [] : [before.id],
      acceptance: criteriaOf(step),
      ...(step.tool === undefined ? {} : { call: { tool: step.tool, input: (step.input ?? {}) as never } }),
    });
  }
  return { goal: goal.slice(0, LONGEST_GOAL).toWellFormed(), tasks };
}

function criteriaOf({ acceptance = [] }: ProcedureStep): Criterion[] {
  const read = acceptance.flatMap((one) => {
    const parsed = criterionSchema.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
  return read.length === 0 ? [{ task_completed: true }] : read.slice(0, MOST_CRITERIA);
}

/** The pieces of each stage; undefined when there is only one, or one is not understood. */
function understoodStages(
  goal: string,
  tools: readonly ToolFace[],
): readonly (readonly Piece[])[] | undefined {
  const split = splitGoal(goal);
  if (split.length === 1 && split[0]?.length === 1) return undefined;
  // A procedure that knows every word of the goal is meant, whatever "and" stands in it.
  if (planner.understand(goal, tools, 'procedure').by === 'procedure') return undefined;
  const stages: (readonly Piece[])[] = [];
  for (const stage of split) {
    const pieces = understoodPieces(goal, stage, tools);
    if (pieces === undefined) return undefined;
    stages.push(pieces);
  }
  const count = stages.flat().length;
  return count > 1 && count <= MOST_TASKS ? stages : undefined;
}

/** The fewest pieces that are each understood: several joined ones by a procedure, a single one also by a tool. */
function understoodPieces(
  goal: string,
  pieces: readonly GoalPiece[],
  tools: readonly ToolFace[],
): readonly Piece[] | undefined {
  const best: (readonly Piece[] | undefined)[] = [[]];
  for (let end = 1; end <= pieces.length; end++) {
    for (let start = 0; start < end; start++) {
      const before = best[start];
      if (before === undefined || (best[end]?.length ?? Number.POSITIVE_INFINITY) <= before.length + 1)
        continue;
      const joined = end - start > 1;
      const text = joined ? goal.slice(pieces[start]?.start, pieces[end - 1]?.end) : pieces[start]?.step;
      const piece = pieceOf(text ?? '', joined, tools);
      if (piece !== undefined) best[end] = [...before, piece];
    }
  }
  return best[pieces.length];
}

function pieceOf(text: string, joined: boolean, tools: readonly ToolFace[]): Piece | undefined {
  if (text.trim() === '' || text.length > LONGEST_TITLE) return undefined;
  const known = planner.understand(text, tools, joined ? 'procedure' : undefined);
  if (known.by === 'nothing' || known.missing.length > 0) return undefined;
  if (known.by === 'tool' && !isExplicit(text, known)) return undefined;
  return { text: text.trim(), known };
}

/** It speaks of nothing that only another part names; and what it would change is given by its name. */
function isExplicit(text: string, { effects }: Understood): boolean {
  const { parts } = readGoal(text);
  if (parts.some(({ kind, text: word }) => kind === 'word' && REFERRING.test(word))) return false;
  return !effects || parts.some(({ kind }) => kind !== 'word');
}

/** A stage waits for the one before. Within it, what changes something keeps its place; what only looks goes side by side. */
function fromStages(goal: string, stages: readonly (readonly Piece[])[]): TaskGraph {
  const ids = new TaskIds();
  const tasks: Task[] = [];
  let before: readonly string[] = [];
  let beside: string[] = [];
  const close = (): void => {
    if (beside.length > 0) before = beside;
    beside = [];
  };
  for (const stage of stages) {
    for (const { text, known } of stage) {
      if (known.effects) close();
      const id = ids.next(known.name);
      tasks.push({ id, title: text, depends_on: [...before], acceptance: acceptanceOf(known) });
      beside.push(id);
      if (known.effects) close();
    }
    close();
  }
  return { goal: goal.slice(0, LONGEST_GOAL).toWellFormed(), tasks };
}

function acceptanceOf({ acceptance }: Understood): Criterion[] {
  return acceptance.length === 0 ? [{ task_completed: true }] : ([...acceptance] as Criterion[]);
}

/** Which pieces of a goal would be understood and which are not, where it has several. */
function notUnderstoodParts(goal: string, tools: readonly ToolFace[]): string {
  const pieces = splitGoal(goal).flat();
  if (pieces.length < 2 || pieces.length > MOST_TASKS) return '';
  const strange = pieces.filter(({ step }) => pieceOf(step, false, tools) === undefined);
  if (strange.length === pieces.length) return '';
  return ` Of its parts these are not understood: ${strange.map(({ text }) => `"${text.trim()}"`).join(', ')}.`;
}

/** Gives every task a short name of its own. */
class TaskIds {
  readonly #used = new Set<string>();

  next(name: string): string {
    const short =
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-+|-+$/g, '')
        .slice(0, 36) || 'task';
    let id = short;
    for (let n = 2; this.#used.has(id); n++) id = `${short}-${n}`;
    this.#used.add(id);
    return id;
  }
}
