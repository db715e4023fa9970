import * as z from 'zod';
import type { WorkerView } from '../engine/index.ts';
import type { Json } from '../kernel/index.ts';
import type { AgentApi } from './agent-api.ts';
import type { BackupApi } from './backup-api.ts';
import type { ChatApi } from './chat-api.ts';
import type { ContextApi } from './context-api.ts';
import type { EvalApi } from './eval-api.ts';
import type { GrantsApi } from './grants-api.ts';
import type { GraphApi } from './graph-api.ts';
import type { LedgerApi } from './ledger-api.ts';
import type { MaintenanceApi } from './maintenance-api.ts';
import type { McpApi } from './mcp-api.ts';
import type { MemoryApi } from './memory-api.ts';
import type { MemoryPackApi } from './memory-pack-api.ts';
import type { MetricsApi } from './metrics-api.ts';
import type { ModelsApi } from './models-api.ts';
import {
  type ApprovalPagesApi,
  approvalPagesSchemas,
  type OverviewAnswer,
  overviewAnswer,
  type RunPagesApi,
  runPagesSchemas,
} from './page-api.ts';
import type { PolicyApi } from './policy-api.ts';
import type { ProceduresApi } from './procedures-api.ts';
import type { ReplicationApi } from './replication-api.ts';
import {
  type ApprovalView,
  approvalView,
  artifactView,
  type RunAnswer,
  type RunListener,
  type RunListItem,
  type RunView,
  runAnswer,
  runListItem,
  runView,
  simulationView,
  startKey,
} from './run-views.ts';
import {
  epochMs,
  failure,
  flag,
  json,
  list,
  nothing,
  number,
  record,
  type SchemasOf,
  schemaOf,
  type TypeOf,
  text,
} from './schemas.ts';
import type { ServingApi } from './serving-api.ts';
import type { SkillsApi } from './skills-api.ts';
import type { ToolsApi } from './tools-api.ts';
import type { TrustApi } from './trust-api.ts';
import type { VaultApi } from './vault-api.ts';

const actionView = z.object({
  step: number,
  at: epochMs,
  state: text,
  decision: text,
  tool: text.exactOptional(),
  input: json.exactOptional(),
  rationale: text,
  /** The model that made the decision, its cost, and its input. */
  model: z
    .object({ provider: text, model: text, spend: record(number), manifest: json.exactOptional() })
    .exactOptional(),
  verdicts: list(text),
  outcome: text.exactOptional(),
  output: json.exactOptional(),
  failure: failure.exactOptional(),
  attempts: number.exactOptional(),
  cached: flag.exactOptional(),
  /** The run whose outcome of the same idempotency key was used. */
  reused: text.exactOptional(),
  /** A person said what the outcome is. */
  by: text.exactOptional(),
  /** The failure is an answer that the planner expected. */
  expected: z.literal(true).exactOptional(),
  /** What was done about failures of this action, and why. */
  recoveries: list(text).exactOptional(),
  artifacts: list(artifactView).exactOptional(),
});
export type ActionView = TypeOf<typeof actionView>;

const explainAnswer = z.object({
  run: runView,
  timeline: list(z.object({ state: text, at: epochMs })),
  actions: list(actionView),
  notes: list(z.object({ at: epochMs, what: text })),
  /** Every recovery action, in order. */
  recoveries: list(z.object({ at: epochMs, step: number, kind: text, what: text })),
  artifacts: list(artifactView),
  cost: record(number),
  /** Why the run is untrusted, and what follows from it. */
  untrusted: z
    .object({
      sources: list(z.object({ at: epochMs, step: number.exactOptional(), what: text })),
      consequences: list(text),
    })
    .exactOptional(),
  ...simulationView,
});
export type ExplainAnswer = TypeOf<typeof explainAnswer>;

const exportAnswer = z.object({
  run: text,
  /** The usual name of the file. */
  name: text,
  /** The whole file. */
  html: text,
  events: number,
  /** The run and its descendants. */
  runs: number,
  /** The chain value of the last event. */
  end: text,
  /** Whether the user's key has signed it. */
  signed: flag,
});
export type ExportAnswer = TypeOf<typeof exportAnswer>;

const replayMode = z.enum(['narrative', 'decision', 'full']);
export type ReplayMode = TypeOf<typeof replayMode>;

const replayAnswer = z.object({
  mode: replayMode,
  equal: flag,
  compared: number,
  differences: list(z.object({ step: number, recorded: json, replayed: json })),
  notes: list(text),
  narrative: list(text).exactOptional(),
});
export type ReplayAnswer = TypeOf<typeof replayAnswer>;

const undoAnswer = z.object({
  run: text,
  changes: list(z.object({ run: text, step: number, tool: text, restored: flag, what: text })),
  /** The failed runs that it continues, the newest first; their changes are undone too. */
  attempts: list(text).exactOptional(),
});
export type UndoAnswer = TypeOf<typeof undoAnswer>;

const fileChangeView = z.object({
  path: text,
  change: z.enum(['created', 'changed', 'removed']),
  /** Lines added and removed, and the unified diff; missing if the content is not text. */
  added: number.exactOptional(),
  removed: number.exactOptional(),
  diff: text.exactOptional(),
});
export type FileChangeView = TypeOf<typeof fileChangeView>;

const doctorAnswer = z.object({
  ok: flag,
  /** A check that is ok may still warn. */
  checks: list(
    z.object({
      name: text,
      ok: flag,
      detail: text,
      warning: flag.exactOptional(),
      /** The error code of a check that failed, where there is one. */
      code: text.exactOptional(),
    }),
  ),
  middleware: list(text),
  /** The attempts to leave the sandbox, if they were asked for. */
  escapes: list(z.object({ attempt: text, held: flag, detail: text })).exactOptional(),
});
export type DoctorAnswer = TypeOf<typeof doctorAnswer>;

const initAnswer = z.object({
  workspace: text,
  created: flag,
  trusted: flag,
  /** What happened to a ledger that is not the user's own. */
  notice: text.exactOptional(),
});
export type InitAnswer = TypeOf<typeof initAnswer>;

const doRequest = z.object({
  goal: text,
  /** Default: anton. */
  agent: text.exactOptional(),
  /** Default: the model of the agent. `none` plans by rules. */
  model: text.exactOptional(),
  /** Splits the goal into planned and checked tasks; sets how often the user is asked. */
  autonomy: z.enum(['manual', 'guided', 'autonomous']).exactOptional(),
  /** Plans the tasks without doing them. */
  planOnly: flag.exactOptional(),
  simulate: flag,
  budgets: record(number),
  /** How long to wait for timers before the run is left waiting. */
  patienceMs: number,
  key: startKey,
});
export interface DoRequest extends TypeOf<typeof doRequest>, RunListener {}

const resumeRequest = z.object({
  run: text,
  by: text,
  repin: flag,
  addBudgets: record(number),
  patienceMs: number,
});
export interface ResumeRequest extends TypeOf<typeof resumeRequest>, RunListener {}

const approvalRequest = z.object({
  id: text,
  by: text,
  argumentsHash: text.exactOptional(),
  edit: json.exactOptional(),
  remember: z.enum(['exact', 'tool']).exactOptional(),
  answer: text.exactOptional(),
});
export interface ApprovalRequest extends TypeOf<typeof approvalRequest>, RunListener {}

/** A process that executes runs for a cluster. */
const workerView = schemaOf<WorkerView>()(
  z.object({
    id: text,
    /** Where it listens, and where the cluster reaches it. */
    url: text,
    address: text,
    version: text,
    state: z.enum(['alive', 'draining', 'refused', 'waiting', 'lost']),
    since: epochMs,
  }),
);
const workersAnswer = z.object({
  workers: list(workerView),
  /** Why the cluster could not be asked. */
  problem: failure.exactOptional(),
});
export type WorkersAnswer = TypeOf<typeof workersAnswer>;

const initRequest = z.object({ trust: flag });

const runFilter = z.object({ status: text.exactOptional(), limit: number, full: flag.exactOptional() });

const approvalFilter = z.object({
  status: text.exactOptional(),
  run: text.exactOptional(),
  /** Leaves out `now`, which needs the files and the programs of the workspace. */
  brief: flag.exactOptional(),
});

/** All operations of Oka, in this process or in a daemon. */
export interface OkaApi {
  init(request: TypeOf<typeof initRequest>): Promise<InitAnswer>;
  do(request: DoRequest): Promise<RunAnswer>;
  /** The state of the workspace for people who look at it. */
  overview(): Promise<OverviewAnswer>;
  /** The workers of the cluster that executes the runs of this workspace; none if this machine does. */
  workers(): Promise<WorkersAnswer>;
  readonly runs: RunPagesApi & {
    /** `full` reads each run and returns it as `show` does. */
    list(filter: TypeOf<typeof runFilter>): Promise<readonly (RunListItem | RunView)[]>;
    show(run: string): Promise<RunAnswer>;
    explain(run: string): Promise<ExplainAnswer>;
    replay(run: string, mode: ReplayMode): Promise<ReplayAnswer>;
    /** The run and its descendants as one HTML file that verifies itself. */
    export(run: string): Promise<ExportAnswer>;
    pause(run: string, by: string): Promise<RunAnswer>;
    resume(request: ResumeRequest): Promise<RunAnswer>;
    signal(run: string, event: string, payload: Json, by: string): Promise<RunAnswer>;
    fork(
      run: string,
      step: number,
      vars: Readonly<Record<string, Json>>,
      patienceMs: number,
      key?: string,
    ): Promise<RunAnswer>;
    cancel(run: string, by: string, reason: string): Promise<RunAnswer>;
    /** Undoes what the run, its descendants and the failed runs that it continues changed. */
    undo(run: string, by: string, force: boolean): Promise<UndoAnswer>;
    /**
     * The files that these runs, their descendants and earlier attempts changed: what they contained before, compared with what
     * is on disk now. Undone changes are not listed.
     */
    changes(runs: readonly string[]): Promise<readonly FileChangeView[]>;
    correct(run: string, text: string, by: string): Promise<RunAnswer>;
    pinDifferences(run: string): Promise<readonly string[]>;
  };
  readonly approvals: ApprovalPagesApi & {
    /** `run` includes the descendants of that run. */
    list(filter: TypeOf<typeof approvalFilter>): Promise<readonly ApprovalView[]>;
    /** `id` here and below: an approval, or a run if exactly one approval of it and its descendants is open. */
    show(id: string): Promise<ApprovalView>;
    /** Records the decision and continues the run. Returns the run that was named, or else the run of the approval. */
    approve(request: ApprovalRequest, patienceMs: number): Promise<RunAnswer>;
    /** `reason` is recorded, and told to the model. */
    deny(id: string, by: string, reason?: string): Promise<RunAnswer>;
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
  readonly trust: TrustApi;
  readonly mcp: McpApi;
  readonly policy: PolicyApi;
  readonly grants: GrantsApi;
  readonly serving: ServingApi;
  readonly skills: SkillsApi;
  readonly agents: AgentApi;
  readonly replication: ReplicationApi;
  readonly backup: BackupApi;
  readonly evals: EvalApi;
  readonly ledger: LedgerApi;
  /** `sandbox` also tries to escape from the sandbox; `models: false` does not call the models. */
  doctor(options?: { readonly sandbox?: boolean; readonly models?: boolean }): Promise<DoctorAnswer>;
  /** Releases all runs at their next step, so that they can be resumed. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export const okaSchemas: SchemasOf<
  Pick<OkaApi, 'init' | 'do' | 'overview' | 'workers' | 'runs' | 'approvals' | 'doctor' | 'release' | 'close'>
> = {
  init: [[initRequest], initAnswer],
  do: [[doRequest], runAnswer],
  overview: [[], overviewAnswer],
  workers: [[], workersAnswer],
  runs: {
    ...runPagesSchemas,
    list: [[runFilter], list(z.union([runView, runListItem]))],
    show: [[{ run: text }], runAnswer],
    explain: [[{ run: text }], explainAnswer],
    replay: [[{ run: text }, { mode: replayMode }], replayAnswer],
    export: [[{ run: text }], exportAnswer],
    pause: [[{ run: text }, { by: text }], runAnswer],
    resume: [[resumeRequest], runAnswer],
    signal: [[{ run: text }, { event: text }, { payload: json }, { by: text }], runAnswer],
    fork: [
      [
        { run: text },
        { step: number },
        { vars: record(json) },
        { patienceMs: number },
        { key: startKey.optional() },
      ],
      runAnswer,
    ],
    cancel: [[{ run: text }, { by: text }, { reason: text }], runAnswer],
    undo: [[{ run: text }, { by: text }, { force: flag }], undoAnswer],
    changes: [[{ runs: list(text) }], list(fileChangeView)],
    correct: [[{ run: text }, { text }, { by: text }], runAnswer],
    pinDifferences: [[{ run: text }], list(text)],
  },
  approvals: {
    ...approvalPagesSchemas,
    list: [[approvalFilter], list(approvalView)],
    show: [[{ id: text }], approvalView],
    approve: [[{ request: approvalRequest }, { patienceMs: number }], runAnswer],
    deny: [[{ id: text }, { by: text }, { reason: text.optional() }], runAnswer],
  },
  doctor: [
    [{ options: z.object({ sandbox: flag.exactOptional(), models: flag.exactOptional() }).optional() }],
    doctorAnswer,
  ],
  release: [[], nothing],
  close: [[], nothing],
};
