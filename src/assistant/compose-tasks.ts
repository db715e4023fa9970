// Owns: planning without a model. A goal is split into tasks only if every piece is understood; otherwise it stays whole.
// I1 A pure function of the goal, the tools and the recalled procedures, so that a replay composes the same tasks.
import { deterministicPlanner } from '../agent/index.ts';
import type { ToolFace } from '../engine/index.ts';
import { type GoalPiece, readGoal, saysSeveral, splitGoal } from '../language/index.ts';
import { type Criterion, criterionSchema } from './criterion.ts';
import { type KnownProcedure, type ProcedureStep, recalledProcedures } from './known-procedures.ts';
import type { PlanWithoutModel } from './ports.ts';
import type { Task, TaskGraph } from './task-graph.ts';

const MAX_GOAL_LENGTH = 2_000;
const MAX_TITLE_LENGTH = 500;
const MAX_TASKS = 20;
const MAX_CRITERIA = 10;
const REFERRING = /^(?:it|its|them|they|their|those|these|this|that|one|ones|both|each|all|result|results)$/i;
const ORIGINS = ['file', 'promoted'];

const planner = deterministicPlanner();
type Understanding = ReturnType<typeof planner.understand>;
type Understood = Exclude<Understanding, { readonly by: 'nothing' }>;

/** A part of a goal that is understood on its own. */
interface Piece {
  readonly text: string;
  readonly known: Understood;
}

/**
 * Plans a goal without a model: by a written or learned procedure, else as pieces that built-in procedures and tools
 * understand, else whole. Returns the reason if none of these works.
 */
export const composeTasks: PlanWithoutModel = ({ goal, evidence, tools }) => {
  const known = meantProcedure(goal, recalledProcedures(evidence));
  if (known !== undefined) return fromSteps(goal, known);
  const stages = understoodStages(goal, tools);
  if (stages !== undefined) return fromStages(goal, stages);
  const whole = planner.understand(goal, tools);
  if (whole.by === 'nothing') return { unknown: whole.why + notUnderstoodParts(goal, tools) };
  if (isHalfUnderstood(goal, whole, tools)) return { unknown: halfUnderstood(goal, tools) };
  return goal.length > MAX_TITLE_LENGTH ? undefined : fromStages(goal, [[{ text: goal, known: whole }]]);
};

/** The procedure that matches a goal: written ones before learned ones. */
function meantProcedure(goal: string, known: readonly KnownProcedure[]): KnownProcedure | undefined {
  return known
    .filter((procedure) => matchesGoal(procedure, goal))
    .sort((a, b) => ORIGINS.indexOf(a.origin) - ORIGINS.indexOf(b.origin))[0];
}

/** Whether the calls of a learned procedure alone reach the goal, which needs no child runs. */
export function isDoneByCalls(goal: string, known: readonly KnownProcedure[]): boolean {
  const meant = meantProcedure(goal, known);
  return meant?.origin === 'promoted' && meant.steps.every(({ tool }) => tool !== undefined);
}

/** Whether planning without a model helps: a known procedure matches, or at least some pieces of the goal are understood. */
export function benefitsFromPlanning(
  goal: string,
  tools: readonly ToolFace[],
  known: readonly KnownProcedure[] = [],
): boolean {
  if (known.some((procedure) => matchesGoal(procedure, goal))) return true;
  if (understoodStages(goal, tools) !== undefined) return true;
  const whole = planner.understand(goal, tools);
  if (whole.by === 'nothing') return notUnderstoodParts(goal, tools) !== '';
  return isHalfUnderstood(goal, whole, tools);
}

/** Whether a tool matches only part of a goal that names several things. */
function isHalfUnderstood(goal: string, { by }: Understood, tools: readonly ToolFace[]): boolean {
  return by === 'tool' && saysSeveral(goal) && notUnderstoodParts(goal, tools) !== '';
}

function halfUnderstood(goal: string, tools: readonly ToolFace[]): string {
  return `Only part of the goal "${goal}" was understood.${notUnderstoodParts(goal, tools)} Remove these parts, rephrase them for a procedure or tool (see: oka tools list), or add a model: oka model add`;
}

/** A phrase must match. Words alone suffice only for procedures without phrases. */
function matchesGoal({ origin, trigger, steps }: KnownProcedure, goal: string): boolean {
  if (!ORIGINS.includes(origin) || steps.length === 0 || steps.length > MAX_TASKS) return false;
  if (trigger.phrases.some((phrase) => planner.fits(phrase, goal))) return true;
  return (
    trigger.phrases.length === 0 && trigger.words.length > 0 && planner.fits(trigger.words.join(' '), goal)
  );
}

function fromSteps(goal: string, { name, steps }: KnownProcedure): TaskGraph {
  const tasks: Task[] = [];
  for (const step of steps) {
    const before = tasks.at(-1);
    tasks.push({
      id: newTaskId(`${name}-${tasks.length + 1}`, tasks),
      title: step.title.trim().slice(0, MAX_TITLE_LENGTH),
      depends_on: before === undefined ? [] : [before.id],
      acceptance: criteriaOf(step),
      ...(step.tool === undefined ? {} : { call: { tool: step.tool, input: (step.input ?? {}) as never } }),
    });
  }
  return { goal: goal.slice(0, MAX_GOAL_LENGTH).toWellFormed(), tasks };
}

function criteriaOf({ acceptance = [] }: ProcedureStep): Criterion[] {
  const read = acceptance.flatMap((one) => criterionSchema.safeParse(one).data ?? []);
  return read.length === 0 ? [{ task_completed: true }] : read.slice(0, MAX_CRITERIA);
}

/** The pieces of each stage; undefined if there is only one piece or a piece is not understood. */
function understoodStages(
  goal: string,
  tools: readonly ToolFace[],
): readonly (readonly Piece[])[] | undefined {
  const split = splitGoal(goal);
  if (split.length === 1 && split[0]?.length === 1) return undefined;
  // A procedure that matches every word of the goal wins over splitting at "and".
  if (planner.understand(goal, tools, 'procedure').by === 'procedure') return undefined;
  const stages: (readonly Piece[])[] = [];
  for (const stage of split) {
    const pieces = understoodPieces(goal, stage, tools);
    if (pieces === undefined) return undefined;
    stages.push(pieces);
  }
  const count = stages.flat().length;
  return count > 1 && count <= MAX_TASKS ? stages : undefined;
}

/** The smallest number of understood pieces. Joined pieces need a procedure; a single piece may be a tool. */
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
  if (text.trim() === '' || text.length > MAX_TITLE_LENGTH) return undefined;
  const known = planner.understand(text, tools, joined ? 'procedure' : undefined);
  if (known.by === 'nothing' || known.missing.length > 0) return undefined;
  if (known.by === 'tool' && !isExplicit(text, known)) return undefined;
  return { text: text.trim(), known };
}

/** Whether the text refers to no other part, and names what it would change. */
function isExplicit(text: string, { effects }: Understood): boolean {
  const { parts } = readGoal(text);
  if (parts.some(({ kind, text: word }) => kind === 'word' && REFERRING.test(word))) return false;
  return !effects || parts.some(({ kind }) => kind !== 'word');
}

/** Stages run in sequence. Within a stage, pieces with effects keep their order; read-only pieces run in parallel. */
function fromStages(goal: string, stages: readonly (readonly Piece[])[]): TaskGraph {
  const tasks: Task[] = [];
  let before: readonly string[] = [];
  let parallel: string[] = [];
  const close = (): void => {
    if (parallel.length > 0) before = parallel;
    parallel = [];
  };
  for (const stage of stages) {
    for (const { text, known } of stage) {
      if (known.effects) close();
      const id = newTaskId(known.name, tasks);
      tasks.push({ id, title: text, depends_on: [...before], acceptance: acceptanceOf(known) });
      parallel.push(id);
      if (known.effects) close();
    }
    close();
  }
  return { goal: goal.slice(0, MAX_GOAL_LENGTH).toWellFormed(), tasks };
}

function acceptanceOf({ acceptance }: Understood): Criterion[] {
  return acceptance.length === 0 ? [{ task_completed: true }] : ([...acceptance] as Criterion[]);
}

/** Names the pieces of a goal that are not understood, if some are. */
function notUnderstoodParts(goal: string, tools: readonly ToolFace[]): string {
  const pieces = splitGoal(goal).flat();
  if (pieces.length < 2 || pieces.length > MAX_TASKS) return '';
  const unknown = pieces.filter(({ step }) => pieceOf(step, false, tools) === undefined);
  if (unknown.length === pieces.length) return '';
  return ` These parts are not understood: ${unknown.map(({ text }) => `"${text.trim()}"`).join(', ')}.`;
}

/** A short id that is unique among the tasks. */
function newTaskId(name: string, tasks: readonly Task[]): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['task'];
  const short = words.join('-').slice(0, 36);
  let id = short;
  for (let n = 2; tasks.some((task) => task.id === id); n++) id = `${short}-${n}`;
  return id;
}
