import { type Digest, deepFreeze, digestOfJson } from '../kernel/index.ts';
import {
  checkCycles,
  checkEnd,
  checkReachable,
  checkStart,
  checkTargets,
  checkWayToEnd,
  findStart,
} from './compile/check-flow.ts';
import { checkIds } from './compile/check-ids.ts';
import { checkJson } from './compile/check-json.ts';
import { checkReferences } from './compile/check-references.ts';
import { findDominators } from './compile/dominators.ts';
import { buildFlow } from './compile/flow.ts';
import { checkMode } from './compile/mode-rules.ts';
import { type ReadDefinition, readDefinition } from './compile/read-definition.ts';
import { createUses, type Uses } from './compile/used-graphs.ts';
import type { CompileOptions, CompileResult } from './compile-options.ts';
import { jsonPath } from './json-path.ts';
import type { Finding, NodeContext } from './node-type.ts';
import { nodeTypeOf } from './node-types.ts';
import type { CompiledGraph, Diagnostic, GraphDefinition, GraphNode, GuaranteeMode } from './types.ts';

/** Checks a definition and makes a graph of it that runs can be pinned to. Takes any value and never throws. */
export function compileGraph(source: unknown, options: CompileOptions): CompileResult {
  return compileWithin(source, options, createUses(options, compileWithin));
}

function compileWithin(source: unknown, options: CompileOptions, uses: Uses): CompileResult {
  const json = checkJson(source);
  if (!json.sound) return { diagnostics: toDiagnostics(json.findings) };
  const read = readDefinition(source);
  if (!('nodes' in read)) return { diagnostics: toDiagnostics([...json.findings, ...read.findings]) };
  const mode = uses.modeOf(options.mode ?? read.settings.execution_defaults.guarantee_mode);
  const used = uses.inside(read, mode);
  const findings = [
    ...json.findings,
    ...read.findings,
    ...checkIds(read),
    ...checkNodes(read, { mode, settings: read.settings, tools: options.tools }),
    ...used.findings,
    ...checkWays(read, mode),
  ];
  const diagnostics = toDiagnostics(findings);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics };
  return { graph: makeGraph(source as GraphDefinition, mode, used.graphs), diagnostics };
}

/** What each node's own type and the mode say about it. */
function checkNodes({ nodes }: ReadDefinition, context: NodeContext): Finding[] {
  return nodes.flatMap(({ node, index }) => {
    if (node === undefined) return [];
    const own = nodeTypeOf(node).check?.(node, context) ?? [];
    return [...own, ...checkMode(node, context.mode, context.settings)].map((finding) => ({
      ...finding,
      field: ['nodes', index, ...finding.field],
    }));
  });
}

/** What the ways between nodes, and the templates that rely on them, say. */
function checkWays(read: ReadDefinition, mode: GuaranteeMode): Finding[] {
  if (!read.listed) return [];
  const flow = buildFlow(read);
  const start = findStart(read, flow);
  const ways = start === undefined ? undefined : findDominators(flow.edges, start);
  return [
    ...checkStart(read, flow),
    ...checkEnd(read),
    ...checkTargets(read, flow),
    ...(ways === undefined ? [] : checkReachable(read, flow, ways)),
    ...checkWayToEnd(read, flow),
    ...checkCycles(read, flow, defaultSteps(read.nodes.length), ways),
    ...checkReferences(read, flow, ways, mode),
  ];
}

function makeGraph(
  source: GraphDefinition,
  mode: GuaranteeMode,
  uses: ReadonlyMap<string, CompiledGraph>,
): CompiledGraph {
  const copy = structuredClone(source);
  const execution_defaults = Object.assign({ guarantee_mode: 'bounded' }, copy.execution_defaults);
  const definition = deepFreeze<GraphDefinition>({ ...copy, execution_defaults });
  const used = Object.fromEntries([...uses].map(([name, { hash }]) => [name, hash]));
  const hash: Digest = digestOfJson({ definition, mode, uses: used });
  const nodes = new Map<string, GraphNode>(definition.nodes.map((node) => [node.node_id, node]));
  return { definition, mode, hash, nodes, maxSteps: definition.max_steps ?? defaultSteps(nodes.size), uses };
}

function defaultSteps(nodes: number): number {
  return Math.max(20, 12 * nodes);
}

/** Findings as diagnostics, in the order in which their places stand in the definition. */
function toDiagnostics(findings: readonly Finding[]): Diagnostic[] {
  const placeOf = ({ field }: Finding): number =>
    field[0] === 'nodes' && typeof field[1] === 'number' ? field[1] : -1;
  return findings
    .map((finding) => ({ finding, place: placeOf(finding) }))
    .sort((one, other) => one.place - other.place)
    .map(({ finding: { code, field, message, suggestion, severity } }) => ({
      code,
      path: jsonPath(field),
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
      severity: severity ?? 'error',
    }));
}
