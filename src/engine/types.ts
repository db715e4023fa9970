import type { Digest, EpochMs, Failure, Json, JsonObject } from '../kernel/index.ts';
import type { BudgetLimits, Spend } from './budgets.ts';

export type RunId = string & { readonly brand: 'RunId' };
export type ApprovalId = string & { readonly brand: 'ApprovalId' };

export type RunStatus = 'pending' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled';

/** A reference to content kept by the artifact store. */
export interface ArtifactRef {
  readonly digest: Digest;
  readonly bytes: number;
  readonly mediaType: string;
  readonly name?: string;
}

/** What a planner may answer: one bounded step and why. */
export type Decision = CallTool | Transition | AskHuman | Finish | Fail;

interface Reasoned {
  readonly rationale: string;
  /** What asking a model cost and saw; recorded with the decision. */
  readonly model?: ModelUse;
  /** What is charged with it, when that is more than the model's use. The engine's own; a planner may not say it. */
  readonly spend?: Spend;
}

export interface CallTool extends Reasoned {
  readonly kind: 'call_tool';
  readonly tool: string;
  readonly input: Json;
  /** The state to enter when the call succeeds; outcome and transition are then one commit. */
  readonly then?: string;
  /**
   * Its outcome is kept under the tool and this key: a second call with both answers with it and does not act, whichever
   * run makes it.
   */
  readonly idempotencyKey?: string;
  /** Bounds this call instead of what its tool and the engine would. */
  readonly timeoutMs?: number;
  /** How often the engine may try again by itself, at most what budgets allow. */
  readonly retries?: number;
}

export interface Transition extends Reasoned {
  readonly kind: 'transition';
  readonly to: string;
  /** What the state that is left came to: a value of its own, or the output of earlier evidence, by its place. */
  readonly output?: { readonly value: Json } | { readonly evidence: number };
  /** Why this is a remedy for a failure, so that the record says so. `retry` stays in the state, after a pause. */
  readonly remedy?: Remedy;
}

export type Remedy =
  | { readonly kind: 'retry'; readonly attempt: number }
  | { readonly kind: 'branch' }
  | { readonly kind: 'substitute' };

export interface AskHuman extends Reasoned {
  readonly kind: 'ask_human';
  readonly question: string;
  /** When given, only these answers are taken. */
  readonly options?: readonly string[];
  readonly expiresInMs?: number;
}

export interface Finish extends Reasoned {
  readonly kind: 'finish';
  readonly output: Json;
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
  /** What it said, as the planner will need it again; it comes back as evidence. */
  readonly response?: Json;
  readonly spend: Spend;
  /** What went into the model's context and what was left out. */
  readonly manifest?: Json;
}

/** A tool call whose intent is on record and whose outcome is not. */
export interface OpenIntent {
  readonly step: number;
  readonly call: CallTool;
  readonly key: string;
  /** Its outcome is kept under the key. */
  readonly keyed?: true;
  readonly policy?: string;
  readonly approval?: string;
  /** Set when a person has said what to do about an outcome that nobody knows. */
  answer?: string;
}

/** What a run has learned, in order. The planner sees all of it. */
export interface Evidence {
  readonly step: number;
  readonly state: string;
  /** `model`: what a model said when it was asked for a decision, as the planner that asked it has put it on record. */
  readonly source: 'tool' | 'person' | 'recall' | 'signal' | 'decision' | 'remedy' | 'model';
  readonly tool?: string;
  readonly input?: Json;
  readonly output?: Json;
  readonly failure?: Failure;
  /** Of what is recalled: strangers may have had a hand in it, so the run counts as having read their words. */
  readonly untrusted?: true;
}

/** The hashes of all that shaped a run. */
export interface Pins {
  readonly graph: Digest;
  readonly planner: string;
  readonly tools: Digest;
  readonly policy: string;
}

/** Where a run comes from. */
export interface Lineage {
  readonly parent?: RunId;
  readonly root: RunId;
  readonly depth: number;
  /** Stable over resumes: the first run of this line. */
  readonly origin: string;
  readonly resumedFrom?: RunId;
  readonly forkedFrom?: { readonly run: RunId; readonly step: number };
}

/** A child that a run asks for. */
export interface ChildSpec {
  readonly kind: string;
  readonly goal: string;
  readonly vars?: JsonObject;
  readonly budgets?: BudgetLimits;
  /** A state graph of its own, kept among the artifacts, instead of its kind's. */
  readonly graph?: Digest;
  /** What the run is a run of, such as the id of an automation. */
  readonly subject?: string;
}

export type ChildErrorPolicy = 'fail' | 'skip' | 'collect';

/** An outcome that is not there yet: the run parks until the timer, the event or the children bring it. */
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
  | 'engine.unknown_kind'
  | 'engine.unknown_tool'
  | 'engine.unknown_approval'
  | 'engine.run_owned'
  | 'engine.run_ended'
  | 'engine.ownership_lost'
  | 'engine.invalid_graph'
  | 'engine.invalid_tool'
  | 'engine.invalid_decision'
  | 'engine.invalid_transition'
  | 'engine.tool_not_eligible'
  | 'engine.tool_input_invalid'
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
  | 'engine.approval_decided'
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
