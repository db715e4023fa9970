import type { Digest, Failure, Json, JsonObject } from '../kernel/index.ts';
import type { EventDraft } from '../ledger/index.ts';
import type { Binding } from './binding.ts';
import type { BudgetLimits, Spend } from './budgets.ts';
import type { Risk, SideEffect } from './tool.ts';
import type {
  ArtifactRef,
  ChildErrorPolicy,
  Evidence,
  Lineage,
  ModelUse,
  OpenIntent,
  Outcome,
  Pins,
  RecoveryNote,
  RunId,
  RunStatus,
} from './types.ts';

/**
 * The data of each event of a run's stream. Erasable content is in the bodies below. Undefined members are omitted when an
 * event is written, so a draft may contain them.
 */
export interface RunEventData {
  'run.started': {
    kind: string;
    state: string;
    /** The state entered directly, because the start state does nothing. */
    to?: string | undefined;
    pins: Pins;
    subject?: string | undefined;
    limits: BudgetLimits;
    lineage: Lineage;
    group?: string | undefined;
    owner?: string | undefined;
    epoch: number;
    /** The run starts untrusted, because its parent has read untrusted content. */
    untrusted?: true | undefined;
    status: RunStatus;
  };
  'run.claimed': { owner: string; epoch: number; status: RunStatus };
  'run.released': { status: RunStatus };
  'run.repinned': { pins: Pins };
  'evidence.recalled': { count: number; untrusted?: true | undefined };
  'step.completed': {
    step: number;
    state: string;
    kind: 'call_tool' | 'transition';
    outcome: 'ok' | 'failed' | 'refused';
    tool?: string | undefined;
    to?: string | undefined;
    policy?: string | undefined;
    approval?: string | undefined;
    attempts?: number | undefined;
    cached?: true | undefined;
    /** The failure is an answer that the planner expects. */
    expected?: true | undefined;
    key?: string | undefined;
    /** Where the outcome of this key was recorded. */
    reused?: { readonly run: string; readonly step: number } | undefined;
    /** The evidence index of the result of the state being left. */
    of?: number | undefined;
    spend?: Spend | undefined;
    /** The tool's output is untrusted. */
    untrusted?: true | undefined;
  };
  /** What the model calls of a step cost at most, recorded before each of them. What settles the step replaces it. */
  'model.reserved': { step: number; amounts: Spend };
  'tool.intended': {
    step: number;
    state: string;
    tool: string;
    key: string;
    keyed?: true | undefined;
    timeoutMs?: number | undefined;
    to?: string | undefined;
    policy?: string | undefined;
    approval?: string | undefined;
    spend?: Spend | undefined;
  };
  'tool.completed': {
    step: number;
    tool: string;
    to?: string | undefined;
    attempts?: number | undefined;
    by?: string | undefined;
    spend?: Spend | undefined;
    untrusted?: true | undefined;
    cached?: true | undefined;
    /** The rule by which a real run would have asked a person; only in a simulation. */
    asks?: string | undefined;
  };
  'tool.failed': {
    step: number;
    tool: string;
    attempts?: number | undefined;
    by?: string | undefined;
    spend?: Spend | undefined;
    untrusted?: true | undefined;
  };
  /** The call was not started, because what it is bound to changed. */
  'tool.withdrawn': { step: number; tool: string };
  'artifacts.emitted': { step: number; tool: string; count: number };
  'tool.pending': {
    step: number;
    state: string;
    tool: string;
    kind: 'timer' | 'event' | 'children';
    to?: string | undefined;
    policy?: string | undefined;
    approval?: string | undefined;
    at?: number | undefined;
    event?: string | undefined;
    children?: readonly string[] | undefined;
    concurrency?: number | undefined;
    onError?: ChildErrorPolicy | undefined;
    single?: true | undefined;
    status: RunStatus;
    spend?: Spend | undefined;
    untrusted?: true | undefined;
  };
  'tool.retried': {
    step: number;
    tool: string;
    /** Without it a person asked for the retry. */
    by?: 'engine' | 'person' | undefined;
    attempt?: number | undefined;
  };
  'remediation.retried': {
    step: number;
    state: string;
    attempt: number;
    at: number;
    code?: string | undefined;
    status: RunStatus;
    spend?: Spend | undefined;
  };
  'remediation.branched': { step: number; state: string; to: string; code?: string | undefined };
  'remediation.substituted': { step: number; state: string; to: string; code?: string | undefined };
  'child.ended': {
    child: string;
    status: RunStatus;
    used: Spend;
    untrusted?: true | undefined;
  };
  'run.signalled': { event: string; by: string };
  'approval.requested': {
    id: string;
    step: number;
    state: string;
    tool: string;
    argumentsHash: string;
    risk: Risk;
    why: string;
    /** The policy rule that asks. */
    rule?: string | undefined;
    sideEffect?: SideEffect | undefined;
    destructive?: boolean | undefined;
    requestedAt: number;
    expiresAt: number;
    to?: string | undefined;
    key?: string | undefined;
    timeoutMs?: number | undefined;
    retries?: number | undefined;
    /** Asked before about the same call, which changed since then; no planner was involved. */
    again?: true | undefined;
    status: RunStatus;
    spend?: Spend | undefined;
  };
  'approval.granted': {
    id: string;
    by: string;
    argumentsHash: string;
    edited?: true | undefined;
    status: RunStatus;
  };
  'approval.denied': { id: string; by: string; status: RunStatus };
  'approval.expired': { id: string; status: RunStatus };
  'question.asked': {
    id: string;
    step: number;
    state: string;
    about: 'question' | 'unknown_effect';
    tool?: string | undefined;
    risk?: Risk | undefined;
    sideEffect?: SideEffect | undefined;
    destructive?: boolean | undefined;
    requestedAt: number;
    expiresAt: number;
    status: RunStatus;
    spend?: Spend | undefined;
  };
  'question.answered': { id: string; by: string; status: RunStatus };
  'budget.exhausted': {
    budget: string;
    used: number;
    limit: number;
    needed: number;
    /** The shared pool or the state whose limit it is, if it is not the run's own. */
    pool?: string | undefined;
    status: RunStatus;
    spend?: Spend | undefined;
  };
  'run.budget_added': { amounts: Spend; by: string; status: RunStatus };
  'run.deferred': { at: number; why: string; status: RunStatus; spend?: Spend | undefined };
  'run.pause_requested': { by: string };
  'run.paused': { by: string; status: RunStatus };
  'run.unpaused': { by: string; status: RunStatus };
  'run.cancel_requested': { by: string; reason: string };
  'run.cancelled': { by: string; reason: string; state: string; status: RunStatus };
  'run.completed': {
    step: number;
    from: string;
    state: string;
    status: RunStatus;
    spend?: Spend | undefined;
    /** Missing in runs of older versions and of engines without a judge. */
    outcome?: Outcome['is'] | undefined;
  };
  'run.failed': {
    step: number;
    from: string;
    state: string;
    code: string;
    planned?: true | undefined;
    status: RunStatus;
    spend?: Spend | undefined;
  };
  'run.corrected': { by: string };
  /** `within` is the ancestor that was undone, and this run with it. */
  'run.undo_intended': { by: string; steps: readonly number[]; within?: RunId | undefined };
  'run.undone': { by: string; restored: number; kept: number; within?: RunId | undefined };
  'hook.ran': { hook: string; ok: boolean; exitCode: number | null };
}

export interface RunEventBodies {
  'run.started': {
    goal: string;
    vars: JsonObject;
    /** The digest of what was asked for, if the start had a key. Erased with the rest. */
    asked?: Digest | undefined;
    base?: CarriedState | undefined;
    /** What made a run untrusted from the start. */
    untrustedFrom?: string | undefined;
    /** The hosts that a person has named for it; without them, none. */
    namedHosts?: readonly string[] | undefined;
  };
  'evidence.recalled': readonly Evidence[];
  'step.completed': {
    rationale: string;
    input?: Json | undefined;
    output?: Json | undefined;
    failure?: Failure | undefined;
    model?: ModelUse | undefined;
    recovered?: readonly RecoveryNote[] | undefined;
    /** The untrusted content that the handler read, if the tool's output is not always untrusted. */
    untrustedFrom?: string | undefined;
  };
  'tool.intended': {
    rationale: string;
    input: Json;
    preimage?: Json | undefined;
    binding?: Binding | undefined;
    model?: ModelUse | undefined;
  };
  'remediation.retried': { rationale: string; failure?: Failure | undefined };
  'remediation.branched': { rationale: string; failure?: Failure | undefined };
  'remediation.substituted': { rationale: string; output: Json; failure?: Failure | undefined };
  'tool.completed': {
    output: Json;
    /** What the handler changed, if only it could tell. */
    preimage?: Json | undefined;
    recovered?: readonly RecoveryNote[] | undefined;
    untrustedFrom?: string | undefined;
  };
  'artifacts.emitted': readonly ArtifactRef[];
  'tool.withdrawn': { failure: Failure };
  'tool.failed': {
    failure: Failure;
    preimage?: Json | undefined;
    recovered?: readonly RecoveryNote[] | undefined;
    untrustedFrom?: string | undefined;
  };
  'tool.pending': {
    rationale: string;
    input: Json;
    model?: ModelUse | undefined;
    untrustedFrom?: string | undefined;
  };
  'child.ended': {
    output?: Json | undefined;
    failure?: Failure | undefined;
    /** The hosts that people have named for the child, when it started and since. */
    namedHosts?: readonly string[] | undefined;
  };
  'run.signalled': Json;
  'approval.requested': {
    rationale: string;
    arguments: Json;
    /** What the call changes, in one line. */
    effect?: string | undefined;
    binding?: Binding | undefined;
    /** The facts about the call that a person sees. */
    known?: readonly string[] | undefined;
    model?: ModelUse | undefined;
  };
  'approval.granted': {
    /** Other arguments than the requested ones, and what the call with these is bound to. */
    arguments?: Json | undefined;
    binding?: Binding | undefined;
    /** The hosts that the approved call contacts, which the approval names for the rest of the run. */
    namedHosts?: readonly string[] | undefined;
  };
  'question.asked': {
    question: string;
    options?: readonly string[] | undefined;
    rationale: string;
    model?: ModelUse | undefined;
    /** About an unknown effect: the call, what is known about it, and what each answer does. */
    arguments?: Json | undefined;
    effect?: string | undefined;
    known?: readonly string[] | undefined;
    answers?: Readonly<Record<string, string>> | undefined;
  };
  'approval.denied': { reason: string };
  'question.answered': { answer: string };
  'run.completed': {
    output: Json;
    rationale: string;
    model?: ModelUse | undefined;
    because?: Outcome['because'] | undefined;
  };
  'run.failed': {
    failure: Failure;
    rationale: string;
    model?: ModelUse | undefined;
    /** The failed requests of the planner's last call. */
    recovered?: readonly RecoveryNote[] | undefined;
  };
  'run.deferred': { recovered: readonly RecoveryNote[] };
  'budget.exhausted': { recovered: readonly RecoveryNote[] };
  'run.corrected': { text: string };
  'run.undone': { files: readonly Json[] };
  'hook.ran': { output: string };
}

export type RunEventType = keyof RunEventData;

/** What a new run inherits from the one it continues. */
export interface CarriedState {
  readonly state: string;
  readonly step: number;
  readonly evidence: readonly Evidence[];
  readonly used: Spend;
  readonly artifacts: readonly ArtifactRef[];
  readonly visits: Readonly<Record<string, number>>;
  readonly latest: Readonly<Record<string, number>>;
  readonly stay: { readonly since: number; readonly last: number };
  /** An effect with an unknown outcome. */
  readonly intent?: OpenIntent;
}

/** Creates a draft of a run event, typed by the tables above. */
export function runEvent<Type extends RunEventType>(
  type: Type,
  data: RunEventData[Type],
  ...body: Type extends keyof RunEventBodies ? [body?: RunEventBodies[Type]] : []
): EventDraft {
  return body[0] === undefined
    ? { type, data: data as unknown as JsonObject }
    : { type, data: data as unknown as JsonObject, body: body[0] as unknown as Json };
}

export function runStream(run: string): string {
  return `run/${run}`;
}

export function budgetStream(root: string): string {
  return `budget/${root}`;
}
