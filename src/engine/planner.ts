import type { Digest, Json, JsonObject } from '../kernel/index.ts';
import type { BudgetLimits, BudgetName, Spend } from './budgets.ts';
import type { StateGraph } from './state-graph.ts';
import type { ToolFace } from './tool.ts';
import type { Awaitable, Decision, Evidence, ModelUse } from './types.ts';

/** All input of a planner. The same run at the same step gets the same input, live or replayed. */
export interface PlanInput {
  readonly goal: string;
  readonly state: string;
  readonly graph: StateGraph;
  readonly evidence: readonly Evidence[];
  readonly eligibleTools: readonly ToolFace[];
  readonly allTools: readonly ToolFace[];
  /** What this run has left. */
  readonly budgets: BudgetLimits;
  readonly vars: JsonObject;
  /** The visit to the current state: its number, where its evidence starts, and the index of the previous result. */
  readonly visit: Visit;
  /** For each state that was left, the evidence index of its result, or -1 for the start of the run. */
  readonly latest: Readonly<Record<string, number>>;
  readonly run: { readonly id: string; readonly origin: string; readonly step: number };
  /** Loads an output that was too large for the ledger; the evidence has its digest. */
  whole(artifact: Digest): Promise<Json>;
  /**
   * Set when a recorded decision is replayed: the recorded model use, or null if no model was called. A planner continues
   * from it and calls no model.
   */
  readonly recorded?: ModelUse | null;
  /** What the engine reserved for this call of `plan`, as `estimate` asked. Not set on replay. */
  readonly reserved?: Spend;
  /** Reserves the total of a call that needs more than `reserved`; false if the budgets do not cover it. Not set on replay. */
  reserve?(total: Spend): Promise<boolean>;
  /** Set on the second attempt, after an invalid answer. */
  readonly repair?: { readonly answer: Json; readonly problem: string };
  readonly signal: AbortSignal;
}

export interface Visit {
  readonly count: number;
  readonly since: number;
  readonly last: number;
}

/**
 * Proposes the next step. Has no side effects. An error that it throws ends the run; `data.spend` of an OkaError is what the
 * failed call of a model has cost, and nothing without it. `data.recovered` are its failed requests, and `data.received` is the
 * text of an answer that was not finished. Any other error costs all that was reserved.
 * `engine.invalid_decision` is an answer that is asked for once more.
 */
export interface Planner {
  readonly name: string;
  readonly version: string;
  /** Older versions whose runs it continues. Only for a planner that acts on nothing but the evidence of the run. */
  readonly continues?: readonly string[];
  /** Whether it is a pure function of its input and the models' answers; checked on decision replay. */
  readonly deterministic: boolean;
  plan(input: PlanInput): Decision | Promise<Decision>;
  /** True when a denied call becomes evidence instead of ending the run. */
  handlesDenials?(input: PlanInput): boolean;
  /**
   * The maximum cost of one call, reserved before `plan` is called; `left` is what can be reserved. Nothing: the step calls
   * no model. Without it, every step may call one.
   */
  estimate?(input: PlanInput, left: (name: BudgetName) => number): Awaitable<Spend>;
}
