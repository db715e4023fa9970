import {
  defaultPolicy,
  narrowTool,
  type Policy,
  type PolicyRequest,
  type PolicyVerdict,
  RISKS,
  type ToolFace,
} from '../engine/index.ts';
import { digestOfJson, matchText, memoize } from '../kernel/index.ts';
import { CallFacts, type FactPlaces } from './call-facts.ts';
import { uncoveredFields } from './covered-fields.ts';
import { applies, compileCondition, type Evaluate, evaluateAll, type Truth } from './evaluate-match.ts';
import { parsePolicy } from './parse-policy.ts';
import { printMatch } from './print-policy.ts';
import { DECISIONS, type PolicyOwner, type PolicyRule, type PolicySource } from './types.ts';

/**
 * The policy files in force, and where paths lead. Without a workspace, an absolute path never matches an allow rule and always
 * matches the others; without `realPath`, links are not resolved.
 */
export interface PolicySources extends FactPlaces {
  readonly user?: PolicySource;
  readonly project?: readonly PolicySource[];
}

/** A policy built from files, whose rules can be listed. */
export interface CompiledPolicy extends Policy {
  /** The user's rows, then the workspace's, in file order. */
  readonly rules: readonly PolicyRule[];
  /** How certain it is that a rule matches a call. */
  fits(rule: PolicyRule, request: PolicyRequest): Truth;
  /** The fields of a call that an allow rule does not cover; without them it would apply. */
  uncovered(rule: PolicyRule, request: PolicyRequest): readonly string[];
}

/** Compiles policy files; fails with `policy.invalid`. Without files, the engine's default applies. */
export function compilePolicy(sources: PolicySources): CompiledPolicy {
  const own = (owner: PolicyOwner, source: PolicySource): PolicyRule[] =>
    parsePolicy(source).map((row) => ({ ...row, owner }));
  const rules = [
    ...(sources.user ? own('user', sources.user) : []),
    ...(sources.project ?? []).flatMap((source) => own('project', source)),
  ];
  const { workspace, realPath } = sources;
  return new RulePolicy(rules, {
    ...(workspace === undefined ? {} : { workspace }),
    ...(realPath && { realPath }),
  });
}

/** Whether a tool always asks, even if a rule allows it. */
export function isHighRisk({ annotations }: ToolFace): boolean {
  return RISKS.indexOf(annotations.risk) >= RISKS.indexOf('high');
}

/** Whether a rule can change anything. A workspace can only tighten, so its allow rules cannot. */
export function hasEffect({ owner, decision }: Pick<PolicyRule, 'owner' | 'decision'>): boolean {
  return owner === 'user' || decision !== 'allow';
}

/** The name of a rule in verdicts. */
export function nameRule({ file, line }: Pick<PolicyRule, 'file' | 'line'>): string {
  return `${file}:${line}`;
}

interface CompiledRule {
  readonly rule: PolicyRule;
  readonly conditions: readonly Evaluate[];
  readonly verdict: PolicyVerdict;
}

const MAX_KNOWN_TOOLS = 10_000;

class RulePolicy implements CompiledPolicy {
  readonly rules: readonly PolicyRule[];
  readonly version: string;
  readonly #ready: readonly CompiledRule[];
  readonly #places: FactPlaces;
  /** The rules for a tool and the tools that it counts as, all by name, strongest first. */
  readonly #rulesOf = memoize(MAX_KNOWN_TOOLS, (names) =>
    this.#ready.filter(({ rule }) => isAbout(rule, names.split(' '))),
  );

  constructor(rules: readonly PolicyRule[], places: FactPlaces) {
    this.rules = rules;
    this.version = versionOf(rules);
    this.#places = places;
    this.#ready = rules.filter(hasEffect).map(compileRule).sort(strongestFirst);
  }

  decide(request: PolicyRequest): PolicyVerdict {
    const called = narrowed(request);
    const standard = defaultPolicy.decide(called);
    const rules = this.#rulesOf(namesOf(called.tool).join(' '));
    if (rules.length === 0) return standard;
    const facts = new CallFacts(called, this.#places);
    const narrow: string[] = [];
    const decisive = rules.find(({ rule, conditions }) => {
      if (!applies(rule.decision, evaluateAll(conditions, facts))) return false;
      if (rule.decision !== 'allow') return true;
      const uncovered = uncoveredFields(rule.match, called);
      if (uncovered.length > 0) narrow.push(`${nameRule(rule)} does not cover ${uncovered.join(', ')}`);
      return uncovered.length === 0;
    });
    if (decisive === undefined) return standard.decision === 'ask' ? withReasons(standard, narrow) : standard;
    return decisive.rule.decision === 'allow' && isHighRisk(called.tool) ? standard : decisive.verdict;
  }

  uncovered(rule: PolicyRule, request: PolicyRequest): readonly string[] {
    return rule.decision === 'allow' ? uncoveredFields(rule.match, request) : [];
  }

  fits(rule: PolicyRule, request: PolicyRequest): Truth {
    const called = narrowed(request);
    if (!isAbout(rule, namesOf(called.tool))) return 0;
    return evaluateAll(rule.match.conditions.map(compileCondition), new CallFacts(called, this.#places));
  }
}

function namesOf({ name, countsAs = [] }: ToolFace): readonly string[] {
  return [name, ...countsAs];
}

/** Whether a rule is about a tool. A rule that allows a tool does not allow those that count as it. */
function isAbout({ match, decision }: PolicyRule, [name = '', ...countsAs]: readonly string[]): boolean {
  if (matchText(match.tool, name)) return true;
  return decision !== 'allow' && countsAs.some((other) => matchText(match.tool, other));
}

/** Tells the person which fields made an allow rule too narrow. */
function withReasons(verdict: PolicyVerdict, reasons: readonly string[]): PolicyVerdict {
  return reasons.length === 0 ? verdict : { ...verdict, why: [verdict.why, ...reasons].join('; ') };
}

function narrowed(request: PolicyRequest): PolicyRequest {
  const tool = narrowTool(request.tool, request.input);
  return tool === request.tool ? request : { ...request, tool };
}

function compileRule(rule: PolicyRule): CompiledRule {
  const { decision, why } = rule;
  const name = nameRule(rule);
  const said = { decision, rule: name, why: why === '' ? `${name} says ${decision}` : why };
  const namesPath = rule.match.conditions.some((one) => one.about === 'path' && !one.negated);
  const verdict: PolicyVerdict = {
    ...said,
    ...(namesDestination(rule) ? { allowsDestination: true } : {}),
    ...(decision === 'allow' && namesPath ? { allowsPath: true } : {}),
  };
  return { rule, conditions: rule.match.conditions.map(compileCondition), verdict };
}

/** Whether a rule allows a destination by name: a host, any input whatever it names, or the tools of one MCP server. */
function namesDestination({ decision, match }: PolicyRule): boolean {
  const namesHost = match.conditions.some((one) =>
    one.about === 'host' ? !one.negated : one.about === 'any' && ['', 'url'].includes(one.field.join('.')),
  );
  return decision === 'allow' && (namesHost || /^mcp\.[^.*]+\./.test(match.tool));
}

/** The sort is stable, so equal rules keep their file order. */
function strongestFirst(a: CompiledRule, b: CompiledRule): number {
  return DECISIONS.indexOf(b.rule.decision) - DECISIONS.indexOf(a.rule.decision);
}

function versionOf(rules: readonly PolicyRule[]): string {
  if (rules.length === 0) return defaultPolicy.version;
  const said = rules.map(({ owner, match, decision }) => [owner, printMatch(match), decision]);
  return `${defaultPolicy.version}+${digestOfJson(said)}`;
}
