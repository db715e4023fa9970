import {
  defaultPolicy,
  narrowTool,
  type PolicyRequest,
  type PolicyVerdict,
  type Risk,
  type SideEffect,
} from '../engine/index.ts';
import { type CompiledPolicy, hasEffect, isHighRisk, nameRule } from './compile-policy.ts';
import { applies, TRUE } from './evaluate-match.ts';
import { printMatch } from './print-policy.ts';
import type { PolicyRule } from './types.ts';

/** A rule that applies to a call, and its effect. */
export interface MatchedRule extends Pick<PolicyRule, 'owner' | 'decision' | 'why'> {
  readonly rule: string;
  readonly match: string;
  readonly decided: boolean;
  /** Extra information: an uncertain match, no effect, or a stronger rule. */
  readonly note?: string;
}

/** A verdict with everything that led to it. */
export interface PolicyExplanation extends PolicyVerdict {
  readonly sideEffect: SideEffect;
  readonly risk: Risk;
  /** The verdict without any rule. */
  readonly default: PolicyVerdict;
  readonly matches: readonly MatchedRule[];
}

/** Explains the verdict about a call: every rule that applies, in file order. */
export function explainPolicy(policy: CompiledPolicy, request: PolicyRequest): PolicyExplanation {
  const verdict = policy.decide(request);
  const tool = narrowTool(request.tool, request.input);
  const matches = policy.rules.flatMap((rule) => {
    const truth = policy.fits(rule, request);
    if (!applies(rule.decision, truth)) return [];
    const decided = nameRule(rule) === verdict.rule;
    const note = decided ? '' : noteOf(rule, verdict, isHighRisk(tool));
    const unsure = truth === TRUE ? '' : 'whether it fits cannot be told for certain, and that is enough';
    const said = [note, unsure].filter((text) => text !== '').join('; ');
    const { owner, decision, why } = rule;
    const match = printMatch(rule.match);
    const explained = said === '' ? {} : { note: said };
    return [{ rule: nameRule(rule), owner, match, decision, why, decided, ...explained }];
  });
  return {
    ...verdict,
    sideEffect: tool.sideEffect,
    risk: tool.annotations.risk,
    default: defaultPolicy.decide({ ...request, tool }),
    matches,
  };
}

function noteOf(rule: PolicyRule, verdict: PolicyVerdict, highRisk: boolean): string {
  if (!hasEffect(rule)) return 'a workspace can only tighten, so its allow has no effect';
  if (rule.decision === 'allow' && verdict.decision === 'ask' && highRisk && verdict.rule === 'risk')
    return 'from high risk on a person is always asked';
  return rule.decision === verdict.decision ? `${verdict.rule} comes first` : `${verdict.rule} is stronger`;
}
