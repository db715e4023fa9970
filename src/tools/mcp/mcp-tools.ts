import {
  hostsInUrls,
  mayRepeat,
  requireCapability,
  type Tool,
  type ToolAnnotations,
  type ToolSchema,
} from '../../engine/index.ts';
import { findSchemaIssues } from '../../graph/index.ts';
import { digestOf, isOkaError, type Json, type JsonObject, OkaError } from '../../kernel/index.ts';
import { cleanText } from './clean-text.ts';
import { readAnswer, type ServerOutput } from './read-answer.ts';
import type { McpServers, ServerSnapshot, ServerTool } from './types.ts';

const MAX_DESCRIPTION_LENGTH = 4_000;
/** Includes the start of the server. */
const TIMEOUT_MS = 180_000;

/**
 * The tools of approved servers, named `mcp.<server>.<tool>`. This starts no server; calls go to the capability `mcp`. A server's
 * hints about a tool's effects count only if the person trusts them.
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
      cleanText(tool.description ?? '', MAX_DESCRIPTION_LENGTH) || `A tool of the MCP server ${server}.`,
    input: serverSchema(tool.inputSchema),
    output: outputSchema(tool.outputSchema),
    annotations,
    sideEffect: annotations.readOnly ? 'read' : 'external_mutation',
    source: `mcp:${server}`,
    untrusted: true,
    // The user configured the server, and so named it. The hosts that its arguments name are others.
    reaches: (input) => [...hostsInUrls(JSON.stringify(input))],
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

/** Assumes the worst where hints are missing. */
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

/** After a lost connection, the effect is unknown: repeatable tools are retried, for others a person decides. */
function afterLoss(error: unknown, isRepeatable: boolean): unknown {
  if (!isOkaError(error, 'mcp.connection_lost')) return error;
  const { data, message } = error;
  if (isRepeatable) return new OkaError(error.code, message, { data, cause: error, transient: true });
  return data['arrived'] === false
    ? error
    : new OkaError('engine.effect_unknown', message, { data, cause: error });
}

/** The schema of `ServerOutput`, with the server's schema for the structured part. */
function outputSchema(structured: JsonObject | undefined): ToolSchema {
  const own = structured === undefined ? undefined : serverSchema(structured);
  const validate: Validate = (value) => {
    const { structured: found } = value as ServerOutput;
    if (own === undefined || found === undefined) return { value };
    const result = own.check['~standard'].validate(found);
    return result instanceof Promise || result.issues === undefined ? { value } : result;
  };
  const list = { type: 'array', items: { type: 'object' } };
  return toSchema(validate, () => ({
    type: 'object',
    properties: { text: { type: 'string' }, structured: own?.json() ?? {}, artifacts: list, links: list },
    required: ['text'],
  }));
}

const MAX_DEPTH = 100;

/** The tool schema for a server's JSON Schema. Unsupported keywords are ignored, because the server checks them too. */
function serverSchema(schema: JsonObject): ToolSchema {
  let shown: JsonObject | undefined;
  const validate: Validate = (value) => {
    const issues = findSchemaIssues(schema, value as Json);
    return issues.length === 0 ? { value } : { issues };
  };
  return toSchema(validate, () => (shown ??= cleanSchema(schema, 0) as JsonObject));
}

type Validate = ToolSchema['check']['~standard']['validate'];

function toSchema(validate: Validate, json: () => JsonObject): ToolSchema {
  return { check: { '~standard': { version: 1, vendor: 'oka', validate } }, json };
}

function cleanSchema(part: Json, depth: number): Json {
  if (part === null || typeof part !== 'object' || depth > MAX_DEPTH) return part;
  if (Array.isArray(part)) return part.map((one) => cleanSchema(one, depth + 1));
  return Object.fromEntries(
    Object.entries(part as JsonObject).map(([key, value]) => [
      key,
      typeof value === 'string' && (key === 'description' || key === 'title')
        ? cleanText(value, MAX_DESCRIPTION_LENGTH)
        : cleanSchema(value, depth + 1),
    ]),
  );
}

const SAFE = /^[a-z0-9_-]{1,60}$/;
const MAX_PLAIN_LENGTH = 40;
const HASH_LENGTHS = [8, 16, 32, 64];

/** Maps names to unique names that are safe in `mcp.<server>.<tool>`. Safe names are kept; colliding ones get a hash suffix. */
export function safeNames(names: readonly string[]): ReadonlyMap<string, string> {
  const given = [...new Set(names)];
  const result = new Map(given.filter((name) => SAFE.test(name)).map((name) => [name, name]));
  const taken = new Set(result.keys());
  const changed = given.filter((name) => !result.has(name)).sort();
  const claims = new Map<string, number>();
  for (const name of changed) claims.set(plain(name), (claims.get(plain(name)) ?? 0) + 1);
  for (const name of changed) {
    const isAlone = SAFE.test(plain(name)) && claims.get(plain(name)) === 1;
    const candidates = [
      ...(isAlone ? [plain(name)] : []),
      ...HASH_LENGTHS.map((length) => withHash(name, length)),
    ];
    const free = candidates.find((candidate) => !taken.has(candidate)) as string;
    taken.add(free);
    result.set(name, free);
  }
  return result;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '_');
}

function withHash(name: string, length: number): string {
  return `${plain(name).slice(0, MAX_PLAIN_LENGTH)}_${digestOf(name.toWellFormed()).slice(0, length)}`;
}
