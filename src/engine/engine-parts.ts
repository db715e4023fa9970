import type { Clock, Ids, Random, Redactor } from '../kernel/index.ts';
import type { EventStore } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import type { JudgeFurther } from './middleware/check-policy.ts';
import type { MiddlewareChain } from './middleware-chain.ts';
import type { Planner } from './planner.ts';
import type {
  ArtifactStore,
  ContentOrigins,
  Hooks,
  JudgeRun,
  Owners,
  Policy,
  Recall,
  RunStore,
  Telemetry,
} from './ports.ts';
import type { SpendingPools } from './spending-pools.ts';
import type { StateGraph } from './state-graph.ts';
import type { Capabilities, ToolRegistry, WatchCall } from './tool.ts';

/** A kind of run: its planner, and its states unless the run has its own graph. */
export interface RunKind {
  readonly name: string;
  readonly planner: Planner;
  readonly graph: StateGraph;
}

/** Dependencies that the parts of an engine share. */
export interface EngineParts {
  readonly events: EventStore;
  readonly runs: RunStore;
  readonly artifacts: ArtifactStore;
  readonly tools: ToolRegistry;
  readonly kinds: ReadonlyMap<string, RunKind>;
  readonly middleware: MiddlewareChain;
  readonly policy: Policy;
  readonly judgeFurther: JudgeFurther;
  readonly hooks: Hooks;
  readonly recall: Recall | undefined;
  /** What is known about the origin of content. */
  readonly content: ContentOrigins | undefined;
  readonly owners: Owners;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly redactor: Redactor;
  readonly capabilities: Capabilities;
  readonly watch: WatchCall | undefined;
  readonly judge: JudgeRun | undefined;
  readonly approvalExpiresMs: number;
  /** Reports effects instead of carrying them out. */
  readonly simulate: boolean;
  /** Where a simulation looks up the idempotency keys of real runs. */
  readonly recorded: EventStore | undefined;
  /** Snapshot after every commit, because the events do not outlive the process. */
  readonly snapshotAlways: boolean;
  /** The account of a tree, shared by its runs in this process. */
  readonly account: (root: string) => Promise<BudgetAccount>;
  readonly pools: SpendingPools;
  readonly telemetry: Telemetry | undefined;
  readonly actor: string;
}
