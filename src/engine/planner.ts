import type { Digest, Json, JsonObject } from '../kernel/index.ts';
import type { BudgetLimits, Spend } from './budgets.ts';
import type { StateGraph } from './state-graph.ts';
import type { ToolFace } from './tool.ts';
import type { Decision, Evidence, ModelUse } from './types.ts';

/** All that a planner may look at. The same run at the same step gets the same input, live or replayed. */
export interface PlanInput {
  readonly goal: string;
  readonly state: string;
  readonly graph: StateGraph;
  readonly evidence: readonly Evidence[];
  readonly eligibleTools: readonly ToolFace[];
  readonly allTools: readonly ToolFace[];
  /** What is left, as this run sees it. */
  readonly budgets: BudgetLimits;
  readonly vars: JsonObject;
  /** The stay in the current state: its number, where its evidence begins, and the place of what came before it. */
  readonly visit: Visit;
  /** For each state that was left: the place in the evidence of what it came to, or -1 for what the run began with. */
  readonly latest: Readonly<Record<string, number>>;
  readonly run: { readonly id: string; readonly origin: string; readonly step: number };
  /** The whole of an output that was too large for the ledger, which the evidence names by its digest. */
  whole(artifact: Digest): Promise<Json>;
  /**
   * Set when a recorded decision is taken again: what was on record of asking a model for it, or null where none was asked. A
   * planner that asks a model goes on from it and asks nobody.
   */
  readonly recorded?: ModelUse | null;
  /** Set on the second attempt, after an answer that could not be used. */
  readonly repair?: { readonly answer: Json; readonly problem: string };
  readonly signal: AbortSignal;
}

export interface Visit {
  readonly count: number;
  readonly since: number;
  readonly last: number;
}

/** Proposes the next step. Has no side effects; must not throw for bad luck, only for bugs. */
export interface Planner {
  readonly name: string;
  readonly version: string;
  /** A pure function of its input and of what models answered; checked on decision replay. */
  readonly deterministic: boolean;
  plan(input: PlanInput): Decision | Promise<Decision>;
  /** True when a denied call becomes evidence to plan around, instead of ending the run. */
  handlesDenials?(input: PlanInput): boolean;
  /** What one call may cost at most; reserved before `plan` is called. */
  estimate?(input: PlanInput): Spend;
}
