import { type Digest, digestOfJson, type Json, sameJson } from '../../kernel/index.ts';
import { type Binding, CHANGED_RULE, describeChange, programOf } from '../binding.ts';
import { type BuiltInMiddleware, type DecisionContext, type Ruling, refuse } from '../middleware.ts';
import type { Grant, Grants, KnownPrograms, Policy, PolicyVerdict } from '../ports.ts';
import { RISKS, type ToolFace } from '../tool.ts';
import { CONFIRM_RULE, EACH_TIME_RULE, judgeCall, UNTRUSTED_RULE } from './judge-call.ts';

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
    if (verdict.decision === 'allow' && approval === undefined && bind === undefined) return undefined;
    const argumentsHash = hashArguments(tool.name, decision.input);
    if (approval !== undefined) return checkApproval(context, tool, argumentsHash);
    if (verdict.decision === 'allow' && bind !== undefined) {
      const binding = await bind('program');
      const why = checkProgram(programs, binding);
      if (why === undefined) {
        notes.binding = binding;
        return undefined;
      }
      return askPerson({ why, rule: CHANGED_RULE, argumentsHash, binding: await bind('all') });
    }
    const binding = await bind?.('all');
    // A state that requires approval each time ignores earlier grants.
    if (
      verdict.rule !== EACH_TIME_RULE &&
      isGranted(grants.of(tool.name), tool, {
        argumentsHash,
        binding,
        exact: verdict.rule === UNTRUSTED_RULE,
      })
    ) {
      notes.policy = `grant:${verdict.rule}`;
      if (binding !== undefined) notes.binding = binding;
      return undefined;
    }
    return askPerson({ why: verdict.why, rule: verdict.rule, argumentsHash, binding });
  };
  return { name: 'policy', onDecision: async (context, next) => (await judge(context)) ?? next() };
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
    notes.binding = binding;
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

/**
 * Whether a grant covers a call. At high risk, and for untrusted runs, it must match the exact arguments. A call that is bound
 * to files is covered only by a grant with the same files.
 */
function isGranted(
  grants: readonly Grant[],
  { annotations }: ToolFace,
  call: {
    readonly argumentsHash: string;
    readonly binding: Binding | undefined;
    readonly exact: boolean;
  },
): boolean {
  const exactOnly = call.exact || RISKS.indexOf(annotations.risk) >= RISKS.indexOf('high');
  return grants.some(({ argumentsHash, binding }) => {
    if (call.binding !== undefined) {
      if (binding === undefined || call.binding.notRemembered !== undefined) return false;
      if (describeChange(binding, call.binding) !== undefined) return false;
      if (argumentsHash === undefined && !sameScope(binding, call.binding)) return false;
    }
    return argumentsHash === undefined ? !exactOnly : argumentsHash === call.argumentsHash;
  });
}

function sameScope({ scope }: Binding, other: Binding): boolean {
  return scope !== undefined && other.scope !== undefined && sameJson(scope, other.scope);
}
