import { type Decision, type PlanInput, type RunKind, StateGraph } from '../engine/index.ts';
import { failWith } from './findings.ts';

const CALL_GRAPH = new StateGraph({
  name: 'call',
  start: 'call',
  states: {
    call: { to: ['done'], tools: { sideEffects: ['read', 'write_local', 'external_mutation'] } },
    done: { terminal: 'completed' },
    failed: { terminal: 'failed' },
  },
});

/** Runs that call one tool: `vars.tool` with `vars.input`. */
export const callKind: RunKind = {
  name: 'call',
  graph: CALL_GRAPH,
  planner: { name: 'call', version: '1', deterministic: true, plan: planCall, estimate: () => ({}) },
};

function planCall({ vars, evidence }: PlanInput): Decision {
  const made = evidence.findLast(({ source }) => source === 'tool');
  if (made === undefined) {
    const rationale = 'the run is this one call';
    return { kind: 'call_tool', tool: String(vars['tool']), input: vars['input'] ?? {}, rationale };
  }
  if (made.failure !== undefined) return failWith(made);
  return { kind: 'finish', output: made.output ?? null, rationale: 'the call succeeded' };
}
