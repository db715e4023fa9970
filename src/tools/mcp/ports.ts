import type { JsonObject } from '../../kernel/index.ts';

/** What a server answered to a call. `content` holds the blocks as the protocol has them. */
export interface ServerAnswer {
  readonly content: readonly JsonObject[];
  readonly structured?: unknown;
  readonly isError: boolean;
}

/**
 * The approved MCP servers; handed in as the capability `mcp`. A server is started by the first call and checked against
 * its approval. Refusals are OkaErrors with an McpErrorCode.
 */
export interface McpServers {
  call(
    server: string,
    tool: string,
    args: JsonObject,
    options: { readonly signal: AbortSignal; readonly run: string },
  ): Promise<ServerAnswer>;
}
