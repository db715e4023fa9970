// Owns: the verdict on a call: policy, untrusted content, and states that need approval. Does not own: approvals and grants.
import type { Json } from '../../kernel/index.ts';
import { isInstructionFile } from '../instruction-files.ts';
import type { DecisionContext } from '../middleware.ts';
import { coversHost, hostsInUrls, namedHosts } from '../named-hosts.ts';
import type { Policy, PolicyRequest, PolicyVerdict } from '../ports.ts';
import { agentOf, type RunState } from '../run-state.ts';
import type { StateGraph } from '../state-graph.ts';
import { RISKS, type ToolFace } from '../tool.ts';

export const UNTRUSTED_RULE = 'untrusted_content';
export const EACH_TIME_RULE = 'state';
/** The planner asks for a confirmation of a call that policy allows. */
export const CONFIRM_RULE = 'confirm';
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
  const risk = run.untrusted ? untrustedRisk(run, graph, tool, input, verdict) : undefined;
  if (risk !== undefined) {
    const why = `the run has read untrusted content, and ${tool.name} ${risk}`;
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

/** Why an untrusted run must ask before this call; undefined if it need not. */
function untrustedRisk(
  run: Readonly<RunState>,
  graph: StateGraph,
  tool: ToolFace,
  input: Json,
  verdict: PolicyVerdict,
): string | undefined {
  if (tool.sideEffect === 'external_mutation') return 'changes something outside the workspace';
  const instructions = writtenBy(tool, input).find(isInstructionFile);
  if (instructions !== undefined) return `would write instructions for agents (${instructions})`;
  const destination = newDestination(run, graph, tool, input, verdict);
  if (destination === undefined) return undefined;
  return run.private === false
    ? `would contact ${destination}, which it has not contacted before`
    : `could send private data that the run has read to ${destination}, which neither the goal nor the policy names`;
}

/**
 * The destination of this call, if neither the user's own text nor the user's policy names it: untrusted content could make
 * the run leak what it has read, by reads alone. For a run with private data an earlier call to the same host changes nothing.
 */
function newDestination(
  run: Readonly<RunState>,
  graph: StateGraph,
  tool: ToolFace,
  input: Json,
  verdict: PolicyVerdict,
): string | undefined {
  const destination = destinationOf(tool, input);
  if (destination === undefined || verdict.allowsDestination) return undefined;
  if (coversHost(hostsNamedFor(run, graph), destination)) return undefined;
  if (run.private !== false) return destination;
  const hasContacted = run.evidence.some(
    (fact) =>
      isSameSource(fact.tool, tool) &&
      fact.failure === undefined &&
      destinationOf(tool, fact.input ?? null) === destination,
  );
  return hasContacted || verdict.rule !== READ_RULE ? undefined : destination;
}

/** Whether a call was of this tool, or of another tool of its MCP server. */
function isSameSource(called: string | undefined, { name, source }: ToolFace): boolean {
  if (called === name) return true;
  return source !== undefined && called?.startsWith(name.slice(0, name.lastIndexOf('.') + 1)) === true;
}

/** The hosts that the user's own text names: the goal, the graph and its input, unless the run started untrusted. */
export function hostsNamedFor(run: Readonly<RunState>, graph: StateGraph): ReadonlySet<string> {
  if (run.namedHosts !== undefined) return new Set(run.namedHosts);
  const input = run.lineage.parent === undefined ? JSON.stringify(run.vars['input'] ?? null) : '';
  return new Set([...namedHosts(run.goal), ...hostsInDefinition(graph), ...hostsInUrls(input)]);
}

/** The hosts in the URLs of a graph's definition. */
export function hostsInDefinition({ spec }: StateGraph): ReadonlySet<string> {
  return spec.definition === undefined ? new Set() : hostsInUrls(JSON.stringify(spec.definition));
}

/** The paths that a call writes. A tool that cannot tell is treated as if it wrote instructions. */
function writtenBy(tool: ToolFace, input: Json): readonly string[] {
  try {
    return tool.writes?.(input) ?? [];
  } catch {
    return ['AGENTS.md'];
  }
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
