// Owns: the order of maintenance steps, as a planner. I1 Every step is repeatable, so a killed run can be resumed. I2 A failed
// step does not stop the others; the run then fails and names it.
import {
  type Decision,
  type Evidence,
  type PlanInput,
  type RunKind,
  StateGraph,
} from '../../engine/index.ts';
import type { JsonObject } from '../../kernel/index.ts';
import type { MaintenanceErrorCode } from './ports.ts';

/** The states in order, each with its tool. */
const MAINTENANCE_STEPS = [
  { state: 'distil', tool: 'maintenance.distil', why: 'stores lasting statements of people as facts' },
  { state: 'score', tool: 'maintenance.score', why: 'scores procedures by the results of their runs' },
  { state: 'tidy', tool: 'maintenance.tidy', why: 'merges duplicate facts and erases expired ones' },
  { state: 'retain', tool: 'maintenance.retain', why: 'removes runs and episodes past their retention' },
  { state: 'derive', tool: 'maintenance.derive', why: 'regenerates the derived files' },
] as const;

type Step = (typeof MAINTENANCE_STEPS)[number];

const GRAPH = new StateGraph({
  name: 'maintenance',
  start: MAINTENANCE_STEPS[0].state,
  states: {
    ...Object.fromEntries(
      MAINTENANCE_STEPS.map(({ state, tool }, i) => [
        state,
        { to: [MAINTENANCE_STEPS[i + 1]?.state ?? 'done'], tools: { names: [tool] } },
      ]),
    ),
    done: { terminal: 'completed' },
    failed: { terminal: 'failed' },
  },
});

/** Runs that maintain memory and the derived files. The variable `after` is the position that the last one reached. */
export const maintenanceKind: RunKind = {
  name: 'maintenance',
  graph: GRAPH,
  planner: { name: 'maintenance', version: '2', deterministic: true, plan, estimate: () => ({}) },
};

function plan(input: PlanInput): Decision {
  const step = MAINTENANCE_STEPS.find(({ state }) => state === input.state) as Step;
  const tried = input.evidence.filter(({ source, tool }) => source === 'tool' && tool === step.tool);
  const last = tried.at(-1);
  const next = nextInput(step, last, input);
  if (next !== undefined) return { kind: 'call_tool', tool: step.tool, input: next, rationale: step.why };
  const following = MAINTENANCE_STEPS[MAINTENANCE_STEPS.indexOf(step) + 1];
  if (following === undefined) return conclude(input.evidence);
  const rationale = last?.failure === undefined ? 'done' : `it failed: ${last.failure.message}`;
  return { kind: 'transition', to: following.state, rationale };
}

/** The next input of the step's tool; undefined when the step is finished. */
function nextInput(step: Step, last: Evidence | undefined, input: PlanInput): JsonObject | undefined {
  if (last?.failure !== undefined) return undefined;
  if (step.state === 'distil') {
    const { after } = input.vars;
    if (last === undefined) return { after: typeof after === 'number' ? after : 0 };
    const { through, more } = last.output as { through: number; more: boolean };
    return more && (input.budgets.tool_calls ?? Number.POSITIVE_INFINITY) > MAINTENANCE_STEPS.length
      ? { after: through }
      : undefined;
  }
  if (last !== undefined) return undefined;
  return step.state === 'derive' ? { through: reached(input) } : {};
}

/** The position up to which every step succeeded; null after a failure, so that the next run starts where this one did. */
function reached({ evidence }: Pick<PlanInput, 'evidence'>): number | null {
  if (evidence.some(({ failure }) => failure !== undefined)) return null;
  const last = evidence.findLast(({ tool }) => tool === 'maintenance.distil');
  return (last?.output as { through: number } | undefined)?.through ?? null;
}

function conclude(evidence: readonly Evidence[]): Decision {
  const failed = evidence.filter(({ failure }) => failure !== undefined);
  const [first] = failed;
  if (first === undefined)
    return { kind: 'finish', output: sumUp(evidence), rationale: 'every step is done' };
  const code: MaintenanceErrorCode = 'maintenance.incomplete';
  const names = failed.map(({ tool }) => tool).join(', ');
  const reason = `${names} failed: ${first.failure?.message ?? 'no reason was given.'} Fix that and run: oka maintain. Finished steps are kept.`;
  return { kind: 'fail', code, reason, rationale: 'not every step could be done' };
}

/** One report of all steps; batches are summed. */
function sumUp(evidence: readonly Evidence[]): JsonObject {
  const outputs = (tool: string): readonly JsonObject[] =>
    evidence.filter((fact) => fact.tool === tool).map(({ output }) => (output ?? {}) as JsonObject);
  const total = (name: string): number =>
    outputs('maintenance.distil').reduce((sum, output) => sum + Number(output[name] ?? 0), 0);
  return {
    distilled: { added: total('added'), forgotten: total('forgotten') },
    procedures: outputs('maintenance.score').at(-1) ?? {},
    facts: outputs('maintenance.tidy').at(-1) ?? {},
    retention: outputs('maintenance.retain').at(-1) ?? {},
    files: outputs('maintenance.derive').at(-1) ?? {},
  };
}
