import type { Digest, EpochMs, JsonObject } from '../../kernel/index.ts';

/** How a server is reached, as a person wrote it: `${NAME}` and `${vault:name}` are not filled in. */
export type ServerLaunch = StdioLaunch | HttpLaunch;

interface StdioLaunch {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface HttpLaunch {
  readonly transport: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A tool as its server describes it, in the server's own words. */
export interface ServerTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

/** What a person approved of a server, kept so that its tools can be listed without starting it. */
export interface ServerApproval {
  /** Covers the launch and the tools; see `hashServer`. */
  readonly hash: Digest;
  readonly launch: JsonObject;
  readonly tools: readonly ServerTool[];
  /** Whether the person believes what the server says of its tools' effects. */
  readonly trustHints: boolean;
  readonly approvedAt: EpochMs;
  readonly by: string;
}

/** The approved tools of one server. */
export interface ServerSnapshot {
  readonly server: string;
  readonly tools: readonly ServerTool[];
  readonly trustHints: boolean;
}
