import type { BudgetLimits, StateGraphSpec } from '../../src/engine/index.ts';
import type { MiddlewarePlan } from './middleware.ts';
import type { Death, Hiccup } from './mortal-store.ts';
import type { PersonMove } from './people.ts';
import type { PlannerPlan } from './planners.ts';
import type { ToolPlan } from './tools.ts';

export type Verdict = 'allow' | 'ask' | 'deny';
export type Intervention = 'pause' | 'cancel' | 'signal' | 'add budget';

/** A whole story in plain data: what there is, what everybody does, and what goes wrong when. */
export interface Scenario {
  readonly graph: StateGraphSpec;
  readonly tools: readonly ToolPlan[];
  readonly planner: PlannerPlan;
  readonly middleware: readonly MiddlewarePlan[];
  /** What policy says about each tool; the columns take turns whenever a process dies or a person has acted. */
  readonly verdicts: Readonly<Record<string, readonly Verdict[]>>;
  readonly limits: BudgetLimits;
  readonly people: readonly PersonMove[];
  /** Something that somebody does while the n-th handler is at work. */
  readonly interventions: readonly { readonly atCall: number; readonly what: Intervention }[];
  /** How each process in turn dies; one more than these lives on. */
  readonly deaths: readonly Death[];
  /** Commits of the first process that fail although it lives on. */
  readonly hiccups: readonly Hiccup[];
  /** Turns of the event loop that each use of the store takes, before and after. */
  readonly slowness: number;
  /** A second process takes up child runs as soon as they appear. */
  readonly helper: boolean;
  /** Some tools may be called only so often. */
  readonly rateLimited: boolean;
  /** Snapshots are kept whenever somebody looks at a run. */
  readonly snapshots: boolean;
  /** Effects are only told, not carried out. */
  readonly simulate: boolean;
}

/** The part of a scenario in which nobody does anything and nothing goes wrong. */
export const NOTHING_HAPPENS = {
  middleware: [],
  verdicts: {},
  people: [],
  interventions: [],
  deaths: [],
  hiccups: [],
  slowness: 0,
  helper: false,
  rateLimited: false,
  snapshots: false,
  simulate: false,
} satisfies Partial<Scenario>;
