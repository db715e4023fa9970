export { isOkaError, type Json, OkaError } from '../kernel/index.ts';
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
export type { ArtifactView, EventView, RunAnswer, RunListItem, RunView } from './run-views.ts';
export type { CallToolRequest, ToolDetails, ToolsApi, ToolView } from './tools-api.ts';
