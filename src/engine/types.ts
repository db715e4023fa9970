import type { Digest, EpochMs, Failure, Json, JsonObject } from '../kernel/index.ts';
import type { Binding } from './binding.ts';
import type { BudgetLimits, Spend } from './budgets.ts';

export type RunId = string & { readonly brand: 'RunId' };
export type ApprovalId = string & { readonly brand: 'ApprovalId' };

export type Awaitable<T> = T | Promise<T>;

export type RunStatus = 'pending' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled';

/** A reference to content in the artifact store. */
export interface ArtifactRef {
  readonly digest: Digest;
  readonly bytes: number;
  readonly mediaType: string;
  readonly name?: string;
}

/** A planner's answer: one bounded step and why. */
export type Decision = CallTool | Transition | AskHuman | Finish | Fail;

interface Reasoned {
  readonly rationale: string;
  /** The cost and input of the model; recorded with the decision. */
  readonly model?: ModelUse;
  /** The charge, if it exceeds the model's use. Set by the engine only. */
  readonly spend?: Spend;
}

export interface CallTool extends Reasoned {
  readonly kind: 'call_tool';
  readonly tool: string;
  readonly input: Json;
  /** The state to enter when the call succeeds; outcome and transition are then one commit. */
  readonly then?: string;
  /**
   * The outcome is stored under the tool and this key: a second call with both, in any run, returns it and does not act.
   */
  readonly idempotencyKey?: string;
  /** Overrides the timeout of the tool and the engine. */
  readonly timeoutMs?: number;
  /** How often the engine may retry, within the budgets. */
  readonly retries?: number;
  /** The codes of failures that the planner takes as an answer, such as that a file does not exist. */
  readonly expects?: readonly string[];
  /** A person must confirm the call, also where policy allows it. */
  readonly confirm?: true;
  /** How many failed pieces of work this call tries again; charged to the budget `retries`. */
  readonly again?: number;
}

export interface Transition extends Reasoned {
  readonly kind: 'transition';
  readonly to: string;
  /** The result of the state being left: its own value, or the index of earlier evidence. */
  readonly output?: { readonly value: Json } | { readonly evidence: number };
  /** Marks the transition as the handling of a failure. `retry` stays in the state after a delay. */
  readonly remedy?: Remedy;
}

export type Remedy =
  | { readonly kind: 'retry'; readonly attempt: number }
  | { readonly kind: 'branch' }
  | { readonly kind: 'substitute' };

export interface AskHuman extends Reasoned {
  readonly kind: 'ask_human';
  readonly question: string;
  /** If given, only these answers are accepted. */
  readonly options?: readonly string[];
  readonly expiresInMs?: number;
}

export interface Finish extends Reasoned {
  readonly kind: 'finish';
  readonly output: Json;
  /** What the planner knows about it; the engine's judge may know better. */
  readonly outcome?: Outcome;
}

/** How certain it is that a completed run did what it was asked: everything was checked, a part is missing, or nothing proves it. */
export interface Outcome {
  readonly is: 'checked' | 'partial' | 'unproven';
  /** What was checked, what is missing, or why it is not proven. */
  readonly because: readonly string[];
}

export interface Fail extends Reasoned {
  readonly kind: 'fail';
  readonly reason: string;
  readonly code?: string;
}

export interface ModelUse {
  readonly provider: string;
  readonly model: string;
  readonly requestDigest: Digest;
  /** The response in the form the planner needs; it returns as evidence. */
  readonly response?: Json;
  readonly spend: Spend;
  /** What the model's context contained and what was omitted. */
  readonly manifest?: Json;
  /** The request as the planner builds it now; set when a decision is replayed, never recorded. */
  readonly request?: Json;
  /** Failures on the way to this answer, and what was done about them. */
  readonly recovered?: readonly RecoveryNote[];
}

/** A failure that was handled inside a step, recorded with its outcome. */
export interface RecoveryNote {
  readonly kind:
    | 'retry'
    | 'model_retry'
    | 'fallback_model'
    | 'fallback_rules'
    | 'continued'
    | 'request_failed'
    | 'repair'
    | 'skipped';
  /** The tool, model or run that failed. */
  readonly subject?: string;
  /** The number of the retry, from 1. */
  readonly attempt?: number;
  readonly waitMs?: number;
  readonly code?: string;
  readonly message: string;
}

/** A tool call with a recorded intent and no recorded outcome. */
export interface OpenIntent {
  readonly step: number;
  readonly call: CallTool;
  readonly key: string;
  /** The outcome is stored under the key. */
  readonly keyed?: true;
  readonly policy?: string;
  readonly approval?: string;
  /** What the call was allowed with. */
  readonly binding?: Binding;
  /** When the intent was recorded. */
  readonly at?: EpochMs;
  /** How often the call was started; 1 if missing. */
  attempts?: number;
  /** A person's answer about an unknown outcome. */
  answer?: string;
}

/** What a run has learned, in order. The planner sees all of it. */
export interface Evidence {
  readonly step: number;
  readonly state: string;
  /** `model`: a model's response, recorded by the planner that called it. */
  readonly source: 'tool' | 'person' | 'recall' | 'signal' | 'decision' | 'remedy' | 'model';
  readonly tool?: string;
  readonly input?: Json;
  readonly output?: Json;
  readonly failure?: Failure;
  /** It may contain untrusted content, which makes the run untrusted. */
  readonly untrusted?: true;
  /** Where the untrusted content of recalled evidence comes from. */
  readonly untrustedFrom?: string;
}

/** The hashes of everything that determines a run. */
export interface Pins {
  readonly graph: Digest;
  readonly planner: string;
  readonly tools: Digest;
  readonly policy: string;
}

/** The origin of a run. */
export interface Lineage {
  readonly parent?: RunId;
  readonly root: RunId;
  readonly depth: number;
  /** Stable across resumes: the first run of this line. */
  readonly origin: string;
  readonly resumedFrom?: RunId;
  readonly forkedFrom?: { readonly run: RunId; readonly step: number };
}

/** A requested child run. */
export interface ChildSpec {
  readonly kind: string;
  readonly goal: string;
  readonly vars?: JsonObject;
  readonly budgets?: BudgetLimits;
  /** Overrides the graph of its kind; stored as an artifact. */
  readonly graph?: Digest;
  /** The subject of the run, such as the ID of an automation. */
  readonly subject?: string;
}

export type ChildErrorPolicy = 'fail' | 'skip' | 'collect';

/** An outcome that is not available yet: the run parks until the timer, the event or the children resolve it. */
export type Pending =
  | { readonly kind: 'timer'; readonly at: EpochMs }
  | { readonly kind: 'event'; readonly event: string; readonly timeoutAt?: EpochMs }
  | {
      readonly kind: 'children';
      readonly children: readonly ChildSpec[];
      readonly concurrency?: number;
      readonly onError?: ChildErrorPolicy;
      /** There is one child, and its output is the outcome, not a list of one. */
      readonly single?: boolean;
    };

export type EngineErrorCode =
  | 'engine.unknown_run'
  | 'engine.run_archived'
  | 'engine.run_simulated'
  | 'engine.unknown_kind'
  | 'engine.unknown_tool'
  | 'engine.unknown_approval'
  | 'engine.run_owned'
  | 'engine.run_interrupted'
  | 'engine.start_unknown'
  | 'engine.run_ended'
  | 'engine.ownership_lost'
  | 'engine.invalid_graph'
  | 'engine.invalid_tool'
  | 'engine.invalid_decision'
  | 'engine.invalid_transition'
  | 'engine.tool_not_eligible'
  | 'engine.tool_input_invalid'
  | 'engine.redacted_input'
  | 'engine.tool_output_invalid'
  | 'engine.tool_failed'
  | 'engine.tool_timeout'
  | 'engine.output_too_large'
  | 'engine.effect_unknown'
  | 'engine.effect_under_way'
  | 'engine.key_reused'
  | 'engine.planner_failed'
  | 'engine.repeated_call'
  | 'engine.policy_denied'
  | 'engine.approval_denied'
  | 'engine.approval_expired'
  | 'engine.approval_mismatch'
  | 'engine.approval_ambiguous'
  | 'engine.approval_decided'
  | 'engine.binding_changed'
  | 'engine.apply_asks'
  | 'engine.not_remembered'
  | 'engine.unknown_grant'
  | 'engine.answer_not_offered'
  | 'engine.budget_exhausted'
  | 'engine.invalid_budget'
  | 'engine.rate_limited'
  | 'engine.middleware_violation'
  | 'engine.hook_failed'
  | 'engine.cancelled'
  | 'engine.child_failed'
  | 'engine.pins_changed'
  | 'engine.nothing_to_undo'
  | 'engine.undo_conflict'
  | 'engine.content_erased'
  | 'engine.artifact_missing'
  | 'engine.artifact_damaged'
  | 'engine.not_waiting';
