// Builds the events that a session records. Pure: no decisions, no IO.
import type { Failure, Json } from '../kernel/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import { type Binding, factsOf } from './binding.ts';
import { type Spend, sumOf } from './budgets.ts';
import type { ParkRequest, ToolOutcome } from './middleware.ts';
import { runEvent } from './run-events.ts';
import type { RunState } from './run-state.ts';
import { effectOf, mayRepeat, type ToolFace } from './tool.ts';
import type {
  ArtifactRef,
  AskHuman,
  CallTool,
  Decision,
  OpenIntent,
  Outcome,
  Pending,
  RecoveryNote,
  RunId,
  Transition,
} from './types.ts';

/** Facts about a call besides the decision itself. */
export interface CallFacts {
  readonly step: number;
  readonly policy?: string | undefined;
  readonly approval?: string | undefined;
  /** What the call was allowed with. */
  readonly binding?: Binding | undefined;
}

/** What a call has read: recorded with its outcome. */
export interface ReadMarks {
  readonly untrusted?: true | undefined;
  /** The source of untrusted content, if the tool's output is not always untrusted. */
  readonly untrustedFrom?: string | undefined;
}

/** The cost of a decision, including invalid answers before it. */
export function spendOf(decision: Decision): Spend | undefined {
  const spend = decision.spend ?? decision.model?.spend;
  const again = retriesOf(decision);
  return again === 0 ? spend : sumOf(spend, { retries: again });
}

/** Only what model calls spend: the step itself is counted when it is recorded. */
export function modelReserved(
  { step }: RunState,
  { steps: _, tool_calls: __, ...amounts }: Spend,
): EventDraft {
  return runEvent('model.reserved', { step, amounts });
}

/** The retries that a decision makes by itself. */
export function retriesOf(decision: Decision): number {
  if (decision.kind === 'call_tool') return decision.again ?? 0;
  return decision.kind === 'transition' && decision.remedy?.kind === 'retry' ? 1 : 0;
}

export type Settled = Exclude<ToolOutcome, { kind: 'pending' }>;

/** A call without effects: decision and outcome in one event. */
export function callCompleted(
  run: RunState,
  call: CallTool,
  facts: CallFacts,
  outcome: Settled,
  made: {
    readonly to: string | undefined;
    readonly attempts: number;
    readonly cached?: true | undefined;
    readonly reused?: { readonly run: string; readonly step: number };
    readonly charged?: Spend | undefined;
    readonly recovered?: readonly RecoveryNote[] | undefined;
  } & ReadMarks,
): EventDraft {
  const ok = outcome.kind === 'output';
  return runEvent(
    'step.completed',
    {
      approval: facts.approval,
      attempts: made.attempts > 1 ? made.attempts : undefined,
      cached: made.cached,
      expected: !ok && call.expects?.includes(outcome.failure.code) ? true : undefined,
      key: call.idempotencyKey,
      kind: 'call_tool',
      outcome: ok ? 'ok' : 'failed',
      policy: facts.policy,
      reused: made.reused,
      spend: made.charged === undefined ? spendOf(call) : sumOf(spendOf(call), made.charged),
      state: run.state,
      step: facts.step,
      to: made.to,
      tool: call.tool,
      untrusted: made.untrusted,
    },
    {
      failure: ok ? undefined : outcome.failure,
      input: call.input,
      model: call.model,
      output: ok ? outcome.output : undefined,
      rationale: call.rationale,
      recovered: made.recovered,
      untrustedFrom: made.untrustedFrom,
    },
  );
}

/** A call that was refused, and why. */
export function callRefused(
  run: RunState,
  call: CallTool,
  failure: Failure,
  facts: Omit<CallFacts, 'step'>,
): EventDraft {
  return runEvent(
    'step.completed',
    {
      step: run.step,
      state: run.state,
      kind: 'call_tool',
      outcome: 'refused',
      tool: call.tool,
      policy: facts.policy,
      approval: facts.approval,
      spend: spendOf(call),
    },
    { rationale: call.rationale, input: call.input, failure, model: call.model },
  );
}

export function callIntended(
  run: RunState,
  call: CallTool,
  facts: CallFacts,
  effect: { readonly key: string; readonly preimage: Json | undefined },
): EventDraft {
  return runEvent(
    'tool.intended',
    {
      step: facts.step,
      state: run.state,
      tool: call.tool,
      key: effect.key,
      keyed: call.idempotencyKey === undefined ? undefined : true,
      timeoutMs: call.timeoutMs,
      to: call.then,
      policy: facts.policy,
      approval: facts.approval,
      spend: spendOf(call),
    },
    {
      rationale: call.rationale,
      input: call.input,
      preimage: effect.preimage,
      binding: facts.binding,
      model: call.model,
    },
  );
}

/** The outcome of an intent or of a pending call. */
export function outcomeRecorded(
  call: { readonly step: number; readonly tool: string },
  outcome: Settled,
  made: {
    readonly to?: string | undefined;
    readonly attempts?: number;
    readonly by?: string;
    readonly charged?: Spend | undefined;
    readonly cached?: true | undefined;
    readonly recovered?: readonly RecoveryNote[] | undefined;
    /** What the handler changed, if only it could tell. */
    readonly changes?: Json | undefined;
    /** The rule by which a real run would have asked a person before it applied that; only in a simulation. */
    readonly asks?: string | undefined;
  } & ReadMarks,
): EventDraft {
  const { step, tool } = call;
  const attempts = (made.attempts ?? 1) > 1 ? made.attempts : undefined;
  const { by, untrusted, cached, recovered, untrustedFrom, changes: preimage, asks } = made;
  return outcome.kind === 'output'
    ? runEvent(
        'tool.completed',
        {
          ...{ step, tool, to: made.to, attempts, by, spend: made.charged },
          ...{ untrusted, cached, asks },
        },
        { output: outcome.output, preimage, recovered, untrustedFrom },
      )
    : runEvent(
        'tool.failed',
        { step, tool, attempts, by, spend: made.charged, untrusted },
        { failure: outcome.failure, preimage, recovered, untrustedFrom },
      );
}

export function callPending(
  run: RunState,
  call: CallTool,
  facts: CallFacts,
  pending: Pending,
  children: readonly RunId[] | undefined,
  { untrustedFrom, ...read }: ReadMarks = {},
): EventDraft {
  const spend = sumOf(spendOf(call), children ? { children: children.length } : {});
  return runEvent(
    'tool.pending',
    {
      step: facts.step,
      state: run.state,
      tool: call.tool,
      kind: pending.kind,
      to: call.then,
      policy: facts.policy,
      approval: facts.approval,
      at: pending.kind === 'timer' ? pending.at : pending.kind === 'event' ? pending.timeoutAt : undefined,
      event: pending.kind === 'event' ? pending.event : undefined,
      children,
      concurrency: pending.kind === 'children' ? pending.concurrency : undefined,
      onError: pending.kind === 'children' ? (pending.onError ?? 'fail') : undefined,
      single: pending.kind === 'children' && pending.single ? true : undefined,
      status: 'waiting',
      spend: Object.keys(spend).length > 0 ? spend : undefined,
      ...read,
    },
    { rationale: call.rationale, input: call.input, model: call.model, untrustedFrom },
  );
}

export function transitionMade(run: RunState, decision: Transition): EventDraft {
  const { step, state } = run;
  const { output, rationale, model } = decision;
  return runEvent(
    'step.completed',
    {
      step,
      state,
      kind: 'transition',
      outcome: 'ok',
      to: decision.to,
      of: output && 'evidence' in output ? output.evidence : undefined,
      spend: spendOf(decision),
    },
    { rationale, output: output && 'value' in output ? output.value : undefined, model },
  );
}

/** A transition that handles a failure. `at` is the time of the retry. */
export function remedyTaken(run: RunState, decision: Transition, at: number): EventDraft {
  const { step, state, evidence } = run;
  const { remedy, rationale, to, output } = decision;
  const failure = evidence.at(-1)?.failure;
  const code = failure?.code;
  switch (remedy?.kind) {
    case 'retry':
      return runEvent(
        'remediation.retried',
        { step, state, attempt: remedy.attempt, at, code, status: 'waiting', spend: spendOf(decision) },
        { rationale, failure },
      );
    case 'substitute':
      return runEvent(
        'remediation.substituted',
        { step, state, to, code },
        { rationale, output: output && 'value' in output ? output.value : null, failure },
      );
    default:
      return runEvent('remediation.branched', { step, state, to, code }, { rationale, failure });
  }
}

/** When a question was asked, when it expires, and its ID. */
export interface Asking {
  readonly id: string;
  readonly now: number;
  readonly expiresAt: number;
}

export function questionAsked(run: RunState, decision: AskHuman, asking: Asking): EventDraft {
  return runEvent(
    'question.asked',
    {
      id: asking.id,
      step: run.step,
      state: run.state,
      about: 'question',
      requestedAt: asking.now,
      expiresAt: asking.expiresAt,
      status: 'waiting',
      spend: spendOf(decision),
    },
    {
      question: decision.question,
      options: decision.options,
      rationale: decision.rationale,
      model: decision.model,
    },
  );
}

/** Possible answers about an effect with an unknown outcome, and what each does. */
const UNKNOWN_EFFECT_ANSWERS = {
  retry: 'calls the tool again with the same arguments. If it has acted, it acts twice.',
  done: 'continues as if the call had succeeded, without an output. The tool is not called.',
  fail: 'continues as if the call had failed. The tool is not called.',
} as const;

export function unknownEffectAsked(run: RunState, tool: ToolFace, why: string, asking: Asking): EventDraft {
  const { intent } = run;
  const input = intent?.call.input;
  return runEvent(
    'question.asked',
    {
      id: asking.id,
      step: intent?.step ?? run.step,
      state: run.state,
      about: 'unknown_effect',
      tool: tool.name,
      ...classOf(tool),
      requestedAt: asking.now,
      expiresAt: asking.expiresAt,
      status: 'waiting',
    },
    {
      question: `${why} Did it act? "retry" runs it again, "done" treats it as done, "fail" treats it as failed.`,
      options: Object.keys(UNKNOWN_EFFECT_ANSWERS),
      rationale: 'an effect that may not be repeated is never repeated without asking',
      arguments: input,
      effect: input === undefined ? undefined : effectOf(tool, input).what,
      known: knownAbout(tool, why, intent),
      answers: UNKNOWN_EFFECT_ANSWERS,
    },
  );
}

/** What is recorded about a call with an unknown outcome. */
function knownAbout(tool: ToolFace, why: string, intent: OpenIntent | undefined): readonly string[] {
  return [
    why,
    ...(intent?.at === undefined
      ? []
      : [`The intent was recorded at ${new Date(intent.at).toISOString()}, before the call.`]),
    `The call was started ${intent?.attempts === undefined ? 'once' : `${intent.attempts} times`}; no outcome was recorded.`,
    mayRepeat(tool)
      ? `${tool.name} may be repeated, but policy does not allow it without a person.`
      : `${tool.name} may not be repeated safely: a second call may have a second effect.`,
    ...(intent?.keyed ? [`Its idempotency key is ${intent.key}.`] : []),
    `Oka has no check that tells whether ${tool.name} has acted.`,
  ];
}

function classOf({ annotations, sideEffect }: ToolFace) {
  return { risk: annotations.risk, sideEffect, destructive: annotations.destructive };
}

/** The event that parks a run as a middleware requested. */
export function parked(
  run: RunState,
  waiting: ParkRequest,
  asking: Asking,
  spend: Spend | undefined,
  about: {
    readonly call?: CallTool;
    readonly tool?: ToolFace;
    readonly recovered?: readonly RecoveryNote[] | undefined;
  } = {},
): EventDraft {
  const { call, tool } = about;
  const recovered = about.recovered?.length ? { recovered: about.recovered } : undefined;
  switch (waiting.for) {
    case 'budget': {
      const { budget, used, limit, needed, pool } = waiting;
      const short = { budget, used, limit, needed, pool };
      return runEvent('budget.exhausted', { ...short, status: 'waiting', spend }, recovered);
    }
    case 'time':
      return runEvent(
        'run.deferred',
        { at: waiting.at, why: waiting.why, status: 'waiting', spend },
        recovered,
      );
    case 'approval':
      return runEvent(
        'approval.requested',
        {
          id: asking.id,
          step: run.step,
          state: run.state,
          tool: (tool as ToolFace).name,
          argumentsHash: waiting.argumentsHash,
          ...classOf(tool as ToolFace),
          why: waiting.why,
          rule: waiting.rule,
          requestedAt: asking.now,
          expiresAt: asking.expiresAt,
          to: call?.then,
          key: call?.idempotencyKey,
          timeoutMs: call?.timeoutMs,
          retries: call?.retries,
          again: waiting.again,
          status: 'waiting',
          spend,
        },
        {
          rationale: call?.rationale ?? '',
          arguments: call?.input ?? null,
          effect: effectOf(tool as ToolFace, call?.input ?? null).what,
          binding: waiting.binding,
          known: knownOf(waiting),
          model: call?.model,
        },
      );
  }
}

function knownOf({ binding, known = [] }: ParkRequest & { for: 'approval' }): readonly string[] | undefined {
  const facts = [...known, ...(binding === undefined ? [] : factsOf(binding))];
  return facts.length === 0 ? undefined : facts;
}

export function runCompleted(
  run: RunState,
  decision: Decision,
  target: string,
  { output, outcome }: { readonly output: Json; readonly outcome: Outcome | undefined },
): EventDraft {
  return runEvent(
    'run.completed',
    {
      ...{ step: run.step, from: run.state, state: target, status: 'completed', spend: spendOf(decision) },
      outcome: outcome?.is,
    },
    { output, rationale: decision.rationale, model: decision.model, because: outcome?.because },
  );
}

export function runFailed(
  run: RunState,
  failure: Failure,
  rationale: string,
  about: {
    readonly state: string;
    readonly planned: Decision | undefined;
    readonly spend: Spend | undefined;
    readonly recovered?: readonly RecoveryNote[] | undefined;
  },
): EventDraft {
  return runEvent(
    'run.failed',
    {
      step: run.step,
      from: run.state,
      state: about.state,
      code: failure.code,
      planned: about.planned ? true : undefined,
      status: 'failed',
      spend: about.spend,
    },
    {
      failure,
      rationale,
      model: about.planned?.model,
      recovered: about.recovered?.length ? about.recovered : undefined,
    },
  );
}

/** Content of a failed planner call that is kept. */
export function artifactsKept(step: number, artifacts: readonly ArtifactRef[]): EventDraft {
  return runEvent('artifacts.emitted', { step, tool: 'model', count: artifacts.length }, artifacts);
}
