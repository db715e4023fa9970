import {
  mayRepeat,
  requireCapability,
  type Tool,
  type ToolAnnotations,
  type ToolSchema,
} from '../../engine/index.ts';
import { isOkaError, type JsonObject, OkaError } from '../../kernel/index.ts';
import { cleanText } from './clean-text.ts';
import type { McpServers } from './ports.ts';
import { readAnswer, type ServerOutput } from './read-answer.ts';
import { serverSchema } from './server-schema.ts';
import { safeNames } from './tool-names.ts';
import type { ServerSnapshot, ServerTool } from './types.ts';

const LONGEST_DESCRIPTION = 4_000;
/** A first call also starts the server. */
const TIMEOUT_MS = 180_000;

/**
 * The tools of approved servers, named `mcp.<server>.<tool>`. No server is started for them; a call goes to the
 * capability `mcp`. What a server says of a tool's effects counts only where the person chose to believe it.
 */
export function mcpTools(snapshots: readonly ServerSnapshot[]): readonly Tool[] {
  const servers = safeNames(snapshots.map(({ server }) => server));
  return snapshots.flatMap((snapshot) => {
    const names = safeNames(snapshot.tools.map(({ name }) => name));
    return snapshot.tools.map((tool) =>
      toTool(`mcp.${servers.get(snapshot.server)}.${names.get(tool.name)}`, tool, snapshot),
    );
  });
}

function toTool(name: string, tool: ServerTool, { server, trustHints }: ServerSnapshot): Tool {
  const annotations = annotationsOf(trustHints ? (tool.annotations ?? {}) : {});
  const about = { server, tool: tool.name };
  const made: Tool = {
    name,
    version: '1',
    description:
      cleanText(tool.description ?? '', LONGEST_DESCRIPTION) || `A tool of the MCP server ${server}.`,
    input: serverSchema(tool.inputSchema),
    output: outputSchema(tool.outputSchema),
    annotations,
    sideEffect: annotations.readOnly ? 'read' : 'external_mutation',
    source: `mcp:${server}`,
    untrusted: true,
    timeoutMs: TIMEOUT_MS,
    async handler(input, context): Promise<ServerOutput> {
      const answer = await requireCapability<McpServers>(context, 'mcp')
        .call(server, tool.name, input as JsonObject, { signal: context.signal, run: context.runId })
        .catch((error: unknown) => {
          throw afterLoss(error, mayRepeat(made));
        });
      return readAnswer(answer, about, context.emitArtifact);
    },
  };
  return made;
}

/** The worst is assumed of whatever the hints do not say. */
function annotationsOf(hints: JsonObject): ToolAnnotations {
  const readOnly = hints['readOnlyHint'] === true;
  return {
    readOnly,
    destructive: !readOnly && hints['destructiveHint'] !== false,
    idempotent: readOnly || hints['idempotentHint'] === true,
    cacheable: false,
    risk: 'medium',
  };
}

/**
 * A lost connection leaves open whether the tool has acted: where acting twice is harmless it is worth another try,
 * elsewhere a person is asked.
 */
function afterLoss(error: unknown, harmless: boolean): unknown {
  if (!isOkaError(error, 'mcp.connection_lost')) return error;
  const { data, message } = error;
  if (harmless) return new OkaError(error.code, message, { data, cause: error, transient: true });
  return data['arrived'] === false
    ? error
    : new OkaError('engine.effect_unknown', message, { data, cause: error });
}

/** What `readAnswer` gives, with the server's own schema for the structured part. */
function outputSchema(structured: JsonObject | undefined): ToolSchema {
  const own = structured === undefined ? undefined : serverSchema(structured);
  return {
    check: {
      '~standard': {
        version: 1,
        vendor: 'oka',
        validate(value) {
          const { structured: found } = value as ServerOutput;
          if (own === undefined || found === undefined) return { value };
          const result = own.check['~standard'].validate(found);
          return result instanceof Promise || result.issues === undefined ? { value } : result;
        },
      },
    },
    json: () => ({
      type: 'object',
      properties: {
        text: { type: 'string' },
        structured: own?.json() ?? {},
        artifacts: { type: 'array', items: { type: 'object' } },
        links: { type: 'array', items: { type: 'object' } },
      },
      required: ['text'],
    }),
  };
}
