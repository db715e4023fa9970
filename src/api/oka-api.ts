import type { EpochMs, Json } from '../kernel/index.ts';
import type { AgentApi } from './agent-api.ts';
import type { BackupApi } from './backup-api.ts';
import type { ChatApi } from './chat-api.ts';
import type { ContextApi } from './context-api.ts';
import type { GraphApi } from './graph-api.ts';
import type { LedgerApi } from './ledger-api.ts';
import type { MaintenanceApi } from './maintenance-api.ts';
import type { McpApi } from './mcp-api.ts';
import type { MemoryApi } from './memory-api.ts';
import type { MemoryPackApi } from './memory-pack-api.ts';
import type { MetricsApi } from './metrics-api.ts';
import type { ModelsApi } from './models-api.ts';
import type { PolicyApi } from './policy-api.ts';
import type { ProceduresApi } from './procedures-api.ts';
import type { ReplicationApi } from './replication-api.ts';
import type { ArtifactView, EventView, RunAnswer, RunListItem, RunView } from './run-views.ts';
import type { ServingApi } from './serving-api.ts';
import type { SkillsApi } from './skills-api.ts';
import type { ToolsApi } from './tools-api.ts';
import type { VaultApi } from './vault-api.ts';

export interface ActionView {
  readonly step: number;
  readonly at: EpochMs;
  readonly state: string;
  readonly decision: string;
  readonly tool?: string;
  readonly input?: Json;
  readonly rationale: string;
  /** Which model was asked for the decision, what it cost, and what it was shown. */
  readonly model?: {
    readonly provider: string;
    readonly model: string;
    readonly spend: Readonly<Record<string, number>>;
    readonly manifest?: Json;
  };
  readonly verdicts: readonly string[];
  readonly outcome?: string;
  readonly output?: Json;
  readonly failure?: { readonly code: string; readonly message: string };
  readonly artifacts?: readonly ArtifactView[];
}

export interface ExplainAnswer {
  readonly run: RunView;
  readonly timeline: readonly { readonly state: string; readonly at: EpochMs }[];
  readonly actions: readonly ActionView[];
  readonly notes: readonly { readonly at: EpochMs; readonly what: string }[];
  readonly artifacts: readonly ArtifactView[];
  readonly cost: Readonly<Record<string, number>>;
}

export type ReplayMode = 'narrative' | 'decision' | 'full';

export interface ReplayAnswer {
  readonly mode: ReplayMode;
  readonly equal: boolean;
  readonly compared: number;
  readonly differences: readonly {
    readonly step: number;
    readonly recorded: Json;
    readonly replayed: Json;
  }[];
  readonly notes: readonly string[];
  readonly narrative?: readonly string[];
}

export interface ApprovalView {
  readonly id: string;
  readonly run: string;
  readonly kind: 'tool' | 'question' | 'unknown_effect';
  readonly tool?: string;
  readonly arguments?: Json;
  readonly argumentsHash?: string;
  readonly risk?: string;
  readonly why?: string;
  readonly question?: string;
  readonly options?: readonly string[];
  readonly requestedAt: EpochMs;
  readonly expiresAt: EpochMs;
  readonly status: string;
  readonly decidedBy?: string;
}

export interface UndoAnswer {
  readonly run: string;
  readonly changes: readonly {
    readonly step: number;
    readonly tool: string;
    readonly restored: boolean;
    readonly what: string;
  }[];
}

export interface DoctorAnswer {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  readonly middleware: readonly string[];
}

export interface InitAnswer {
  readonly workspace: string;
  readonly created: boolean;
  readonly trusted: boolean;
}

export interface DoRequest {
  readonly goal: string;
  /** Who works on it; anton unless told. */
  readonly agent?: string;
  /** A model instead of the agent's own; `none` plans by rules. */
  readonly model?: string;
  /** Splits the goal into tasks that are planned, done and checked; says how much is asked. */
  readonly autonomy?: 'manual' | 'guided' | 'autonomous';
  /** Plans the goal as tasks and stops there. */
  readonly planOnly?: boolean;
  readonly simulate: boolean;
  readonly budgets: Readonly<Record<string, number>>;
  /** How long to stay for timers before the run is left parked. */
  readonly patienceMs: number;
  /** Aborted: the run is let go at its next boundary, and can be resumed. */
  readonly signal?: AbortSignal;
  /** Called as things happen, for a live view. */
  readonly onEvent?: (event: EventView) => void;
  /** Called with what a model says, while it says it. */
  readonly onText?: (text: string) => void;
}

export interface ResumeRequest {
  readonly run: string;
  readonly by: string;
  readonly repin: boolean;
  readonly addBudgets: Readonly<Record<string, number>>;
  readonly patienceMs: number;
  /** Aborted: the run is let go at its next boundary, and can be resumed. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: EventView) => void;
}

export type ApprovalRequest = {
  readonly id: string;
  readonly by: string;
  readonly argumentsHash?: string;
  readonly edit?: Json;
  readonly remember?: 'exact' | 'tool';
  readonly answer?: string;
  /** Aborted: the run is let go at its next boundary, and can be resumed. */
  readonly signal?: AbortSignal;
};

/** All that Oka can be asked to do, whether in this process or by a daemon. */
export interface OkaApi {
  init(request: { readonly trust: boolean }): Promise<InitAnswer>;
  do(request: DoRequest): Promise<RunAnswer>;
  readonly runs: {
    /** With `full` each run is answered as `show` does, which means reading it. */
    list(filter: {
      readonly status?: string;
      readonly limit: number;
      readonly full?: boolean;
    }): Promise<readonly (RunListItem | RunView)[]>;
    show(run: string): Promise<RunAnswer>;
    explain(run: string): Promise<ExplainAnswer>;
    replay(run: string, mode: ReplayMode): Promise<ReplayAnswer>;
    pause(run: string, by: string): Promise<RunAnswer>;
    resume(request: ResumeRequest): Promise<RunAnswer>;
    signal(run: string, event: string, payload: Json, by: string): Promise<RunAnswer>;
    fork(
      run: string,
      step: number,
      vars: Readonly<Record<string, Json>>,
      patienceMs: number,
    ): Promise<RunAnswer>;
    cancel(run: string, by: string, reason: string): Promise<RunAnswer>;
    undo(run: string, by: string, force: boolean): Promise<UndoAnswer>;
    correct(run: string, text: string, by: string): Promise<RunAnswer>;
    pinDifferences(run: string): Promise<readonly string[]>;
  };
  readonly approvals: {
    list(filter: { readonly status?: string; readonly run?: string }): Promise<readonly ApprovalView[]>;
    show(id: string): Promise<ApprovalView>;
    /** Records the decision, then goes on with the run. */
    approve(request: ApprovalRequest, patienceMs: number): Promise<RunAnswer>;
    deny(id: string, by: string): Promise<RunAnswer>;
  };
  readonly graphs: GraphApi;
  readonly tools: ToolsApi;
  readonly models: ModelsApi;
  readonly memory: MemoryApi;
  readonly memoryPack: MemoryPackApi;
  readonly maintenance: MaintenanceApi;
  readonly metrics: MetricsApi;
  readonly procedures: ProceduresApi;
  readonly chat: ChatApi;
  readonly context: ContextApi;
  readonly vault: VaultApi;
  readonly mcp: McpApi;
  readonly policy: PolicyApi;
  readonly serving: ServingApi;
  readonly skills: SkillsApi;
  readonly agents: AgentApi;
  readonly replication: ReplicationApi;
  readonly backup: BackupApi;
  readonly ledger: LedgerApi;
  doctor(): Promise<DoctorAnswer>;
  /** Stops working on runs at their next boundary, so that they can be resumed. */
  letGo(): Promise<void>;
  close(): Promise<void>;
}
