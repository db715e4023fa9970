import * as z from 'zod';
import { flag, jsonObject, list, record, type SchemasOf, type TypeOf, text } from './schemas.ts';

/** How a server is reached, as it is written to its file; `${NAME}` and `${vault:name}` stay as they are. */
const mcpLaunch = z.union([
  z.object({ transport: z.literal('stdio'), command: text, args: list(text), environment: record(text) }),
  z.object({ transport: z.literal('http'), url: text, headers: record(text) }),
]);
export type McpLaunch = TypeOf<typeof mcpLaunch>;

/** A declared MCP server. */
const mcpServerItem = z.object({
  name: text,
  /** Whose file declares it. */
  from: z.enum(['project', 'user']),
  transport: z.enum(['stdio', 'http']).exactOptional(),
  /** The command with its arguments, or the address. */
  target: text.exactOptional(),
  /** `changed` here means that its launch changed; whether its tools did is seen when it is connected to. */
  status: z.enum(['approved', 'new', 'changed', 'off']),
  /** Why it cannot be used, where that is not for want of approval. */
  problem: text.exactOptional(),
  /** The names of the approved tools. */
  tools: list(text),
  /** Whether the person believes what it says of its tools' effects. */
  trustHints: flag,
});
export type McpServerItem = TypeOf<typeof mcpServerItem>;

/** A tool in its server's own words: they are a stranger's. */
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
  /** In the person's own file, for all workspaces. */
  user: flag,
});
export type AddMcpServerRequest = TypeOf<typeof addMcpServerRequest>;

const testMcpServerRequest = z.object({
  name: text,
  by: text,
  /** Approves what is found; with a hash only if it is still what that hash was of. */
  approve: z.object({ hash: text.exactOptional(), trustHints: flag }).exactOptional(),
});
export interface TestMcpServerRequest extends TypeOf<typeof testMcpServerRequest> {
  readonly signal?: AbortSignal;
}

const testMcpServerAnswer = z.object({
  server: mcpServerItem,
  protocol: text,
  tools: list(mcpToolItem),
  /** What is different from what was approved before, as lines for a person. */
  changes: list(text),
  /** What an approval would be bound to. */
  hash: text,
});
export type TestMcpServerAnswer = TypeOf<typeof testMcpServerAnswer>;

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

export const mcpSchemas: SchemasOf<McpApi> = {
  list: [[], list(mcpServerItem)],
  add: [[addMcpServerRequest], z.object({ server: mcpServerItem, file: text })],
  remove: [[{ name: text }], z.object({ name: text, file: text })],
  test: [[testMcpServerRequest], testMcpServerAnswer],
};
