// Owns: graphs as clients of the MCP server see them: tools, prompts and resources. Pure.
import type { OfferedPrompt, OfferedResource, OfferedTool } from '../../adapters/mcp-server/index.ts';
import type { Json, JsonObject } from '../../kernel/index.ts';

/** A graph of the workspace that can be run. */
export interface OfferedGraph {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly input?: JsonObject;
}

const TOOL = 'graph:';
const WRAPPED = 'input';

/** The name of the tool that runs a graph; no tool of Oka's own can have it. */
export function graphToolName(id: string): string {
  return `${TOOL}${id}`;
}

/** The graph behind the name of a tool, if it is that of one. */
export function graphOfTool(name: string): string | undefined {
  return name.startsWith(TOOL) ? name.slice(TOOL.length) : undefined;
}

function graphUri(id: string): string {
  return `oka://graph/${encodeURIComponent(id)}`;
}

/** Only its nodes know what a graph does, so it is annotated with the worst case. */
export function graphTool({ id, name, description, input }: OfferedGraph): OfferedTool {
  return {
    name: graphToolName(id),
    title: name,
    description: `Runs the graph "${id}". ${description ?? ''}`.trim(),
    input: argumentsOf(input),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  };
}

export function graphResource({ id, name, description }: OfferedGraph): OfferedResource {
  return {
    uri: graphUri(id),
    name: id,
    title: name,
    description: description ?? 'The definition of a graph.',
    mediaType: 'application/json',
  };
}

export function graphPrompt({ id, name, description, input }: OfferedGraph): OfferedPrompt {
  const { properties, required } = argumentsOf(input) as { properties?: JsonObject; required?: string[] };
  return {
    name: `run_${id}`,
    title: `Run ${name}`,
    description: description ?? `Runs the graph "${id}".`,
    arguments: Object.entries(properties ?? {}).map(([argument, schema]) => {
      const told = (schema as { description?: Json } | null)?.description;
      return {
        name: argument,
        required: required?.includes(argument) ?? false,
        ...(typeof told === 'string' ? { description: told } : {}),
      };
    }),
  };
}

/** Arguments are always an object; a graph that takes something else takes it as their member `input`. */
export function inputOf({ input }: OfferedGraph, given: JsonObject): Json {
  return isWrapped(input) ? (given[WRAPPED] ?? null) : given;
}

function argumentsOf(input: JsonObject | undefined): JsonObject {
  if (input === undefined) return { type: 'object' };
  if (!isWrapped(input)) return { ...input, type: 'object' };
  const moved = moveReferences(input, `#/properties/${WRAPPED}`) as JsonObject;
  return { type: 'object', properties: { [WRAPPED]: moved }, required: [WRAPPED] };
}

function isWrapped(input: JsonObject | undefined): boolean {
  const type = input?.['type'];
  return type !== undefined && type !== 'object';
}

/** Rewrites references of a schema that moved inside its document. */
function moveReferences(schema: Json, root: string): Json {
  if (Array.isArray(schema)) return schema.map((item) => moveReferences(item, root));
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? `${root}${value.slice(1)}`
        : moveReferences(value as Json, root),
    ]),
  );
}
