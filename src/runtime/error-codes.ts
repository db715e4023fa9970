import type { BackupErrorCode } from '../adapters/backup/index.ts';
import type { McpServerErrorCode } from '../adapters/mcp-server/index.ts';
import type { ClusterErrorCode } from '../adapters/restate/index.ts';
import type { ErrorCode } from '../api/index.ts';

type Unlisted = Exclude<BackupErrorCode | ClusterErrorCode | McpServerErrorCode, ErrorCode>;

/** A code that an adapter declares and the API does not list is a type error here. */
export type EveryErrorCodeIsListed<None extends never = Unlisted> = None;
