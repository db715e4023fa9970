// Owns: the interface and order of middleware. Does not own: what each one does.
import type { EpochMs, Failure, Json } from '../kernel/index.ts';
import type { Binding, BindingPart } from './binding.ts';
import type { BudgetName } from './budgets.ts';
import type { HookResult } from './ports.ts';
import type { RunState } from './run-state.ts';
import type { StateGraph } from './state-graph.ts';
import type { ContentRead, ToolContext, ToolFace } from './tool.ts';
import type { Awaitable, CallTool, Decision, Pending, RecoveryNote } from './types.ts';

/** The ruling on a decision. */
export type Ruling =
  | { readonly kind: 'go' }
  | { readonly kind: 'refuse'; readonly failure: Failure }
  | { readonly kind: 'park'; readonly waiting: ParkRequest };

/** Why a run has to wait. */
export type ParkRequest =
  | {
      readonly for: 'approval';
      readonly why: string;
      readonly argumentsHash: string;
      /** The policy rule that asks. */
      readonly rule?: string;
      /** What the call is bound to besides its arguments. */
      readonly binding?: Binding | undefined;
      /** Facts about the call that the person needs, besides those about the binding. */
      readonly known?: readonly string[];
      /** Asked before about the same call. */
      readonly again?: true;
    }
  | {
      readonly for: 'budget';
      readonly budget: BudgetName;
      readonly used: number;
      readonly limit: number;
      readonly needed: number;
      /** The shared pool or the state whose limit it is, if it is not the run's own. */
      readonly pool?: string;
    }
  | {
      readonly for: 'time';
      readonly at: EpochMs;
      readonly why: string;
      /** The run waits for a model that is rate limited or overloaded. */
      readonly busy?: { readonly waitMs: number };
    };

export const GO: Ruling = { kind: 'go' };

export function refuse(code: string, message: string): Ruling {
  return { kind: 'refuse', failure: { code, message } };
}

/** A tool call in the decision chain. */
export interface DecisionContext {
  readonly run: Readonly<RunState>;
  readonly graph: StateGraph;
  readonly decision: Decision;
  /** The tool of a `call_tool`, if it exists. */
  readonly tool?: ToolFace | undefined;
  /** Set when a person approved exactly this call. */
  readonly approval?:
    | { readonly id: string; readonly argumentsHash: string; readonly binding?: Binding | undefined }
    | undefined;
  /** What the call is bound to now; absent if its tool binds nothing. */
  readonly bind?: ((part: BindingPart) => Promise<Binding>) | undefined;
  /** What this run has left of a budget, before this decision. */
  readonly balance: (name: BudgetName) => number;
  /** How long the run has been active. */
  readonly activeMs: number;
  /** Facts to record: which rule decided, and what the allowed call is bound to. */
  readonly notes: { policy?: string; binding?: Binding };
}

/** A tool call on its way to its handler. */
export interface ToolCall {
  readonly run: Readonly<RunState>;
  readonly tool: ToolFace;
  readonly decision: CallTool;
  readonly input: Json;
  readonly context: ToolContext;
  /** Retries that the budgets still allow. */
  readonly retriesLeft: number;
  /** Aborts the handler; the next attempt gets a new signal. */
  readonly abort: (reason: Error) => void;
  /** Checks whether the run was paused or cancelled meanwhile. */
  readonly checkCancelled: () => void;
  /** Records the output of a hook. */
  readonly noteHook: (result: HookResult & { readonly hook: string }) => void;
  /** What the handler has read. */
  readonly reads?: readonly ContentRead[];
  /** Facts to record. `altered`: user middleware replaced the outcome. */
  readonly notes: { attempts: number; hookFailure?: Failure; altered?: true; recovered?: RecoveryNote[] };
}

export type ToolOutcome =
  | { readonly kind: 'output'; readonly output: Json }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'pending'; readonly pending: Pending };

export interface TransitionContext {
  readonly run: Readonly<RunState>;
  readonly graph: StateGraph;
  readonly from: string;
  readonly to: string;
}

/** Wraps the rest of the chain and calls `next` at most once. */
export interface Middleware {
  readonly name: string;
  onDecision?(context: DecisionContext, next: () => Promise<Ruling>): Awaitable<Ruling>;
  onTool?(call: ToolCall, next: () => Promise<ToolOutcome>): Awaitable<ToolOutcome>;
  onTransition?(context: TransitionContext, next: () => Promise<Ruling>): Awaitable<Ruling>;
}

/** Built-in middleware. Most of it only checks a decision or changes an outcome. */
export interface BuiltInMiddleware extends Middleware {
  /** A ruling against the decision; undefined allows it. */
  checkDecision?(context: DecisionContext): Ruling | undefined;
  /** The outcome to record instead of this one. */
  afterTool?(call: ToolCall, outcome: ToolOutcome): Awaitable<ToolOutcome>;
  /** A ruling against the transition; undefined allows it. */
  checkTransition?(context: TransitionContext): Ruling | undefined;
}

/** The fixed positions, outermost first. Users name the position before which theirs runs. */
export const MIDDLEWARE_ORDER = [
  'schema',
  'eligibility',
  'policy',
  'cache',
  'budget',
  'rate_limit',
  'timeout_retry',
  'redaction',
  'audit',
  'hooks',
  'telemetry',
] as const;
export type MiddlewarePlace = (typeof MIDDLEWARE_ORDER)[number];
