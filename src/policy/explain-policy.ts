import {
  defaultPolicy,
  narrowTool,
  type PolicyRequest,
  type PolicyVerdict,
  type Risk,
  type SideEffect,
  type ToolFace,
} from '../engine/index.ts';
import { matchText, nearestName } from '../kernel/index.ts';
import { type CompiledPolicy, hasEffect, isHighRisk, nameRule } from './compile-policy.ts';
import { namesFields } from './covered-fields.ts';
import { applies, TRUE } from './evaluate-match.ts';
import { matchKey } from './parse-policy.ts';
import { printMatch } from './print-policy.ts';
import { DECISIONS, type PolicyRule } from './types.ts';

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
  const { allowsDestination: _, ...verdict } = policy.decide(request);
  const tool = narrowTool(request.tool, request.input);
  const matches = policy.rules.flatMap((rule) => {
    const truth = policy.fits(rule, request);
    if (!applies(rule.decision, truth)) return [];
    const decided = nameRule(rule) === verdict.rule;
    const uncovered = policy.uncovered(rule, request);
    const note = decided ? '' : noteOf(rule, verdict, { highRisk: isHighRisk(tool), uncovered });
    const unsure = truth === TRUE ? '' : 'the match is uncertain, which is enough for ask and deny';
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

function noteOf(
  rule: PolicyRule,
  verdict: PolicyVerdict,
  { highRisk, uncovered }: { readonly highRisk: boolean; readonly uncovered: readonly string[] },
): string {
  if (!hasEffect(rule)) return 'a workspace can only tighten, so its allow has no effect';
  if (uncovered.length > 0) return `does not apply: it does not cover ${uncovered.join(', ')}`;
  if (rule.decision === 'allow' && verdict.decision === 'ask' && highRisk && verdict.rule === 'risk')
    return 'a person is always asked from high risk on';
  return rule.decision === verdict.decision ? `${verdict.rule} comes first` : `${verdict.rule} is stronger`;
}

/** A rule with warnings for its author. */
export interface ReviewedRule {
  readonly rule: PolicyRule;
  /** False for a rule that can never change a verdict. */
  readonly effective: boolean;
  readonly warnings: readonly string[];
}

/** Finds rules that do not do what they seem to do. An unknown tool gives only a warning. */
export function reviewPolicy(
  rules: readonly PolicyRule[],
  tools: readonly ToolFace[],
): readonly ReviewedRule[] {
  return rules.map((rule, place) => {
    const reached = tools.filter(({ name }) => matchText(rule.match.tool, name));
    const useless = findUseless(rule, place, rules, reached);
    const other = [findUnknown(rule, reached, tools), findBroad(rule)];
    const warnings = [useless, ...other].filter((warning) => warning !== undefined);
    return { rule, effective: useless === undefined, warnings };
  });
}

function findUseless(
  rule: PolicyRule,
  place: number,
  rules: readonly PolicyRule[],
  reached: readonly ToolFace[],
): string | undefined {
  if (!hasEffect(rule)) return 'has no effect: a workspace can only tighten';
  const shadow = rules.find((other, i) => i !== place && shadows(other, i, rule, place));
  if (shadow !== undefined)
    return `has no effect: ${nameRule(shadow)} (${shadow.decision}) applies wherever it does`;
  const allHigh = reached.length > 0 && reached.every((tool) => isHighRisk(tool) && !tool.forInput);
  if (rule.decision === 'allow' && allHigh)
    return 'has no effect: a person is always asked from high risk on';
  return undefined;
}

function findUnknown(
  { match }: PolicyRule,
  reached: readonly ToolFace[],
  tools: readonly ToolFace[],
): string | undefined {
  if (reached.length > 0 || tools.length === 0) return undefined;
  const names = tools.map(({ name }) => name);
  const near = match.tool.includes('*') ? undefined : nearestName(match.tool, names);
  return `no tool fits ${match.tool} now${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** An ask or deny row also matches calls without the field, which is surprising if most tools lack it. */
function findBroad({ match, decision }: PolicyRule): string | undefined {
  if (decision === 'allow' || match.tool !== '*') return undefined;
  const field = match.conditions.find(({ about }) =>
    ['path', 'cwd', 'host', 'argv', 'git', 'timeout', 'input'].includes(about),
  );
  if (field === undefined) return undefined;
  const what = printMatch({ tool: '*', conditions: [field] }).slice('* and '.length);
  return `also matches every tool for which "${what}" is unknown, such as tools without that input; name the tools instead of *`;
}

/** Whether a rule applies wherever the other does, with at least the same strength. */
function shadows(rule: PolicyRule, place: number, other: PolicyRule, otherPlace: number): boolean {
  if (!hasEffect(rule)) return false;
  const stronger = DECISIONS.indexOf(rule.decision) - DECISIONS.indexOf(other.decision);
  if (stronger < 0 || !covers(rule, other)) return false;
  // An allow row with more named fields covers more calls, although it has more conditions.
  if (
    rule.decision === 'allow' &&
    other.match.conditions.filter(namesFields).length > rule.match.conditions.filter(namesFields).length
  )
    return false;
  return stronger > 0 || place < otherPlace || !covers(other, rule);
}

function covers({ match }: PolicyRule, { match: other }: PolicyRule): boolean {
  // A star in the other pattern is matched only by a star here, so this pattern matches everything the other does.
  if (!matchText(match.tool, other.tool)) return false;
  const [, ...wanted] = matchKey(match).split('\n');
  const [, ...given] = matchKey(other).split('\n');
  return wanted.every((condition) => given.includes(condition));
}
