import type { JsonObject } from '../kernel/index.ts';

/** How a server is reached, as it is written to its file; `${NAME}` and `${vault:name}` stay as they are. */
export type McpLaunch =
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
    }
  | {
      readonly transport: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** A declared MCP server. */
export interface McpServerItem {
  readonly name: string;
  /** Whose file declares it. */
  readonly from: 'project' | 'user';
  readonly transport?: 'stdio' | 'http';
  /** The command with its arguments, or the address. */
  readonly target?: string;
  /** `changed` here means that its launch changed; whether its tools did is seen when it is connected to. */
  readonly status: 'approved' | 'new' | 'changed' | 'off';
  /** Why it cannot be used, where that is not for want of approval. */
  readonly problem?: string;
  /** The names of the approved tools. */
  readonly tools: readonly string[];
  /** Whether the person believes what it says of its tools' effects. */
  readonly trustHints: boolean;
}

/** A tool in its server's own words: they are a stranger's. */
export interface McpToolItem {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

export interface AddMcpServerRequest {
  readonly name: string;
  readonly launch: McpLaunch;
  /** In the person's own file, for all workspaces. */
  readonly user: boolean;
}

export interface TestMcpServerRequest {
  readonly name: string;
  readonly by: string;
  /** Approves what is found; with a hash only if it is still what that hash was of. */
  readonly approve?: { readonly hash?: string; readonly trustHints: boolean };
  readonly signal?: AbortSignal;
}

export interface TestMcpServerAnswer {
  readonly server: McpServerItem;
  readonly protocol: string;
  readonly tools: readonly McpToolItem[];
  /** What is different from what was approved before, as lines for a person. */
  readonly changes: readonly string[];
  /** What an approval would be bound to. */
  readonly hash: string;
}

/** The MCP servers of the workspace and of the person. */
export interface McpApi {
  /** Starts nothing. */
  list(): Promise<readonly McpServerItem[]>;
  add(request: AddMcpServerRequest): Promise<{ readonly server: McpServerItem; readonly file: string }>;
  /** Also forgets that it was approved. */
  remove(name: string): Promise<{ readonly name: string; readonly file: string }>;
  /** Connects to a server to see what it offers. */
  test(request: TestMcpServerRequest): Promise<TestMcpServerAnswer>;
}
