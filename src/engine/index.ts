export { actingFile } from './acting-files.ts';
export {
  type Binding,
  type BindingPart,
  type BoundDraft,
  type BoundFile,
  describeChange,
} from './binding.ts';
export {
  addSpend,
  BUDGET_NAMES,
  type BudgetLimits,
  type BudgetName,
  DEFAULT_LIMITS,
  parseBudgets,
  type Spend,
  sumOf,
} from './budgets.ts';
export { contentProjection } from './content-events.ts';
export type { ApprovalDecision } from './decide-approval.ts';
export {
  Engine,
  type EngineOptions,
  type ResumeOptions,
  type RunRequest,
  reportUnknownStart,
} from './engine.ts';
export type { RunKind } from './engine-parts.ts';
export { EventRunStore } from './event-run-store.ts';
export {
  type BackendHealth,
  type ExecutionBackend,
  LocalExecutionBackend,
  type Notification,
  type WorkerView,
} from './execution-backend.ts';
export {
  type ExplainedAction,
  type ExplainedRecovery,
  type Explanation,
  explainRun,
} from './explain.ts';
export { applyRunEvent, foldRun } from './fold-run.ts';
export {
  knowledgeProjection,
  knowledgeStored,
  knowledgeStream,
  toMemoryItem,
} from './knowledge-projection.ts';
export { isMissingRun, loadRun, missingRun } from './load-run.ts';
export { MemoryArtifactStore, MemoryCache, MemoryKnowledge, MemoryRunStore } from './memory-stores.ts';
export { isLargeOutput } from './middleware/audit.ts';
export { hashArguments } from './middleware/check-policy.ts';
export { defaultPolicy, UNTRUSTED_RULE } from './middleware/judge-call.ts';
export { countedCalls, nextFree, type RateLimits } from './middleware/limit-rate.ts';
export {
  type DecisionContext,
  GO,
  MIDDLEWARE_ORDER,
  type Middleware,
  type MiddlewarePlace,
  type Ruling,
  type ToolCall,
  type ToolOutcome,
  type TransitionContext,
} from './middleware.ts';
export type { PlacedMiddleware } from './middleware-chain.ts';
export { hostsInUrls, hostsNamedBy } from './named-hosts.ts';
export { dueAt, resolvedOutcome } from './pending-outcome.ts';
export type { PlanInput, Planner, Visit } from './planner.ts';
export type {
  ApprovalPageFilter,
  ApprovalStatus,
  ApprovalSummary,
  ArtifactStore,
  Cache,
  ContentOrigins,
  CredentialProvider,
  CredentialUse,
  Grant,
  Grants,
  HookName,
  HookResult,
  Hooks,
  JudgeRun,
  KnownPrograms,
  ListPlace,
  MemoryItem,
  MemoryStore,
  Owners,
  Policy,
  PolicyRequest,
  PolicyVerdict,
  ProviderDirectory,
  RateGate,
  RateLimit,
  Recall,
  RunFilter,
  RunStore,
  RunSummary,
  Telemetry,
} from './ports.ts';
export { MEMORY_EVIDENCE, MEMORY_STORE, recallFrom } from './recall-memory.ts';
export { type Recovery, type RecoveryKind, recoveriesOf } from './recoveries.ts';
export { asksOtherwise, type ReplayDifference, type ReplayReport } from './replay-decisions.ts';
export { replayFully } from './replay-fully.ts';
export { type ReplayedDecision, replayRun, staysInside } from './replay-run.ts';
export { blobsOfRunEvent } from './run-blobs.ts';
export type { DriveOptions, OpenChildren } from './run-driver.ts';
export { isEarly } from './run-driver.ts';
export { budgetStream, runStream } from './run-events.ts';
export { runProjection } from './run-projection.ts';
export type { ReleaseOptions } from './run-session.ts';
export { agentOf, isUnattended, type RunState, statusOf, type Waiting } from './run-state.ts';
export { descendantsOf, earlierAttempts } from './run-tree.ts';
export {
  keepSimulation,
  readSimulation,
  type SimulatedEffect,
  type Simulation,
  simulatedCalls,
  simulationProjection,
  simulationStream,
} from './simulation.ts';
export { type FindPools, poolUse, type SpendingPool } from './spending-pools.ts';
export {
  CANONICAL_GRAPH,
  type Eligibility,
  StateGraph,
  type StateGraphSpec,
  type StateSpec,
} from './state-graph.ts';
export {
  approvalOfRun,
  cutApprovalPage,
  newestFirst,
  placeOfApproval,
  placeOfRun,
  summaryOfRun,
  toApproval,
  toArtifact,
  toRunSummary,
  withSnapshotApprovals,
  withSnapshotRuns,
} from './summaries.ts';
export {
  type BindContext,
  type CallEffect,
  type Capabilities,
  type ContentWritten,
  effectOf,
  hasEffects,
  mayRepeat,
  type NarrowedTool,
  narrowTool,
  needsIntent,
  PendingAnswer,
  RISKS,
  type Risk,
  requireCapability,
  type SideEffect,
  type SpendContext,
  type Tool,
  type ToolAnnotations,
  type ToolAnswer,
  type ToolContext,
  type ToolFace,
  ToolRegistry,
  type ToolSchema,
  type WatchCall,
} from './tool.ts';
export type {
  ApprovalId,
  ArtifactRef,
  AskHuman,
  Awaitable,
  CallTool,
  ChildErrorPolicy,
  ChildSpec,
  Decision,
  EngineErrorCode,
  Evidence,
  Fail,
  Finish,
  Lineage,
  ModelUse,
  Outcome,
  Pending,
  Pins,
  RecoveryNote,
  Remedy,
  RunId,
  RunStatus,
  Transition,
} from './types.ts';
export { canUndo, preimageOf, type UndoneChange, type UndoReport } from './undo-run.ts';
export { type UntrustedSource, untrustedSources } from './untrusted-sources.ts';
