// Owns: the definitions that a scheduled graph consists of, from its files or from a compiled graph. Both give the same content.
import type { GraphFile } from '../../adapters/workspace/index.ts';
import { type CompiledGraph, parseGraphText } from '../../graph/index.ts';
import { canonicalJson, digestOf, type Json } from '../../kernel/index.ts';

/** Finds a graph file by id or path; paths are relative to `from`, else to the workspace. */
export interface GraphFinder {
  find(name: string, from?: string): GraphFile | undefined;
}

interface GraphNodeText {
  readonly type?: unknown;
  readonly graph?: unknown;
  readonly tool?: unknown;
  readonly args?: { readonly graph?: unknown };
}

/** Tools that neither reach a host nor start a program; every other one may. */
const INSIDE =
  /^(assistant|chat|context|engine|files|graph|memory|model|procedures|reminders|skills|state|time)\./;

/** Whether the definitions of a graph call a tool that reaches a host or starts a program. */
export function actsOutside(content: Json): boolean {
  if (content === null || typeof content !== 'object') return false;
  const { tool } = content as { readonly tool?: unknown };
  if (typeof tool === 'string' && !INSIDE.test(tool)) return true;
  return Object.values(content).some(actsOutside);
}

/** The definitions of a graph as its files have them now. */
export function contentOfFiles(name: string, files: GraphFinder, seen: readonly string[] = []): Json {
  const file = files.find(name);
  if (file === undefined || seen.includes(file.path)) return null;
  const definition = definitionOf(file);
  const uses: Record<string, Json> = {};
  const pending = usedBy(definition);
  for (let used = pending.shift(); used !== undefined; used = pending.shift()) {
    if (Object.hasOwn(uses, used)) continue;
    const found = files.find(used, file.path);
    uses[used] = found === undefined ? null : definitionOf(found);
    pending.push(...usedBy(uses[used]));
  }
  return {
    definition,
    uses,
    calls: callsOf([definition, ...Object.values(uses)], files, [...seen, file.path]),
  };
}

/** The definitions of a compiled graph. Graphs that it calls as a tool come from their files. */
export function contentOfCompiled(path: string, compiled: CompiledGraph, files: GraphFinder): Json {
  const uses: Record<string, Json> = {};
  const collect = (graph: CompiledGraph): void => {
    for (const [name, used] of graph.uses) {
      if (Object.hasOwn(uses, name)) continue;
      uses[name] = used.definition as unknown as Json;
      collect(used);
    }
  };
  collect(compiled);
  const definition = compiled.definition as unknown as Json;
  return { definition, uses, calls: callsOf([definition, ...Object.values(uses)], files, [path]) };
}

/** The graphs that the tool `graph.run` is called with, as far as their names are written in a definition. */
function callsOf(definitions: readonly Json[], files: GraphFinder, seen: readonly string[]): Json {
  const names = definitions
    .flatMap(nodesOf)
    .flatMap(({ tool, args }) =>
      tool === 'graph.run' && typeof args?.graph === 'string' ? [args.graph] : [],
    );
  return Object.fromEntries(names.map((name) => [name, contentOfFiles(name, files, seen)]));
}

function usedBy(definition: Json | undefined): string[] {
  return nodesOf(definition).flatMap(({ type, graph }) =>
    (type === 'map' || type === 'subgraph') && typeof graph === 'string' ? [graph] : [],
  );
}

function nodesOf(definition: Json | undefined): readonly GraphNodeText[] {
  const { nodes } = (definition ?? {}) as { readonly nodes?: unknown };
  if (!Array.isArray(nodes)) return [];
  return nodes.filter((node): node is GraphNodeText => typeof node === 'object' && node !== null);
}

/** The definition in a file. One that cannot be run is represented by its text. */
function definitionOf({ text }: GraphFile): Json {
  try {
    const { definition = null } = parseGraphText(text);
    canonicalJson(definition);
    if (definition !== null) return definition;
  } catch {
    // Not a definition.
  }
  return { invalid: digestOf(text) };
}
