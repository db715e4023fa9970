import type { McpServerErrorCode } from '../adapters/mcp-server/index.ts';
import type { AgentErrorCode, AgentFileErrorCode } from '../agent/index.ts';
import type { ErrorCode } from '../api/index.ts';
import type { AssistantErrorCode } from '../assistant/index.ts';
import type { ConfigErrorCode } from '../config/index.ts';
import type { EngineErrorCode } from '../engine/index.ts';
import type { BuildErrorCode, GraphErrorCode, RenderErrorCode } from '../graph/index.ts';
import type { KernelErrorCode } from '../kernel/index.ts';
import type { LedgerErrorCode } from '../ledger/index.ts';
import type { MemoryErrorCode } from '../memory/index.ts';
import type { ModelsErrorCode } from '../models/index.ts';
import type { PolicyErrorCode } from '../policy/index.ts';
import type { ScheduleErrorCode } from '../schedule/index.ts';
import type { EnvironmentErrorCode, McpErrorCode, SkillsErrorCode, ToolsErrorCode } from '../tools/index.ts';
import type { VaultErrorCode } from '../vault/index.ts';

type Declared =
  | AgentErrorCode
  | AgentFileErrorCode
  | AssistantErrorCode
  | BuildErrorCode
  | ConfigErrorCode
  | EngineErrorCode
  | EnvironmentErrorCode
  | GraphErrorCode
  | KernelErrorCode
  | LedgerErrorCode
  | McpErrorCode
  | McpServerErrorCode
  | MemoryErrorCode
  | ModelsErrorCode
  | PolicyErrorCode
  | RenderErrorCode
  | ScheduleErrorCode
  | SkillsErrorCode
  | ToolsErrorCode
  | VaultErrorCode;

type Unlisted = Exclude<Declared, ErrorCode>;

/** A code that a domain declares and the API does not list is a type error here. */
export type EveryErrorCodeIsListed<None extends never = Unlisted> = None;
