// Owns: the order in which decisions, tool calls and transitions are looked at. Does not own: what each one does.
// I1 A decision goes ahead only if every enforcing middleware has seen exactly that decision and let it pass: a
//    middleware that answers "go" on its own is caught, because the innermost place was not reached.
// I2 Users' middleware can stop, delay or observe; it cannot widen.
import { type EpochMs, type Failure, type Json, OkaError } from '../kernel/index.ts';
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
  readonly tool?: ToolFace;
  /** Set when a person approved exactly this call. */
  readonly approval?: { readonly id: string; readonly argumentsHash: string };
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

type Awaitable<T> = T | Promise<T>;

export interface Middleware {
  readonly name: string;
  onDecision?(context: DecisionContext, next: () => Awaitable<Ruling>): Awaitable<Ruling>;
  onTool?(call: ToolCall, next: () => Awaitable<ToolOutcome>): Awaitable<ToolOutcome>;
  onTransition?(context: TransitionContext, next: () => Awaitable<Ruling>): Awaitable<Ruling>;
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

type Layer<Context, Result> = (context: Context, next: () => Awaitable<Result>) => Awaitable<Result>;

/** One function out of many around-style layers; layers that do not take part cost nothing. */
function compose<Context, Result>(
  layers: readonly Layer<Context, Result>[],
): (context: Context, innermost: () => Awaitable<Result>) => Awaitable<Result> {
  return (context, innermost) => {
    const at = (i: number): Awaitable<Result> => {
      const layer = layers[i];
      return layer === undefined ? innermost() : layer(context, () => at(i + 1));
    };
    return at(0);
  };
}

/** The chains of an engine, composed once. */
export class MiddlewareChain {
  readonly names: readonly string[];
  readonly #decide: (context: DecisionContext, innermost: () => Awaitable<Ruling>) => Awaitable<Ruling>;
  readonly #call: (call: ToolCall, innermost: () => Awaitable<ToolOutcome>) => Awaitable<ToolOutcome>;
  readonly #move: (context: TransitionContext, innermost: () => Awaitable<Ruling>) => Awaitable<Ruling>;

  constructor(middleware: readonly Middleware[]) {
    this.names = middleware.map((one) => one.name);
    this.#decide = compose(middleware.flatMap((one) => (one.onDecision ? [one.onDecision.bind(one)] : [])));
    this.#call = compose(middleware.flatMap((one) => (one.onTool ? [one.onTool.bind(one)] : [])));
    this.#move = compose(middleware.flatMap((one) => (one.onTransition ? [one.onTransition.bind(one)] : [])));
  }

  decide(context: DecisionContext): Awaitable<Ruling> {
    return enforce((innermost) => this.#decide(context, innermost), `decision on ${context.decision.kind}`);
  }

  move(context: TransitionContext): Awaitable<Ruling> {
    return enforce((innermost) => this.#move(context, innermost), `transition to ${context.to}`);
  }

  call(call: ToolCall, handler: () => Awaitable<ToolOutcome>): Awaitable<ToolOutcome> {
    return this.#call(call, handler);
  }
}

function enforce(run: (innermost: () => Ruling) => Awaitable<Ruling>, what: string): Awaitable<Ruling> {
  let reached = 0;
  const ruling = run(() => {
    reached += 1;
    return GO;
  });
  const check = (answer: Ruling): Ruling => {
    if (answer.kind !== 'go' || reached === 1) return answer;
    throw new OkaError(
      'engine.middleware_violation',
      `a middleware let the ${what} pass without asking the ones after it; it must call next() exactly once.`,
    );
  };
  return ruling instanceof Promise ? ruling.then(check) : check(ruling);
}
