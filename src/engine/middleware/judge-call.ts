// Owns: the verdict on a call: policy, untrusted content, unnamed hosts, and states that need approval. Does not own:
// approvals and grants.
import type { Json } from '../../kernel/index.ts';
import { actingFile } from '../acting-files.ts';
import type { DecisionContext } from '../middleware.ts';
import { coversHost } from '../named-hosts.ts';
import type { Policy, PolicyRequest, PolicyVerdict } from '../ports.ts';
import { agentOf, isUnattended, type RunState } from '../run-state.ts';
import { RISKS, type ToolFace } from '../tool.ts';

export const UNTRUSTED_RULE = 'untrusted_content';
export const ACTING_FILE_RULE = 'acting_file';
export const EACH_TIME_RULE = 'state';
/** The planner asks for a confirmation of a call that policy allows. */
export const CONFIRM_RULE = 'confirm';
/** The call contacts a host that no person has named for this run. Reading counts: an address carries data too. */
export const HOST_RULE = 'unnamed_host';

/** The verdict on a call before approvals and grants. */
export function judgeCall(
  policy: Policy,
  { run, graph }: Pick<DecisionContext, 'run' | 'graph'>,
  tool: ToolFace,
  input: Json,
): PolicyVerdict {
  const verdict = policy.decide({ tool, input, run: describeRun(run) });
  if (verdict.decision === 'deny') return verdict;
  const risk = run.untrusted ? untrustedRisk(tool, input) : undefined;
  if (risk !== undefined) {
    const why = `the run has read untrusted content, and ${tool.name} ${risk}`;
    return { decision: 'ask', rule: UNTRUSTED_RULE, why };
  }
  if (verdict.decision !== 'allow') return verdict;
  if (graph.state(run.state).approval === 'always') {
    return {
      decision: 'ask',
      rule: EACH_TIME_RULE,
      why: `every call in the state "${run.state}" needs approval`,
    };
  }
  const host = verdict.allowsDestination
    ? undefined
    : hostsReachedBy(tool, input).find((one) => !coversHost(run.namedHosts ?? [], one));
  if (host !== undefined)
    return {
      decision: 'ask',
      rule: HOST_RULE,
      why: `${tool.name} would contact ${host}, which nobody has named`,
    };
  const changed = isUnattended(run) && !verdict.allowsPath ? actingChange(tool, input) : undefined;
  if (changed === undefined) return verdict;
  const why = `nobody watches this run, and ${tool.name} ${changed}`;
  return { decision: 'ask', rule: ACTING_FILE_RULE, why };
}

/** Why an untrusted run must ask before this call; undefined if it need not. */
function untrustedRisk(tool: ToolFace, input: Json): string | undefined {
  if (tool.sideEffect === 'external_mutation') return 'changes something outside the workspace';
  if (tool.schedules) return 'changes what happens later';
  return actingChange(tool, input);
}

/** What a call does to a file that makes some program act. A tool that cannot tell counts as one that changes such a file. */
function actingChange(tool: ToolFace, input: Json): string | undefined {
  try {
    for (const path of tool.writes?.(input) ?? []) {
      const words = actingFile(path);
      if (words !== undefined) return `would change ${path}: ${words}`;
    }
    return undefined;
  } catch {
    return 'may change instructions for agents';
  }
}

/** The hosts that a call contacts. A tool that cannot tell contacts one that nobody has named. */
export function hostsReachedBy(tool: ToolFace, input: Json): readonly string[] {
  try {
    return tool.reaches?.(input) ?? [];
  } catch {
    return ['an unknown host'];
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
