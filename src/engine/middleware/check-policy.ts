import { type Digest, digestOfJson, type Json, sameJson } from '../../kernel/index.ts';
import { type Binding, CHANGED_RULE, describeChange, programOf } from '../binding.ts';
import { type BuiltInMiddleware, type DecisionContext, type Ruling, refuse } from '../middleware.ts';
import type { Grants, KnownPrograms, Policy, PolicyVerdict } from '../ports.ts';
import { requestFacts } from '../request-facts.ts';
import { type Capabilities, narrowTool, RISKS, type Tool, type ToolFace } from '../tool.ts';
import { ACTING_FILE_RULE, CONFIRM_RULE, EACH_TIME_RULE, judgeCall, UNTRUSTED_RULE } from './judge-call.ts';

/** Whether a person allowed this call: by an approval, a grant, or a row of their policy, which is named by file and line. */
export function isAllowedByPerson(facts: {
  readonly policy?: string | undefined;
  readonly approval?: string | undefined;
}): boolean {
  return facts.approval !== undefined || /^(grant:|allow:.*:\d+$)/.test(facts.policy ?? '');
}

/** The part of what an approval is bound to that does not change: this tool with exactly these arguments. */
export function hashArguments(tool: string, input: Json): Digest {
  return digestOfJson({ tool, input });
}

/**
 * Applies the current policy; where it requires a person, only an approval or a grant for these arguments passes. Policy rows,
 * approvals and grants cover a call only with the program and the files that it is bound to.
 */
export function checkPolicy(policy: Policy, grants: Grants, programs: KnownPrograms): BuiltInMiddleware {
  const judge = async (context: DecisionContext): Promise<Ruling | undefined> => {
    const { decision, tool, approval, notes, bind } = context;
    if (decision.kind !== 'call_tool' || tool === undefined) return undefined;
    const judged = judgeCall(policy, context, tool, decision.input);
    const verdict = judged.decision === 'allow' && decision.confirm ? confirmation(tool) : judged;
    notes.policy = `${verdict.decision}:${verdict.rule}`;
    if (verdict.decision === 'deny')
      return refuse('engine.policy_denied', `Policy forbids ${tool.name}: ${verdict.why}.`);
    // Only a row that a person wrote is about the program that they know.
    const isBound = bind !== undefined && isAllowedByPerson(notes);
    if (verdict.decision === 'allow' && approval === undefined && !isBound) return undefined;
    const argumentsHash = hashArguments(tool.name, decision.input);
    if (approval !== undefined) return checkApproval(context, tool, argumentsHash);
    if (verdict.decision === 'allow' && isBound) {
      const binding = await bind('program');
      const why = checkProgram(programs, binding);
      if (why === undefined) {
        notes.binding = binding;
        return undefined;
      }
      return askPerson({ why, rule: CHANGED_RULE, argumentsHash, binding: await bind('all') });
    }
    const binding = await bind?.('all');
    if (isGranted(grants, tool, { argumentsHash, binding, rule: verdict.rule })) {
      notes.policy = `grant:${verdict.rule}`;
      if (binding !== undefined) notes.binding = binding;
      return undefined;
    }
    const known = requestFacts(context.run, tool, decision.input);
    return askPerson({ why: verdict.why, rule: verdict.rule, argumentsHash, binding, known });
  };
  return { name: 'policy', onDecision: async (context, next) => (await judge(context)) ?? next() };
}

/** The verdict on a call that a tool would make as part of another one, such as a redirect. Only `allow` needs no person. */
export type JudgeFurther = (
  about: Pick<DecisionContext, 'run' | 'graph'>,
  tool: Tool,
  input: Json,
  capabilities: Capabilities,
) => Promise<PolicyVerdict>;

/** Judges further calls as the middleware judges decisions. */
export function judgeFurther(policy: Policy, grants: Grants): JudgeFurther {
  return async (about, tool, input, capabilities) => {
    const face = narrowTool(tool, input);
    const verdict = judgeCall(policy, about, face, input);
    if (verdict.decision !== 'ask') return verdict;
    const binding = await tool.binds?.(input, { capabilities, part: 'all' });
    const argumentsHash = hashArguments(tool.name, input);
    const covered = isGranted(grants, face, { argumentsHash, binding, rule: verdict.rule });
    return covered ? { ...verdict, decision: 'allow' } : verdict;
  };
}

function confirmation({ name, annotations }: ToolFace): PolicyVerdict {
  const why = annotations.destructive ? 'may change or delete data' : 'is to be confirmed';
  return { decision: 'ask', rule: CONFIRM_RULE, why: `${name} ${why}` };
}

function askPerson(waiting: {
  readonly why: string;
  readonly rule: string;
  readonly argumentsHash: string;
  readonly binding: Binding | undefined;
  readonly known?: readonly string[];
  readonly again?: true;
}): Ruling {
  return { kind: 'park', waiting: { for: 'approval', ...waiting } };
}

/** An approval covers these arguments with the program and the files that the person saw. */
async function checkApproval(
  { approval, bind, notes, run }: DecisionContext,
  tool: ToolFace,
  argumentsHash: string,
): Promise<Ruling | undefined> {
  if (approval?.argumentsHash !== argumentsHash) {
    return refuse(
      'engine.approval_mismatch',
      `Approval ${approval?.id} was given for other arguments of ${tool.name} in run ${run.id}. Request a new one.`,
    );
  }
  // Earlier versions recorded approvals without a binding.
  if (bind === undefined || approval.binding === undefined) return undefined;
  const binding = await bind('all');
  const change = describeChange(approval.binding, binding);
  if (change === undefined) {
    const { draft } = approval.binding;
    notes.binding = draft === undefined ? binding : { ...binding, draft };
    return undefined;
  }
  const why = `${change} after the call was approved`;
  return askPerson({ why, rule: CHANGED_RULE, argumentsHash, binding, again: true });
}

/**
 * A policy row covers the program that it covered first. Only the administrator's and the installer's changes are accepted
 * silently. Returns why the row does not cover the call.
 */
function checkProgram(programs: KnownPrograms, binding: Binding): string | undefined {
  const program = programOf(binding);
  // A missing program cannot run; its error says what to do.
  if (program?.path === undefined) return undefined;
  const known = programs.get(program.name);
  if (known?.path === program.path && known.digest === program.digest) return undefined;
  const isBareName = !program.name.includes('/');
  if (known === undefined && program.owner === 'workspace' && isBareName)
    return `the policy row names "${program.name}", and that is ${program.path} in the workspace`;
  if (known === undefined || program.owner === 'system' || program.owner === 'oka') {
    programs.put(program);
    return undefined;
  }
  const change = describeChange(
    { part: 'program', files: [{ role: 'program', name: program.name, ...known }] },
    binding,
  );
  return `${change ?? 'the program changed'} since the policy row last covered it`;
}

/** What earlier versions recorded for a call that uses no files. */
const UNBOUND: Binding = { part: 'all', files: [] };

/**
 * Whether a grant covers a call. At high risk, for untrusted runs and for files that act, it must match the exact arguments. A call that is bound
 * to files is covered only by a grant with the same files.
 */
function isGranted(
  grants: Grants,
  { name, annotations }: ToolFace,
  call: {
    readonly argumentsHash: string;
    readonly binding: Binding | undefined;
    /** The rule that asks. A state that requires approval each time ignores earlier grants. */
    readonly rule: string;
  },
): boolean {
  if (call.rule === EACH_TIME_RULE) return false;
  const exactOnly =
    call.rule === UNTRUSTED_RULE ||
    call.rule === ACTING_FILE_RULE ||
    RISKS.indexOf(annotations.risk) >= RISKS.indexOf('high');
  return grants.of(name).some(({ argumentsHash, binding = UNBOUND }) => {
    if (call.binding !== undefined) {
      if (call.binding.notRemembered !== undefined) return false;
      if (describeChange(binding, call.binding) !== undefined) return false;
      if (argumentsHash === undefined && !sameScope(binding, call.binding)) return false;
    }
    return argumentsHash === undefined ? !exactOnly : argumentsHash === call.argumentsHash;
  });
}

function sameScope({ scope }: Binding, other: Binding): boolean {
  return scope !== undefined && other.scope !== undefined && sameJson(scope, other.scope);
}
