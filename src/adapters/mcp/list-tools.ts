import type { Client } from '@modelcontextprotocol/client';
import { canonicalJson, type JsonObject, OkaError } from '../../kernel/index.ts';
import type { McpErrorCode, ServerTool } from '../../tools/index.ts';
import type { McpLimits } from './limits.ts';

/** Disables the SDK's timer; the signal limits the time. */
export const WITHOUT_TIMER = 2 ** 31 - 1;

/** Lists every tool of a server, over all pages; rejects lists that are too long, endless or contradictory. */
export async function listTools(
  client: Client,
  server: string,
  limits: McpLimits,
  signal: AbortSignal,
): Promise<readonly ServerTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools = new Map<string, ServerTool>();
  const refuse = (code: McpErrorCode, problem: string): never => {
    throw new OkaError(code, `The MCP server "${server}" ${problem} and cannot be used.`, {
      data: { server },
    });
  };
  let cursor: string | undefined;
  let bytes = 0;
  for (let page = 1; page === 1 || cursor !== undefined; page++) {
    if (page > limits.maxPages)
      refuse('mcp.too_large', `lists its tools on more than ${limits.maxPages} pages`);
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, { signal, timeout: WITHOUT_TIMER });
    for (const found of answer.tools) {
      const tool = toServerTool(found as unknown as JsonObject);
      if (tools.has(tool.name))
        refuse('mcp.protocol_error', `has two tools named ${JSON.stringify(tool.name)}`);
      bytes += sizeOf(tool) ?? refuse('mcp.protocol_error', 'describes a tool with invalid JSON');
      tools.set(tool.name, tool);
      if (tools.size > limits.maxTools) refuse('mcp.too_large', `has more than ${limits.maxTools} tools`);
      if (bytes > limits.maxListBytes)
        refuse('mcp.too_large', `describes its tools in more than ${limits.maxListBytes} bytes`);
    }
    cursor = answer.nextCursor;
  }
  return [...tools.values()];
}

/** Keeps only the members that are approved and used. */
function toServerTool(found: JsonObject): ServerTool {
  const { name, description, inputSchema, outputSchema, annotations } = found;
  return {
    name: name as string,
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: inputSchema as JsonObject,
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as JsonObject }),
    ...(annotations === undefined ? {} : { annotations: annotations as JsonObject }),
  };
}

function sizeOf(tool: ServerTool): number | undefined {
  try {
    return Buffer.byteLength(canonicalJson(tool));
  } catch {
    return undefined;
  }
}
