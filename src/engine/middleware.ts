// Owns: what middleware sees and may answer, and its order. Does not own: what each one does.
import type { EpochMs, Failure, Json } from '../kernel/index.ts';
import type { BudgetName } from './budgets.ts';
import type { HookResult } from './ports.ts';
import type { RunState } from './run-state.ts';
import type { StateGraph } from './state-graph.ts';
import type { ToolContext, ToolFace } from './tool.ts';
import type { CallTool, Decision, Pending } from './types.ts';

/** What happens with a decision. */
export type Ruling =
  | { readonly kind: 'go' }
  | { readonly kind: 'refuse'; readonly failure: Failure }
  | { readonly kind: 'park'; readonly waiting: ParkRequest };

/** Why a run has to stop here for now. */
export type ParkRequest =
  | { readonly for: 'approval'; readonly why: string; readonly argumentsHash: string }
  | {
      readonly for: 'budget';
      readonly budget: BudgetName;
      readonly used: number;
      readonly limit: number;
      readonly needed: number;
    }
  | { readonly for: 'time'; readonly at: EpochMs; readonly why: string };

export const GO: Ruling = { kind: 'go' };

/** A tool call on its way through the decision chain. */
export interface DecisionContext {
  readonly run: Readonly<RunState>;
  readonly graph: StateGraph;
  readonly decision: Decision;
  /** The tool of a `call_tool`, when it exists. */
  readonly tool?: ToolFace | undefined;
  /** Set when a person approved exactly this call. */
  readonly approval?: { readonly id: string; readonly argumentsHash: string } | undefined;
  /** What is left of a budget for this run, before this decision. */
  readonly balance: (name: BudgetName) => number;
  /** For how long the run has been worked on. */
  readonly activeMs: number;
  /** Facts for the record: which rule decided. */
  readonly notes: { policy?: string };
}

/** A tool call on its way to its handler. */
export interface ToolCall {
  readonly run: Readonly<RunState>;
  readonly tool: ToolFace;
  readonly decision: CallTool;
  readonly input: Json;
  readonly context: ToolContext;
  /** Retries that budgets still allow. */
  readonly retriesLeft: number;
  /** Stops the handler; the next attempt gets a fresh signal. */
  readonly abort: (reason: Error) => void;
  /** Looks whether somebody has asked to stop meanwhile. */
  readonly look: () => void;
  /** Puts on record what a hook printed. */
  readonly noteHook: (result: HookResult & { readonly hook: string }) => void;
  /** Facts for the record. `altered`: a user's middleware answered otherwise than the ones after it. */
  readonly notes: { attempts: number; hookFailure?: Failure; altered?: true };
}

/** What a call came to. */
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

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Wraps what comes after it in the chain, and calls `next` at most once. */
export interface Middleware {
  readonly name: string;
  onDecision?(context: DecisionContext, next: () => Promise<Ruling>): Awaitable<Ruling>;
  onTool?(call: ToolCall, next: () => Promise<ToolOutcome>): Awaitable<ToolOutcome>;
  onTransition?(context: TransitionContext, next: () => Promise<Ruling>): Awaitable<Ruling>;
}

/** The engine's own middleware. Most of it only checks a decision, or changes an outcome, and wraps nothing. */
export interface BuiltInMiddleware extends Middleware {
  /** A ruling against the decision; undefined lets it pass. */
  checkDecision?(context: DecisionContext): Ruling | undefined;
  /** The outcome to record instead of this one. */
  afterTool?(call: ToolCall, outcome: ToolOutcome): Awaitable<ToolOutcome>;
  /** A ruling against the transition; undefined lets it pass. */
  checkTransition?(context: TransitionContext): Ruling | undefined;
}

/** The fixed places, outermost first. Users name one of these to put theirs before. */
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
