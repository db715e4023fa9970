import type { BackupErrorCode } from '../adapters/backup/index.ts';
import type { McpServerErrorCode } from '../adapters/mcp-server/index.ts';
import type { AgentErrorCode, AgentFileErrorCode } from '../agent/index.ts';
import type { ErrorCode } from '../api/index.ts';
import type { AssistantErrorCode, MaintenanceErrorCode } from '../assistant/index.ts';
import type { ChatErrorCode } from '../chat/index.ts';
import type { ConfigErrorCode } from '../config/index.ts';
import type { FrameErrorCode, TreeErrorCode } from '../context/index.ts';
import type { EngineErrorCode } from '../engine/index.ts';
import type { BuildErrorCode, GraphErrorCode, RenderErrorCode } from '../graph/index.ts';
import type { KernelErrorCode, SystemErrorCode } from '../kernel/index.ts';
import type { LedgerErrorCode, ReplicationErrorCode } from '../ledger/index.ts';
import type { MemoryErrorCode, ProcedureErrorCode } from '../memory/index.ts';
import type { ModelsErrorCode } from '../models/index.ts';
import type { PolicyErrorCode } from '../policy/index.ts';
import type { ScheduleErrorCode } from '../schedule/index.ts';
import type { EnvironmentErrorCode, McpErrorCode, SkillsErrorCode, ToolsErrorCode } from '../tools/index.ts';
import type { VaultErrorCode } from '../vault/index.ts';

type Declared =
  | AgentErrorCode
  | AgentFileErrorCode
  | AssistantErrorCode
  | BackupErrorCode
  | BuildErrorCode
  | ChatErrorCode
  | ConfigErrorCode
  | EngineErrorCode
  | EnvironmentErrorCode
  | FrameErrorCode
  | GraphErrorCode
  | KernelErrorCode
  | LedgerErrorCode
  | MaintenanceErrorCode
  | McpErrorCode
  | McpServerErrorCode
  | MemoryErrorCode
  | ModelsErrorCode
  | PolicyErrorCode
  | ProcedureErrorCode
  | RenderErrorCode
  | ReplicationErrorCode
  | ScheduleErrorCode
  | SkillsErrorCode
  | SystemErrorCode
  | ToolsErrorCode
  | TreeErrorCode
  | VaultErrorCode;

type Unlisted = Exclude<Declared, ErrorCode>;

/** A code that a domain declares and the API does not list is a type error here. */
export type EveryErrorCodeIsListed<None extends never = Unlisted> = None;
