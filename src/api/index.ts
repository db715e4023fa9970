export { isOkaError, type Json, OkaError } from '../kernel/index.ts';
export type {
  AgentApi,
  AgentCheckAnswer,
  AgentDetails,
  AgentProblemView,
  AgentView,
  NewAgentRequest,
} from './agent-api.ts';
export type { ErrorCode } from './error-codes.ts';
export type {
  BuildAnswer,
  CheckpointView,
  DiagnosticView,
  FiredItem,
  GraphApi,
  GraphListItem,
  GraphMode,
  PatchAnswer,
  PictureFormat,
  RunGraphRequest,
  ScheduleItem,
  ScheduleProcess,
  ScheduleRequest,
  ShowGraphAnswer,
  StateEntry,
  ValidateAnswer,
} from './graph-api.ts';
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
  EpisodeRequest,
  FactView,
  MemoryApi,
  MemoryDayView,
  MemoryHitView,
  MemoryImportAnswer,
  MemoryStatsAnswer,
  RetrieveAnswer,
  RetrieveRequest,
} from './memory-api.ts';
export type { ModelSuggestionView, ModelsApi, UseModelRequest } from './models-api.ts';
export type {
  ActionView,
  ApprovalRequest,
  ApprovalView,
  DoctorAnswer,
  DoRequest,
  ExplainAnswer,
  GcAnswer,
  GcRequest,
  InitAnswer,
  LedgerStatsAnswer,
  OkaApi,
  RebuildAnswer,
  ReplayAnswer,
  ReplayMode,
  ResumeRequest,
  UndoAnswer,
  VerifyAnswer,
} from './oka-api.ts';
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
  CredentialUseView,
  CredentialView,
  RotateCredentialRequest,
  VaultApi,
  VaultKeySource,
} from './vault-api.ts';
