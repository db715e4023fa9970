import {
  defaultPolicy,
  narrowTool,
  type Policy,
  type PolicyRequest,
  type PolicyVerdict,
  RISKS,
  type ToolFace,
} from '../engine/index.ts';
import { digestOfJson, matchText } from '../kernel/index.ts';
import { CallFacts } from './call-facts.ts';
import { compileCondition, type Evaluate, evaluateAll, type Truth, takesHold } from './evaluate-match.ts';
import { parsePolicy } from './parse-policy.ts';
import { printMatch } from './print-policy.ts';
import { DECISIONS, type PolicyOwner, type PolicyRule, type PolicySource } from './types.ts';

/** The files that are in force, and the folder that paths are relative to. */
export interface PolicySources {
  readonly user?: PolicySource;
  readonly project?: readonly PolicySource[];
  /** Left out: an absolute path cannot be placed, so it never fits for an allow and always for the rest. */
  readonly workspace?: string;
}

/** A policy made of files, whose rules can be looked at. */
export interface CompiledPolicy extends Policy {
  /** The person's rows, then those of the workspace, in the order of their files. */
  readonly rules: readonly PolicyRule[];
  /** How sure it is that a rule's match fits a call. */
  fits(rule: PolicyRule, request: PolicyRequest): Truth;
}

/** Makes a policy of files; refuses with `policy.invalid`. Without any, the default of the engine remains. */
export function compilePolicy(sources: PolicySources): CompiledPolicy {
  const own = (owner: PolicyOwner, source: PolicySource): PolicyRule[] =>
    parsePolicy(source).map((row) => ({ ...row, owner }));
  const rules = [
    ...(sources.user ? own('user', sources.user) : []),
    ...(sources.project ?? []).flatMap((source) => own('project', source)),
  ];
  return new RulePolicy(rules, sources.workspace);
}

/** Whether a tool always asks, whatever any rule allows. */
export function isHighRisk({ annotations }: ToolFace): boolean {
  return RISKS.indexOf(annotations.risk) >= RISKS.indexOf('high');
}

/** Whether a rule can change anything: a workspace only tightens, so an allow of its own cannot. */
export function hasEffect({ owner, decision }: Pick<PolicyRule, 'owner' | 'decision'>): boolean {
  return owner === 'user' || decision !== 'allow';
}

/** A rule as verdicts name it. */
export function nameRule({ file, line }: Pick<PolicyRule, 'file' | 'line'>): string {
  return `${file}:${line}`;
}

interface ReadyRule {
  readonly rule: PolicyRule;
  readonly conditions: readonly Evaluate[];
  readonly verdict: PolicyVerdict;
}

const MOST_KNOWN_TOOLS = 10_000;

class RulePolicy implements CompiledPolicy {
  readonly rules: readonly PolicyRule[];
  readonly version: string;
  readonly #ready: readonly ReadyRule[];
  readonly #workspace: string | undefined;
  readonly #byTool = new Map<string, readonly ReadyRule[]>();

  constructor(rules: readonly PolicyRule[], workspace: string | undefined) {
    this.rules = rules;
    this.version = versionOf(rules);
    this.#workspace = workspace;
    this.#ready = rules.filter(hasEffect).map(makeReady).sort(strongestFirst);
  }

  decide(request: PolicyRequest): PolicyVerdict {
    const called = narrowed(request);
    const standard = defaultPolicy.decide(called);
    const rules = this.#rulesOf(called.tool.name);
    if (rules.length === 0) return standard;
    const facts = new CallFacts(called, this.#workspace);
    const decisive = rules.find(({ rule, conditions }) =>
      takesHold(rule.decision, evaluateAll(conditions, facts)),
    );
    if (decisive === undefined) return standard;
    return decisive.rule.decision === 'allow' && isHighRisk(called.tool) ? standard : decisive.verdict;
  }

  fits(rule: PolicyRule, request: PolicyRequest): Truth {
    const called = narrowed(request);
    if (!matchText(rule.match.tool, called.tool.name)) return 0;
    return evaluateAll(rule.match.conditions.map(compileCondition), new CallFacts(called, this.#workspace));
  }

  /** The rules whose family has the tool, strongest first; found once for each tool. */
  #rulesOf(tool: string): readonly ReadyRule[] {
    let rules = this.#byTool.get(tool);
    if (rules === undefined) {
      rules = this.#ready.filter(({ rule }) => matchText(rule.match.tool, tool));
      if (this.#byTool.size >= MOST_KNOWN_TOOLS) this.#byTool.clear();
      this.#byTool.set(tool, rules);
    }
    return rules;
  }
}

function narrowed(request: PolicyRequest): PolicyRequest {
  const tool = narrowTool(request.tool, request.input);
  return tool === request.tool ? request : { ...request, tool };
}

function makeReady(rule: PolicyRule): ReadyRule {
  const { decision, why } = rule;
  const name = nameRule(rule);
  const verdict = { decision, rule: name, why: why === '' ? `${name} says ${decision}` : why };
  return { rule, conditions: rule.match.conditions.map(compileCondition), verdict };
}

/** Sorting keeps the order of the files among equals. */
function strongestFirst(a: ReadyRule, b: ReadyRule): number {
  return DECISIONS.indexOf(b.rule.decision) - DECISIONS.indexOf(a.rule.decision);
}

function versionOf(rules: readonly PolicyRule[]): string {
  if (rules.length === 0) return defaultPolicy.version;
  const said = rules.map(({ owner, match, decision }) => [owner, printMatch(match), decision]);
  return `${defaultPolicy.version}+${digestOfJson(said)}`;
}
