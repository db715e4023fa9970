import type { Client } from '@modelcontextprotocol/client';
import { canonicalJson, type JsonObject, OkaError } from '../../kernel/index.ts';
import type { McpErrorCode, ServerTool } from '../../tools/index.ts';
import type { McpLimits } from './limits.ts';

/** No timer of the SDK's: time is limited by the signal. */
export const WITHOUT_TIMER = 2 ** 31 - 1;

/** Every tool of a server, over all pages; a list that is too long, never ends or contradicts itself is refused. */
export async function listTools(
  client: Client,
  server: string,
  limits: McpLimits,
  signal: AbortSignal,
): Promise<readonly ServerTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools = new Map<string, ServerTool>();
  const refuse = (code: McpErrorCode, problem: string): never => {
    throw new OkaError(code, `the MCP server "${server}" ${problem}; it cannot be used.`, {
      data: { server },
    });
  };
  let cursor: string | undefined;
  let bytes = 0;
  for (let page = 1; page === 1 || cursor !== undefined; page++) {
    if (page > limits.mostPages)
      refuse('mcp.too_large', `lists its tools on more than ${limits.mostPages} pages`);
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, { signal, timeout: WITHOUT_TIMER });
    for (const found of answer.tools) {
      const tool = toServerTool(found as unknown as JsonObject);
      if (tools.has(tool.name))
        refuse('mcp.protocol_error', `has two tools named ${JSON.stringify(tool.name)}`);
      bytes += sizeOf(tool) ?? refuse('mcp.protocol_error', 'describes a tool in what is no proper JSON');
      tools.set(tool.name, tool);
      if (tools.size > limits.mostTools) refuse('mcp.too_large', `has more than ${limits.mostTools} tools`);
      if (bytes > limits.largestListBytes)
        refuse('mcp.too_large', `describes its tools in more than ${limits.largestListBytes} bytes`);
    }
    cursor = answer.nextCursor;
  }
  return [...tools.values()];
}

/** Only what is approved and used; the rest of what a server may say is not looked at. */
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
