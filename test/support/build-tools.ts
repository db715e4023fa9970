import type { SideEffect, ToolSchema } from '../../src/engine/index.ts';
import { type BuildTool, type CompileResult, compileGraph } from '../../src/graph/index.ts';
import type { JsonObject } from '../../src/kernel/index.ts';

const text = { type: 'string' } as const;
const list = { type: 'array' } as const;
const whole = { type: 'integer' } as const;

function schema(json: JsonObject): ToolSchema {
  return {
    check: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } },
    json: () => json,
  };
}

function tool(
  name: string,
  description: string,
  sideEffect: SideEffect,
  input: JsonObject,
  required: readonly string[],
  output?: JsonObject,
): BuildTool {
  const readOnly = sideEffect === 'read';
  const idempotent = sideEffect !== 'external_mutation';
  return {
    name,
    description,
    sideEffect,
    annotations: {
      readOnly,
      destructive: name.endsWith('delete'),
      idempotent,
      cacheable: false,
      risk: 'low',
    },
    input: schema({ type: 'object', properties: input, required, additionalProperties: false }),
    ...(output && { output: schema({ type: 'object', properties: output }) }),
  };
}

/** Tools like those that come with Oka, and some that do not. */
export const TOOLS: readonly BuildTool[] = [
  tool(
    'files.read',
    'Reads a text file of the workspace and gives its content.',
    'read',
    { path: text },
    ['path'],
    {
      path: text,
      content: text,
      bytes: whole,
    },
  ),
  tool('files.list', 'Lists the files and folders in a folder.', 'read', { path: text, depth: whole }, [], {
    path: text,
    entries: list,
  }),
  tool(
    'files.search',
    'Searches the text files for a text and gives the lines that hold it.',
    'read',
    { query: text, path: text, glob: text, limit: whole },
    ['query'],
    { query: text, matches: list, files: whole },
  ),
  tool(
    'files.write',
    'Writes a text file of the workspace, replacing it if it exists.',
    'write_local',
    { path: text, content: text },
    ['path', 'content'],
    { path: text, bytes: whole },
  ),
  tool('files.move', 'Moves a file.', 'write_local', { from: text, to: text }, ['from', 'to'], {
    path: text,
  }),
  tool('files.delete', 'Deletes a file.', 'write_local', { path: text }, ['path']),
  tool(
    'http.fetch',
    'Fetches an address of the web.',
    'read',
    { url: text, method: { type: 'string', enum: ['GET', 'POST'] } },
    ['url'],
    { status: whole, body: text },
  ),
  tool(
    'process.run',
    'Runs a program.',
    'external_mutation',
    { argv: { type: 'array', items: text }, timeout_seconds: whole },
    ['argv'],
    { exitCode: whole, stdout: text },
  ),
  tool('mail.send', 'Sends a mail.', 'external_mutation', { to: text, subject: text, body: text }, [
    'to',
    'body',
  ]),
];

/** Compiles against those tools. */
export function compile(source: unknown): CompileResult {
  const found = new Map(TOOLS.map((one) => [one.name, one]));
  return compileGraph(source, {
    tools: {
      names: () => [...found.keys()],
      find(name) {
        const known = found.get(name);
        if (!known) return undefined;
        const { readOnly, idempotent } = known.annotations;
        return { name, readOnly, idempotent, inputSchema: () => known.input.json() };
      },
    },
  });
}
