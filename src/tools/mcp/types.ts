import type { Digest, EpochMs, JsonObject } from '../../kernel/index.ts';
import type { SandboxAccess } from '../sandbox-access.ts';

/** How a server is started or reached, as configured: `${NAME}` and `${vault:name}` are not filled in. */
export type ServerLaunch = StdioLaunch | HttpLaunch;

interface StdioLaunch {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What the server may reach; `off` only in the user's own file. */
  readonly sandbox?: SandboxAccess | 'off';
}

export interface HttpLaunch {
  readonly transport: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A tool as its server describes it. */
export interface ServerTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

/** An approved server. Stored, so that its tools can be listed without starting it. */
export interface ServerApproval {
  /** Covers the launch and the tools; see `hashServer`. */
  readonly hash: Digest;
  readonly launch: JsonObject;
  readonly tools: readonly ServerTool[];
  /** Whether the person trusts the server's hints about its tools' effects. */
  readonly trustHints: boolean;
  readonly approvedAt: EpochMs;
  readonly by: string;
}

/** The approved tools of one server. */
export interface ServerSnapshot extends Pick<ServerApproval, 'tools' | 'trustHints'> {
  readonly server: string;
}

export type McpErrorCode =
  | 'mcp.unknown_server'
  | 'mcp.invalid_server'
  | 'mcp.exists'
  | 'mcp.off'
  | 'mcp.missing_value'
  | 'mcp.not_approved'
  | 'mcp.changed'
  | 'mcp.unreachable'
  | 'mcp.unsupported_protocol'
  | 'mcp.timeout'
  | 'mcp.connection_lost'
  | 'mcp.failing'
  | 'mcp.too_large'
  | 'mcp.protocol_error'
  | 'mcp.tool_failed';

/** A server's answer to a call. `content` has the blocks of the protocol. */
export interface ServerAnswer {
  readonly content: readonly JsonObject[];
  readonly structured?: unknown;
  readonly isError: boolean;
}

/** The approved MCP servers. The first call starts a server and checks its approval. Provided as the capability `mcp`. */
export interface McpServers {
  call(
    server: string,
    tool: string,
    args: JsonObject,
    options: { readonly signal: AbortSignal; readonly run: string },
  ): Promise<ServerAnswer>;
}
