export type { DerivedReport, RetentionReport } from '../assistant/index.ts';
export type { Notice } from '../chat/index.ts';
export type { ContextView, FrameFilter, NodeChange } from '../context/index.ts';
export type { Diagnostic, GuaranteeMode, StateValue } from '../graph/index.ts';
export {
  createRedactor,
  didYouMean,
  explainSystemError,
  isOkaError,
  type Json,
  nearestName,
  OkaError,
} from '../kernel/index.ts';
export type { Fault } from '../ledger/index.ts';
export type {
  DaySummary,
  DemotionReason,
  Figures,
  Found,
  ImportReport,
  MemoryHit,
  MemoryQuery,
  NewEpisode,
  ProcedureEvidence,
  ScoreReport,
} from '../memory/index.ts';
export type { SkippedFirings } from '../schedule/index.ts';
export type { KeySource, LoggedUse } from '../vault/index.ts';
export type {
  AgentApi,
  AgentCheckAnswer,
  AgentDetails,
  AgentProblemView,
  AgentView,
  NewAgentRequest,
} from './agent-api.ts';
export type {
  BackupApi,
  BackupContents,
  BackupCreateAnswer,
  BackupPhase,
  BackupProgress,
  BackupRestoreAnswer,
  BackupVerifyAnswer,
} from './backup-api.ts';
export type {
  ChatApi,
  ChatHappening,
  ChatMessageView,
  ChatViewAnswer,
  ConversationItem,
  NotificationView,
  SendAnswer,
} from './chat-api.ts';
export { checkedOka } from './checked-oka.ts';
export type {
  ComposeAnswer,
  ComposeRequest,
  ContextApi,
  ContextReportAnswer,
  ContextStatusAnswer,
  FrameView,
  GenerateFrameAnswer,
  GenerateFrameRequest,
  HeadCounts,
  NodeContextAnswer,
  PutFrameRequest,
  ReadFrameView,
  RegenerateAnswer,
  RegenerateContextRequest,
  RegenerateOnChangeRequest,
  SynthesizeAnswer,
  SynthesizeRequest,
  WatchContextRequest,
  WrittenFrameAnswer,
} from './context-api.ts';
export type {
  ContextTreeApi,
  RootView,
  ScanAnswer,
  ScanRequest,
  TreeChangeView,
  TreeDiffAnswer,
  TreeStatusAnswer,
  WatchRequest,
} from './context-tree-api.ts';
export type { DaemonStatus, DaemonWarning, DaemonWorker, WorkerError, WorkerOutcome } from './daemon-api.ts';
export type { ErrorCode } from './error-codes.ts';
export type {
  BackgroundProcess,
  BuildAnswer,
  CheckpointView,
  FiredItem,
  GraphApi,
  GraphListItem,
  PatchAnswer,
  PictureFormat,
  RunGraphRequest,
  ScheduleItem,
  ScheduleRequest,
  ShowGraphAnswer,
  ValidateAnswer,
} from './graph-api.ts';
export type {
  GcAnswer,
  GcRequest,
  LedgerApi,
  LedgerBranch,
  LedgerStatsAnswer,
  RebuildAnswer,
  RepairAnswer,
  RepairRequest,
  VerifyAnswer,
  VerifyProgress,
  VerifyRequest,
} from './ledger-api.ts';
export type {
  MaintenanceAnswer,
  MaintenanceApi,
  MaintenanceReportView,
} from './maintenance-api.ts';
export type {
  AddMcpServerRequest,
  McpApi,
  McpLaunch,
  McpServerItem,
  McpToolItem,
  TestMcpServerAnswer,
  TestMcpServerRequest,
} from './mcp-api.ts';
export type {
  AddedFactView,
  AddFactRequest,
  FactView,
  MemoryApi,
  MemoryReindexAnswer,
  MemoryStatsAnswer,
} from './memory-api.ts';
export type {
  DroppedItemView,
  MemoryPackApi,
  PackAnswer,
  PackItemView,
  PackPreviewRequest,
} from './memory-pack-api.ts';
export type { FiguresView, MetricsAnswer, MetricsApi, ShareView } from './metrics-api.ts';
export type { ModelSuggestionView, ModelsApi, UseModelRequest } from './models-api.ts';
export type {
  ActionView,
  ApprovalRequest,
  ApprovalView,
  DoctorAnswer,
  DoRequest,
  ExplainAnswer,
  InitAnswer,
  OkaApi,
  ReplayAnswer,
  ReplayMode,
  ResumeRequest,
  UndoAnswer,
} from './oka-api.ts';
export { checkCall, type OperationSchemas, operationSchemas } from './operation-schemas.ts';
export { isServed, OPERATIONS, type OperationKind, type OperationName } from './operations.ts';
export { outputText } from './output-text.ts';
export type {
  PolicyApi,
  PolicyCheckAnswer,
  PolicyExplainAnswer,
  PolicyExplainRequest,
  PolicyFileView,
  PolicyProblemView,
  PolicyRuleView,
  PolicyShowAnswer,
} from './policy-api.ts';
export type {
  FoundProcedureView,
  ProcedureExplainAnswer,
  ProcedureListAnswer,
  ProceduresApi,
  ProcedureView,
} from './procedures-api.ts';
export { type DaemonLink, methodOf, remoteOka } from './remote-oka.ts';
export type {
  ReplicationApi,
  ReplicationShipped,
  ReplicationStatus,
  ReplicationVerifyAnswer,
} from './replication-api.ts';
export type { ArtifactView, EventView, RunAnswer, RunListItem, RunView } from './run-views.ts';
export type { ServeRequest, ServingAnswer, ServingApi } from './serving-api.ts';
export type {
  SkillCheckAnswer,
  SkillCheckView,
  SkillDetails,
  SkillListAnswer,
  SkillProblemView,
  SkillsApi,
  SkillView,
} from './skills-api.ts';
export type { CallToolRequest, ToolDetails, ToolsApi, ToolView } from './tools-api.ts';
export type {
  AddCredentialRequest,
  CredentialAnswer,
  CredentialListAnswer,
  CredentialView,
  RotateCredentialRequest,
  VaultApi,
} from './vault-api.ts';
export { type CallBody, type CallLine, packCall, unpackCall, type WireError } from './wire.ts';
