// Owns: the verdict on a call: policy, untrusted content, and states that need approval. Does not own: approvals and grants.
import type { Json } from '../../kernel/index.ts';
import type { DecisionContext } from '../middleware.ts';
import type { Policy, PolicyRequest, PolicyVerdict } from '../ports.ts';
import { agentOf, type RunState } from '../run-state.ts';
import type { StateGraph } from '../state-graph.ts';
import { RISKS, type ToolFace } from '../tool.ts';

export const UNTRUSTED_RULE = 'untrusted_content';
export const EACH_TIME_RULE = 'state';
/** The default policy's rule for reads. A user's own rule for reads overrides the untrusted check. */
const READ_RULE = 'read';

/** The verdict on a call before approvals and grants. */
export function judgeCall(
  policy: Policy,
  { run, graph }: Pick<DecisionContext, 'run' | 'graph'>,
  tool: ToolFace,
  input: Json,
): PolicyVerdict {
  const verdict = policy.decide({ tool, input, run: describeRun(run) });
  if (verdict.decision === 'deny') return verdict;
  if (run.untrusted && tool.sideEffect === 'external_mutation') {
    const why = `the run has read untrusted content, and ${tool.name} changes something outside the workspace`;
    return { decision: 'ask', rule: UNTRUSTED_RULE, why };
  }
  const destination =
    verdict.decision === 'allow' && run.untrusted ? newDestination(run, graph, tool, input) : undefined;
  if (destination !== undefined && verdict.rule === READ_RULE) {
    const why = `the run has read untrusted content, and ${tool.name} would contact ${destination}, which it has not contacted before`;
    return { decision: 'ask', rule: UNTRUSTED_RULE, why };
  }
  if (verdict.decision === 'allow' && graph.state(run.state).approval === 'always') {
    return {
      decision: 'ask',
      rule: EACH_TIME_RULE,
      why: `every call in the state "${run.state}" needs approval`,
    };
  }
  return verdict;
}

/**
 * The destination of this call, if neither the goal, the graph nor an earlier call names it: untrusted content could make
 * the run leak what it has read to a new destination, by reads alone.
 */
function newDestination(
  run: Readonly<RunState>,
  { spec }: StateGraph,
  tool: ToolFace,
  input: Json,
): string | undefined {
  const destination = destinationOf(tool, input);
  if (destination === undefined || run.goal.includes(destination)) return undefined;
  if (spec.definition !== undefined && JSON.stringify(spec.definition).includes(destination))
    return undefined;
  const asked = run.evidence.some(
    (fact) =>
      fact.tool === tool.name &&
      fact.failure === undefined &&
      destinationOf(tool, fact.input ?? null) === destination,
  );
  return asked ? undefined : destination;
}

function destinationOf(tool: ToolFace, input: Json): string | undefined {
  try {
    return tool.reaches?.(input);
  } catch {
    return 'an unknown destination';
  }
}

/** The part of a run that policy sees. */
export function describeRun({ id, kind, state, vars }: Readonly<RunState>): PolicyRequest['run'] {
  const agent = agentOf(vars);
  return { id, kind, state, ...(agent === undefined ? {} : { agent }) };
}

/** Decides by side-effect class and risk: allows reads and undoable local writes, asks a person for the rest. */
export const defaultPolicy: Policy = {
  version: 'default/1',
  decide({ tool }: PolicyRequest): PolicyVerdict {
    const { risk, destructive } = tool.annotations;
    if (RISKS.indexOf(risk) >= RISKS.indexOf('high')) {
      return { decision: 'ask', rule: 'risk', why: `${tool.name} has ${risk} risk` };
    }
    if (destructive)
      return { decision: 'ask', rule: 'destructive', why: `${tool.name} may change or delete data` };
    switch (tool.sideEffect) {
      case 'read':
        return { decision: 'allow', rule: 'read', why: 'reading changes nothing' };
      case 'write_local':
        return {
          decision: 'allow',
          rule: 'write_local',
          why: 'a write inside the workspace that can be undone',
        };
      case 'external_mutation':
        return {
          decision: 'ask',
          rule: 'external_mutation',
          why: `${tool.name} changes something outside the workspace`,
        };
    }
  },
};
