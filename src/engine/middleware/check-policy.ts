import { type Digest, digestOfJson, type Json } from '../../kernel/index.ts';
import type { DecisionContext, Middleware, Ruling } from '../middleware.ts';
import type { Grants, Policy, PolicyRequest, PolicyVerdict } from '../ports.ts';
import type { RunState } from '../run-state.ts';
import { RISKS, type ToolFace } from '../tool.ts';

/** What an approval is bound to: this tool with exactly these arguments. */
export function hashArguments(tool: string, input: Json): Digest {
  return digestOfJson({ tool, input });
}

/** Asks the policy in force now; where it wants a person, only an approval or a grant for these arguments lets pass. */
export function checkPolicy(policy: Policy, grants: Grants): Middleware {
  return {
    name: 'policy',
    onDecision(context, next) {
      const { decision, tool, run } = context;
      if (decision.kind !== 'call_tool' || tool === undefined) return next();
      const verdict = judge(policy, context, tool, decision.input);
      context.notes.policy = `${verdict.decision}:${verdict.rule}`;
      if (verdict.decision === 'deny')
        return refuse('engine.policy_denied', `policy forbids ${tool.name}: ${verdict.why}.`);
      if (verdict.decision === 'allow' && context.approval === undefined) return next();
      const argumentsHash = hashArguments(tool.name, decision.input);
      if (context.approval) {
        if (context.approval.argumentsHash === argumentsHash) return next();
        return refuse(
          'engine.approval_mismatch',
          `the approval ${context.approval.id} was given for other arguments of ${tool.name} in run ${run.id}; ask again.`,
        );
      }
      if (coveredByGrant(grants, tool, argumentsHash, verdict.rule === UNTRUSTED)) {
        context.notes.policy = `grant:${verdict.rule}`;
        return next();
      }
      return { kind: 'park', waiting: { for: 'approval', why: verdict.why, argumentsHash } };
    },
  };
}

const UNTRUSTED = 'untrusted_content';

function judge(policy: Policy, { run, graph }: DecisionContext, tool: ToolFace, input: Json): PolicyVerdict {
  const verdict = policy.decide({ tool, input, run: describeRun(run) });
  if (verdict.decision === 'deny') return verdict;
  if (run.untrusted && tool.sideEffect === 'external_mutation') {
    const why = `the run has read the words of strangers, and ${tool.name} changes something outside the workspace`;
    return { decision: 'ask', rule: UNTRUSTED, why };
  }
  if (verdict.decision === 'allow' && graph.state(run.state).approval === 'always') {
    return { decision: 'ask', rule: 'state', why: `every call in the state "${run.state}" needs a person` };
  }
  return verdict;
}

/** What policy learns of a run. */
export function describeRun({ id, kind, state, vars }: Readonly<RunState>): PolicyRequest['run'] {
  const { agent } = vars;
  return { id, kind, state, ...(typeof agent === 'string' ? { agent } : {}) };
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
