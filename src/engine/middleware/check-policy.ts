import { type Digest, digestOfJson, type Json } from '../../kernel/index.ts';
import type { BuiltInMiddleware, DecisionContext, Ruling } from '../middleware.ts';
import type { Grants, Policy, PolicyRequest, PolicyVerdict } from '../ports.ts';
import { agentOf, type RunState } from '../run-state.ts';
import type { StateGraph } from '../state-graph.ts';
import { RISKS, type ToolFace } from '../tool.ts';

/** What an approval is bound to: this tool with exactly these arguments. */
export function hashArguments(tool: string, input: Json): Digest {
  return digestOfJson({ tool, input });
}

/** Asks the policy in force now; where it wants a person, only an approval or a grant for these arguments lets pass. */
export function checkPolicy(policy: Policy, grants: Grants): BuiltInMiddleware {
  return {
    name: 'policy',
    checkDecision(context) {
      const { decision, tool, run } = context;
      if (decision.kind !== 'call_tool' || tool === undefined) return undefined;
      const verdict = judge(policy, context, tool, decision.input);
      context.notes.policy = `${verdict.decision}:${verdict.rule}`;
      if (verdict.decision === 'deny')
        return refuse('engine.policy_denied', `policy forbids ${tool.name}: ${verdict.why}.`);
      if (verdict.decision === 'allow' && context.approval === undefined) return undefined;
      const argumentsHash = hashArguments(tool.name, decision.input);
      if (context.approval) {
        if (context.approval.argumentsHash === argumentsHash) return undefined;
        return refuse(
          'engine.approval_mismatch',
          `the approval ${context.approval.id} was given for other arguments of ${tool.name} in run ${run.id}; ask again.`,
        );
      }
      // What a state asks a person about each time, no earlier word of theirs answers.
      if (
        verdict.rule !== EACH_TIME &&
        coveredByGrant(grants, tool, argumentsHash, verdict.rule === UNTRUSTED)
      ) {
        context.notes.policy = `grant:${verdict.rule}`;
        return undefined;
      }
      return { kind: 'park', waiting: { for: 'approval', why: verdict.why, argumentsHash } };
    },
  };
}

const UNTRUSTED = 'untrusted_content';
const EACH_TIME = 'state';
/** The rule of the default policy that lets a run look. A person's own row about it is their word. */
const READING = 'read';

function judge(policy: Policy, { run, graph }: DecisionContext, tool: ToolFace, input: Json): PolicyVerdict {
  const verdict = policy.decide({ tool, input, run: describeRun(run) });
  if (verdict.decision === 'deny') return verdict;
  if (run.untrusted && tool.sideEffect === 'external_mutation') {
    const why = `the run has read the words of strangers, and ${tool.name} changes something outside the workspace`;
    return { decision: 'ask', rule: UNTRUSTED, why };
  }
  const place = verdict.decision === 'allow' && run.untrusted ? newPlace(run, graph, tool, input) : undefined;
  if (place !== undefined && verdict.rule === READING) {
    const why = `the run has read the words of strangers, and ${tool.name} would tell ${place}, which it has not asked before`;
    return { decision: 'ask', rule: UNTRUSTED, why };
  }
  if (verdict.decision === 'allow' && graph.state(run.state).approval === 'always') {
    return { decision: 'ask', rule: EACH_TIME, why: `every call in the state "${run.state}" needs a person` };
  }
  return verdict;
}

/**
 * Who would learn of this call, if neither the goal or the graph names them nor an earlier call has asked them: what
 * strangers wrote could make the run carry what it has read to a place of theirs, by looking alone.
 */
function newPlace(
  run: Readonly<RunState>,
  { spec }: StateGraph,
  tool: ToolFace,
  input: Json,
): string | undefined {
  const place = placeOf(tool, input);
  if (place === undefined || run.goal.includes(place)) return undefined;
  if (spec.definition !== undefined && JSON.stringify(spec.definition).includes(place)) return undefined;
  const asked = run.evidence.some(
    (fact) =>
      fact.tool === tool.name && fact.failure === undefined && placeOf(tool, fact.input ?? null) === place,
  );
  return asked ? undefined : place;
}

function placeOf(tool: ToolFace, input: Json): string | undefined {
  try {
    return tool.reaches?.(input);
  } catch {
    return 'an unknown place';
  }
}

/** What policy learns of a run. */
export function describeRun({ id, kind, state, vars }: Readonly<RunState>): PolicyRequest['run'] {
  const agent = agentOf(vars);
  return { id, kind, state, ...(agent === undefined ? {} : { agent }) };
}

/** From high risk on, and against the words of strangers, a grant must name the very arguments. */
function coveredByGrant(grants: Grants, tool: ToolFace, argumentsHash: string, untrusted: boolean): boolean {
  const grant = grants.find({ tool: tool.name, argumentsHash });
  if (grant === undefined) return false;
  if (grant.argumentsHash === argumentsHash) return true;
  return !untrusted && RISKS.indexOf(tool.annotations.risk) < RISKS.indexOf('high');
}

function refuse(code: string, message: string): Ruling {
  return { kind: 'refuse', failure: { code, message } };
}
