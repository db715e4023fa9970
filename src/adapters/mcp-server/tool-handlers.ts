import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { didYouMean, type Json, type JsonObject, nearestName, toFailure } from '../../kernel/index.ts';
import { wireToolNames } from '../../models/index.ts';
import { pageOf } from './page-of.ts';
import type { CallContext, CallOutcome, McpOffer, OfferedTool } from './ports.ts';

/** Registers the handlers that list and call tools. */
export function handleTools(server: Server, offer: McpOffer): void {
  server.setRequestHandler('tools/list', async ({ params }) => {
    const tools = await toolsByWireName(offer);
    const { items, ...page } = pageOf([...tools], ([name]) => name, params?.cursor);
    return {
      tools: items.map(([name, tool]) => showTool(name, tool)),
      ...page,
    };
  });
  server.setRequestHandler('tools/call', (request, context) => callTool(server, offer, request, context));
}

/** Calls an offered tool; failures of the call are part of the result, so that a model can read them. */
export async function callTool(
  server: Server,
  offer: McpOffer,
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const recent = await toolsByWireName(offer, { recent: true });
  const tools = recent.has(params.name) ? recent : await toolsByWireName(offer);
  const tool = tools.get(params.name);
  if (tool === undefined) {
    const hint = didYouMean(nearestName(params.name, tools.keys()), 'Request the list of tools.');
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool "${params.name}". ${hint}`);
  }
  const input = (params.arguments ?? {}) as JsonObject;
  const outcome = await offer
    .call(tool.name, input, callContext(context))
    .catch((error: unknown) => ({ ok: false as const, ...toFailure(error, 'kernel.bug') }));
  return server.projectCallToolResult(callResult(outcome), tool.output);
}

async function toolsByWireName(
  offer: McpOffer,
  options = { recent: false },
): Promise<ReadonlyMap<string, OfferedTool>> {
  const tools = await offer.tools(options);
  const names = wireToolNames(tools.map(({ name }) => name));
  return new Map(tools.map((tool) => [names.toWire(tool.name), tool]));
}

function showTool(name: string, { title, description, input, output, hints }: OfferedTool): Tool {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: { ...withoutHeaders(input), type: 'object' },
    ...(output === undefined ? {} : { outputSchema: output as Tool['outputSchema'] }),
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    },
  };
}

/** Third-party schemas may request headers that repeat arguments; they are not used here. */
function withoutHeaders(input: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(input, (key, value) => (key === 'x-mcp-header' ? undefined : value)));
}

function callContext({ mcpReq }: ServerContext): CallContext {
  const token = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    progress: (done, message, total) => {
      if (token === undefined) return;
      const params = {
        progressToken: token,
        progress: done,
        message,
        ...(total === undefined ? {} : { total }),
      };
      ignoreFailure(mcpReq.notify({ method: 'notifications/progress', params }));
    },
    log: (level, what) => ignoreFailure(mcpReq.log(level, what, 'oka')),
  };
}

/** A disconnected client gets no notifications; the call continues. */
function ignoreFailure(sent: Promise<void>): void {
  sent.catch(() => undefined);
}

/** Converts the outcome of a call for a client: data and text, or the reason why there is none. */
function callResult(outcome: CallOutcome): CallToolResult {
  const about = metaOf(outcome);
  if (outcome.ok === true) {
    const { output, content } = outcome;
    return {
      content: content ? [...content] : [{ type: 'text', text: asText(output) }],
      ...(content || output === null ? {} : { structuredContent: output }),
      ...about,
    };
  }
  const text = outcome.ok === 'waiting' ? outcome.message : `${outcome.message} (${outcome.code})`;
  return { content: [{ type: 'text', text }], isError: true, ...about };
}

function metaOf(outcome: CallOutcome): Pick<CallToolResult, '_meta'> {
  const meta = {
    ...(outcome.run === undefined ? {} : { 'oka/run': outcome.run }),
    ...(outcome.ok === false ? { 'oka/code': outcome.code } : {}),
    ...(outcome.ok === 'waiting' && outcome.approvalId !== undefined
      ? { 'oka/approval': outcome.approvalId }
      : {}),
  };
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

function asText(output: Json): string {
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}
