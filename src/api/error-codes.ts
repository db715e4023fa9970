import type { AgentErrorCode, AgentFileErrorCode } from '../agent/index.ts';
import type { AssistantErrorCode, MaintenanceErrorCode } from '../assistant/index.ts';
import type { ChatErrorCode } from '../chat/index.ts';
import type { ConfigErrorCode } from '../config/index.ts';
import type { FrameErrorCode, TreeErrorCode } from '../context/index.ts';
import type { EngineErrorCode } from '../engine/index.ts';
import type { EvalErrorCode } from '../eval/index.ts';
import type { BuildErrorCode, GraphErrorCode, RenderErrorCode } from '../graph/index.ts';
import type { KernelErrorCode, SystemErrorCode } from '../kernel/index.ts';
import type { LedgerErrorCode, ReplicationErrorCode } from '../ledger/index.ts';
import type { MemoryErrorCode, ProcedureErrorCode } from '../memory/index.ts';
import type { ModelsErrorCode } from '../models/index.ts';
import type { PolicyErrorCode } from '../policy/index.ts';
import type { ScheduleErrorCode } from '../schedule/index.ts';
import type { EnvironmentErrorCode, McpErrorCode, SkillsErrorCode, ToolsErrorCode } from '../tools/index.ts';
import type { VaultErrorCode } from '../vault/index.ts';

/** Every code that a command or a route can answer with. Published: codes are added, never changed. */
export type ErrorCode =
  | AgentErrorCode
  | AgentFileErrorCode
  | AssistantErrorCode
  | BuildErrorCode
  | ChatErrorCode
  | ConfigErrorCode
  | EngineErrorCode
  | EnvironmentErrorCode
  | EvalErrorCode
  | FrameErrorCode
  | GraphErrorCode
  | KernelErrorCode
  | LedgerErrorCode
  | MaintenanceErrorCode
  | McpErrorCode
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
  | VaultErrorCode
  | AdapterErrorCode
  | 'cli.ambiguous_id'
  | 'cli.usage'
  | 'cli.invalid_json'
  | 'cli.unexpected'
  | 'daemon.running'
  | 'daemon.unreachable'
  | 'daemon.socket_refused'
  | 'daemon.bad_call'
  | 'daemon.not_started'
  | 'http.bad_request'
  | 'http.browser_only'
  | 'http.cannot_listen'
  | 'http.forbidden'
  | 'http.link_expired'
  | 'http.method_not_allowed'
  | 'http.not_found'
  | 'http.not_json'
  | 'http.too_large'
  | 'http.too_many_calls'
  | 'http.too_many_streams'
  | 'http.unauthorized';

/** The codes of adapters, which the API does not import. src/runtime/error-codes.ts compares the two lists. */
type AdapterErrorCode =
  | 'backup.exists'
  | 'backup.inside_workspace'
  | 'backup.not_found'
  | 'backup.damaged'
  | 'backup.newer_format'
  | 'backup.source_damaged'
  | 'backup.source_changed'
  | 'backup.workspace_exists'
  | 'backup.in_use'
  | 'backup.disk_full'
  | 'backup.cancelled'
  | 'cluster.unreachable'
  | 'cluster.no_worker'
  | 'cluster.forbidden'
  | 'cluster.mismatch'
  | 'cluster.invalid'
  | 'serving.cannot_listen';
