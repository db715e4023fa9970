import { type Digest, digestOfJson, type Json } from '../../kernel/index.ts';
import { type BuiltInMiddleware, refuse } from '../middleware.ts';
import type { Grants, Policy } from '../ports.ts';
import { RISKS, type ToolFace } from '../tool.ts';
import { EACH_TIME_RULE, judgeCall, UNTRUSTED_RULE } from './judge-call.ts';

/** What an approval is bound to: this tool with exactly these arguments. */
export function hashArguments(tool: string, input: Json): Digest {
  return digestOfJson({ tool, input });
}

/** Applies the current policy; where it requires a person, only an approval or a grant for these arguments passes. */
export function checkPolicy(policy: Policy, grants: Grants): BuiltInMiddleware {
  return {
    name: 'policy',
    checkDecision(context) {
      const { decision, tool, run } = context;
      if (decision.kind !== 'call_tool' || tool === undefined) return undefined;
      const verdict = judgeCall(policy, context, tool, decision.input);
      context.notes.policy = `${verdict.decision}:${verdict.rule}`;
      if (verdict.decision === 'deny')
        return refuse('engine.policy_denied', `Policy forbids ${tool.name}: ${verdict.why}.`);
      if (verdict.decision === 'allow' && context.approval === undefined) return undefined;
      const argumentsHash = hashArguments(tool.name, decision.input);
      if (context.approval) {
        if (context.approval.argumentsHash === argumentsHash) return undefined;
        return refuse(
          'engine.approval_mismatch',
          `Approval ${context.approval.id} was given for other arguments of ${tool.name} in run ${run.id}. Request a new one.`,
        );
      }
      // A state that requires approval each time ignores earlier grants.
      if (
        verdict.rule !== EACH_TIME_RULE &&
        coveredByGrant(grants, tool, argumentsHash, verdict.rule === UNTRUSTED_RULE)
      ) {
        context.notes.policy = `grant:${verdict.rule}`;
        return undefined;
      }
      return {
        kind: 'park',
        waiting: { for: 'approval', why: verdict.why, rule: verdict.rule, argumentsHash },
      };
    },
  };
}

/** At high risk, and for untrusted runs, a grant must match the exact arguments. */
function coveredByGrant(grants: Grants, tool: ToolFace, argumentsHash: string, untrusted: boolean): boolean {
  const grant = grants.find({ tool: tool.name, argumentsHash });
  if (grant === undefined) return false;
  if (grant.argumentsHash === argumentsHash) return true;
  return !untrusted && RISKS.indexOf(tool.annotations.risk) < RISKS.indexOf('high');
}
