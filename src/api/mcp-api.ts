import * as z from 'zod';
import { flag, jsonObject, list, record, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** How to reach a server, as written in its file; `${NAME}` and `${vault:name}` are not expanded. */
const mcpLaunch = z.union([
  z.object({ transport: z.literal('stdio'), command: text, args: list(text), environment: record(text) }),
  z.object({ transport: z.literal('http'), url: text, headers: record(text) }),
]);
export type McpLaunch = TypeOf<typeof mcpLaunch>;

/** A declared MCP server. */
const mcpServerItem = z.object({
  name: text,
  /** The owner of the file that declares it. */
  from: z.enum(['project', 'user']),
  transport: z.enum(['stdio', 'http']).exactOptional(),
  /** The command with its arguments, or the address. */
  target: text.exactOptional(),
  /** `changed`: its launch has changed. Changes of its tools show only on connecting. */
  status: z.enum(['approved', 'new', 'changed', 'off']),
  /** Why it cannot be used, except for a missing approval. */
  problem: text.exactOptional(),
  /** The names of the approved tools. */
  tools: list(text),
  /** Whether the user trusts the effect annotations of its tools. */
  trustHints: flag,
});
export type McpServerItem = TypeOf<typeof mcpServerItem>;

/** A tool as its server describes it. Untrusted text. */
const mcpToolItem = z.object({
  name: text,
  description: text.exactOptional(),
  inputSchema: jsonObject,
  outputSchema: jsonObject.exactOptional(),
  annotations: jsonObject.exactOptional(),
});
export type McpToolItem = TypeOf<typeof mcpToolItem>;

const addMcpServerRequest = z.object({
  name: text,
  launch: mcpLaunch,
  /** Adds it to the user's own file, for all workspaces. */
  user: flag,
});
export type AddMcpServerRequest = TypeOf<typeof addMcpServerRequest>;

const testMcpServerRequest = z.object({
  name: text,
  by: text,
  /** Approves the server; with a hash, only if it still matches. */
  approve: z.object({ hash: text.exactOptional(), trustHints: flag }).exactOptional(),
});
export interface TestMcpServerRequest extends TypeOf<typeof testMcpServerRequest> {
  readonly signal?: AbortSignal;
}

const testMcpServerAnswer = z.object({
  server: mcpServerItem,
  protocol: text,
  tools: list(mcpToolItem),
  /** Differences from the approved state, as lines for the user. */
  changes: list(text),
  /** The hash that an approval is bound to. */
  hash: text,
});
export type TestMcpServerAnswer = TypeOf<typeof testMcpServerAnswer>;

/** MCP servers of the workspace and of the user. */
export interface McpApi {
  /** Starts nothing. */
  list(): Promise<readonly McpServerItem[]>;
  add(request: AddMcpServerRequest): Promise<{ readonly server: McpServerItem; readonly file: string }>;
  /** Also removes its approval. */
  remove(name: string): Promise<{ readonly name: string; readonly file: string }>;
  /** Connects to a server and lists its tools. */
  test(request: TestMcpServerRequest): Promise<TestMcpServerAnswer>;
}

export const mcpSchemas: SchemasOf<McpApi> = {
  list: [[], list(mcpServerItem)],
  add: [[addMcpServerRequest], z.object({ server: mcpServerItem, file: text })],
  remove: [[{ name: text }], z.object({ name: text, file: text })],
  test: [[testMcpServerRequest], testMcpServerAnswer],
};
