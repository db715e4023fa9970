// Reads decisions, verdicts and outcomes from the events of a run. Pure.
import type { Failure, Json } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import { CHANGED_RULE } from './binding.ts';
import { CONFIRM_RULE } from './middleware/judge-call.ts';
import type { PolicyVerdict } from './ports.ts';
import type { RunState } from './run-state.ts';
import type { CallTool } from './types.ts';

type Loose = Readonly<Record<string, Json | undefined>>;

/** The planner's decision at an event, without its rationale; undefined if no planner was involved. */
export function recordedDecision(event: LedgerEvent): Json | undefined {
  const data = event.data as Loose;
  const body = (event.body ?? {}) as Loose;
  const call = (input: Json | undefined, key?: { readonly key: Json | undefined }): Json => ({
    kind: 'call_tool',
    tool: data['tool'] as string,
    input: input ?? null,
    ...(data['to'] === undefined ? {} : { then: data['to'] }),
    ...(key?.key === undefined ? {} : { key: key.key }),
  });
  switch (event.type) {
    case 'step.completed':
      if (data['approval'] !== undefined) return undefined;
      return data['kind'] === 'transition'
        ? transition(data, body)
        : call(body['input'], { key: data['key'] });
    case 'tool.intended': {
      const key = data['keyed'] ? data['key'] : undefined;
      return data['approval'] === undefined ? call(body['input'], { key }) : undefined;
    }
    case 'tool.pending':
      return data['approval'] === undefined ? call(body['input']) : undefined;
    case 'approval.requested':
      if (data['again'] !== undefined) return undefined;
      return call(body['arguments'], { key: data['key'] });
    case 'remediation.retried':
      return { kind: 'transition', to: data['state'] as string, remedy: 'retry' };
    case 'remediation.branched':
      return { kind: 'transition', to: data['to'] as string, remedy: 'branch' };
    case 'remediation.substituted':
      return {
        kind: 'transition',
        to: data['to'] as string,
        value: body['output'] ?? null,
        remedy: 'substitute',
      };
    case 'question.asked':
      if (data['about'] !== 'question') return undefined;
      return {
        kind: 'ask_human',
        question: body['question'] as string,
        ...(body['options'] === undefined ? {} : { options: body['options'] }),
      };
    case 'run.completed':
      return { kind: 'finish', output: body['output'] ?? null };
    case 'run.failed':
      if (!data['planned']) return undefined;
      return { kind: 'fail', code: data['code'] as string, reason: failureIn(body)?.message ?? '' };
    default:
      return undefined;
  }
}

function transition(data: Loose, body: Loose): Json {
  return {
    kind: 'transition',
    to: data['to'] as string,
    ...(data['of'] === undefined ? {} : { evidence: data['of'] }),
    ...(body['output'] === undefined ? {} : { value: body['output'] }),
  };
}

/** What the policy decided about the call at an event; undefined if it was not asked. A grant answers what it asks. */
export function recordedVerdict(
  event: LedgerEvent,
): { readonly decision: PolicyVerdict['decision']; readonly input: Json } | undefined {
  const data = event.data as Loose;
  const body = (event.body ?? {}) as Loose;
  const isOfPolicy = data['rule'] !== CHANGED_RULE && data['rule'] !== CONFIRM_RULE;
  if (event.type === 'approval.requested' && (data['again'] !== undefined || !isOfPolicy)) return undefined;
  if (event.type === 'approval.requested') return { decision: 'ask', input: body['arguments'] ?? null };
  const rule = data['policy'];
  if (typeof rule !== 'string' || data['approval'] !== undefined) return undefined;
  const decision = rule.slice(0, rule.indexOf(':'));
  const input = body['input'] ?? null;
  return { decision: decision === 'grant' ? 'ask' : (decision as PolicyVerdict['decision']), input };
}

/** A call that was made, with its recorded outcome. */
export interface RecordedCall {
  readonly step: number;
  readonly call: CallTool;
  readonly recorded: Readonly<Record<string, Json>>;
}

/** The call whose outcome an event records; undefined if it was not made, or its outcome came from elsewhere. */
export function recordedCall(event: LedgerEvent, run: RunState): RecordedCall | undefined {
  const data = event.data as Loose;
  const body = (event.body ?? {}) as Loose;
  if (event.type === 'step.completed') {
    const isMade = data['kind'] === 'call_tool' && data['outcome'] !== 'refused';
    if (!isMade || data['cached'] !== undefined || data['reused'] !== undefined) return undefined;
    const { tool, step } = data as { tool: string; step: number };
    return toCall(step, { kind: 'call_tool', tool, input: body['input'] ?? null, rationale: '' }, body);
  }
  if (event.type !== 'tool.completed' && event.type !== 'tool.failed') return undefined;
  if (run.intent === undefined || data['by'] !== undefined) return undefined;
  return toCall(run.intent.step, run.intent.call, body);
}

function toCall(step: number, call: CallTool, body: Loose): RecordedCall {
  const { tool, input } = call;
  const failure = failureIn(body);
  const recorded: Record<string, Json> =
    failure === undefined
      ? { tool, input, outcome: 'ok', output: body['output'] ?? null }
      : { tool, input, outcome: 'failed', failure: failure.code };
  return { step, call, recorded };
}

function failureIn(body: Loose): Failure | undefined {
  return body['failure'] as unknown as Failure | undefined;
}
