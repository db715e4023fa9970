import { deepFreeze, digestOfJson } from '../kernel/index.ts';
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
import { jsonPath } from './json-value.ts';
import type { Finding, NodeContext } from './node-type.ts';
import { nodeTypeOf } from './node-types.ts';
import type { CompileOptions, CompileResult } from './ports.ts';
import {
  type CompiledGraph,
  type Diagnostic,
  type GraphDefinition,
  type GraphNode,
  GUARANTEE_MODES,
  type GuaranteeMode,
} from './types.ts';

const MAX_NESTED_GRAPHS = 40;

/** The position of a graph inside other graphs during one compilation. */
interface Nesting {
  /** The names and ids of the outer graphs. */
  readonly outer: readonly string[];
  readonly outerMode?: GuaranteeMode;
  /** Results by mode and name, so that a graph with several uses is compiled once. */
  readonly results: Map<string, CompileResult>;
}

/** Checks a definition and turns it into a graph that runs can be pinned to. Takes any value and never throws. */
export function compileGraph(source: unknown, options: CompileOptions): CompileResult {
  return compileNested(source, options, { outer: [], results: new Map() });
}

function compileNested(source: unknown, options: CompileOptions, nesting: Nesting): CompileResult {
  const json = checkJson(source);
  if (!json.sound) return { diagnostics: toDiagnostics(json.findings) };
  const read = readDefinition(source);
  if (!('nodes' in read)) return { diagnostics: toDiagnostics([...json.findings, ...read.findings]) };
  const own = options.mode ?? read.settings.execution_defaults.guarantee_mode;
  const mode = stricter(own, nesting.outerMode ?? own);
  const used = compileUsedGraphs(read, options, mode, nesting);
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

/** A graph inside another has at least the guarantees of the outer one. */
function stricter(one: GuaranteeMode, other: GuaranteeMode): GuaranteeMode {
  return GUARANTEE_MODES.indexOf(one) < GUARANTEE_MODES.indexOf(other) ? one : other;
}

/** Runs the checks of each node's type and of the mode. */
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

/** Checks the edges between nodes, and the templates that rely on them. */
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

/** Compiles the graphs that map and subgraph nodes name. */
function compileUsedGraphs(
  read: ReadDefinition,
  options: CompileOptions,
  mode: GuaranteeMode,
  { outer, results }: Nesting,
): { graphs: ReadonlyMap<string, CompiledGraph>; findings: readonly Finding[] } {
  const { id } = read.settings;
  const open = id === undefined || id === outer.at(-1) ? outer : [...outer, id];
  const graphs = new Map<string, CompiledGraph>();
  const findings: Finding[] = [];
  for (const { node, index } of read.nodes) {
    if (node?.type !== 'map' && node?.type !== 'subgraph') continue;
    const name = node.graph;
    const source = options.graphs?.find(name);
    const problem = nestingProblem(name, source, open);
    const key = `${mode} ${name}`;
    if (problem === undefined && !results.has(key)) {
      const { mode: _, ...inner } = options;
      const around = open.at(-1) === name ? open : [...open, name];
      results.set(key, compileNested(source, inner, { outer: around, outerMode: mode, results }));
    }
    const result = problem === undefined ? results.get(key) : undefined;
    if (result?.graph) graphs.set(name, result.graph);
    else
      findings.push({
        ...(problem ?? brokenGraph(name, result?.diagnostics ?? [])),
        field: ['nodes', index, 'graph'],
      });
  }
  return { graphs, findings };
}

type Problem = Omit<Finding, 'field'>;

function nestingProblem(name: string, source: unknown, open: readonly string[]): Problem | undefined {
  if (source === undefined)
    return {
      code: 'graph.unknown_graph',
      message: `there is no graph "${name}".`,
      suggestion: 'Give the id of a graph in .oka/graphs, or the path of its file.',
    };
  const { id } = (source ?? {}) as { id?: unknown };
  const own = typeof id === 'string' ? id : name;
  if (open.includes(name) || open.includes(own))
    return {
      code: 'graph.graph_circle',
      message: `graphs contain each other in a circle: ${[...open, own].join(' → ')}.`,
      suggestion: 'Take one of them out of the circle.',
    };
  if (open.length < MAX_NESTED_GRAPHS) return undefined;
  return {
    code: 'graph.too_deep',
    message: 'graphs are nested too deep in each other.',
    suggestion: 'Make the graphs flatter.',
  };
}

/** The errors of the inner graph in one sentence; a circle is reported as a circle on every level. */
function brokenGraph(name: string, diagnostics: readonly Diagnostic[]): Problem {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors[0];
  const onlyCircles = errors.every(({ code }) => code === 'graph.graph_circle');
  const count = errors.length === 1 ? 'an error' : `${errors.length} errors`;
  return {
    code: onlyCircles ? 'graph.graph_circle' : 'graph.broken_graph',
    message: `the graph "${name}" has ${count}; at ${first?.path}: ${first?.message}`,
    suggestion: `Correct it first: oka graph validate ${name}.`,
  };
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
  const hash = digestOfJson({ definition, mode, uses: used });
  const nodes = new Map<string, GraphNode>(definition.nodes.map((node) => [node.node_id, node]));
  return { definition, mode, hash, nodes, maxSteps: definition.max_steps ?? defaultSteps(nodes.size), uses };
}

function defaultSteps(nodes: number): number {
  return Math.max(20, 12 * nodes);
}

/** Findings as diagnostics, in the order of the definition. */
function toDiagnostics(findings: readonly Finding[]): Diagnostic[] {
  const placeOf = ({ field }: Finding): number =>
    field[0] === 'nodes' && typeof field[1] === 'number' ? field[1] : -1;
  return findings
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(({ code, field, message, suggestion, severity = 'error' }) => ({
      code,
      path: jsonPath(field),
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
      severity,
    }));
}
