// Owns: the order of maintenance, as a planner of the engine. I1 Every step may be done again, so a run that was killed goes
// on where it was. I2 A step that fails does not keep the others from being done; the run then fails and says which.
import {
  type Decision,
  type Evidence,
  type PlanInput,
  type RunKind,
  StateGraph,
} from '../../engine/index.ts';
import type { JsonObject } from '../../kernel/index.ts';
import type { MaintenanceErrorCode } from './types.ts';

/** The states in order, each with the tool that does its work. */
const MAINTENANCE_STEPS = [
  { state: 'distil', tool: 'maintenance.distil', why: 'what people have said since is looked at' },
  { state: 'score', tool: 'maintenance.score', why: 'procedures are measured by what became of their runs' },
  { state: 'tidy', tool: 'maintenance.tidy', why: 'doubles are joined and what has expired is erased' },
  { state: 'retain', tool: 'maintenance.retain', why: 'runs and episodes past their retention are removed' },
  { state: 'derive', tool: 'maintenance.derive', why: 'the files that people read follow the ledger' },
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

/** Runs that look after memory and the derived files. The variable `after` says how far the last one came. */
export const maintenanceKind: RunKind = {
  name: 'maintenance',
  graph: GRAPH,
  planner: { name: 'maintenance', version: '2', deterministic: true, plan },
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

/** What the step's tool is called with next; undefined when there is no more to do in this state. */
function nextInput(step: Step, last: Evidence | undefined, input: PlanInput): JsonObject | undefined {
  if (last?.failure !== undefined) return undefined;
  if (step.state === 'distil') {
    if (last === undefined) return { after: startOf(input) };
    const { through, more } = last.output as { through: number; more: boolean };
    return more && (input.budgets.tool_calls ?? Number.POSITIVE_INFINITY) > MAINTENANCE_STEPS.length
      ? { after: through }
      : undefined;
  }
  if (last !== undefined) return undefined;
  return step.state === 'derive' ? { through: reached(input) } : {};
}

function startOf({ vars }: Pick<PlanInput, 'vars'>): number {
  return typeof vars['after'] === 'number' ? vars['after'] : 0;
}

/** How far everything was done; null when something failed, so that the next run begins where this one did. */
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
  const reason = `${names} could not be done: ${first.failure?.message ?? 'no reason was given.'} Run oka maintain when that is mended; what was done stays.`;
  return { kind: 'fail', code, reason, rationale: 'not every step could be done' };
}

/** One report of all steps; what was done in several batches is added up. */
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
