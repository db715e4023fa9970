import type { CompileOptions, CompileResult } from '../compile-options.ts';
import type { Finding } from '../node-type.ts';
import { type CompiledGraph, GUARANTEE_MODES, type GuaranteeMode } from '../types.ts';
import type { ReadDefinition } from './read-definition.ts';

const MOST_OPEN = 40;

type Compile = (source: unknown, options: CompileOptions, uses: Uses) => CompileResult;

/** The graphs that a graph uses, compiled, and what was wrong with them. */
interface Used {
  readonly graphs: ReadonlyMap<string, CompiledGraph>;
  readonly findings: readonly Finding[];
}

/** What is known while graphs inside graphs are compiled. */
export interface Uses {
  /** A graph inside another keeps at least the guarantees of the outer one. */
  modeOf(own: GuaranteeMode): GuaranteeMode;
  /** Compiles what the map and subgraph nodes of a definition name. */
  inside(read: ReadDefinition, mode: GuaranteeMode): Used;
}

/** What is the same for all levels of one compilation. */
interface Shared {
  readonly options: CompileOptions;
  readonly compile: Compile;
  /** Results by mode and name, so that a graph that is used often is compiled once. */
  readonly results: Map<string, CompileResult>;
}

export function createUses(options: CompileOptions, compile: Compile): Uses {
  return usesWithin({ options, compile, results: new Map() }, [], undefined);
}

/** `outer` holds the names and the ids of the graphs around. */
function usesWithin(shared: Shared, outer: readonly string[], outerMode: GuaranteeMode | undefined): Uses {
  return {
    modeOf: (own) => (outerMode === undefined ? own : stricter(own, outerMode)),
    inside(read, mode) {
      const { id } = read.settings;
      const open = id === undefined || id === outer.at(-1) ? outer : [...outer, id];
      const graphs = new Map<string, CompiledGraph>();
      const findings: Finding[] = [];
      for (const { node, index } of read.nodes) {
        if (node?.type !== 'map' && node?.type !== 'subgraph') continue;
        const used = compileUsed(shared, node.graph, open, mode);
        if ('finding' in used) findings.push({ ...used.finding, field: ['nodes', index, 'graph'] });
        else graphs.set(node.graph, used.graph);
      }
      return { graphs, findings };
    },
  };
}

type Problem = Omit<Finding, 'field'>;

function compileUsed(
  shared: Shared,
  name: string,
  open: readonly string[],
  mode: GuaranteeMode,
): { graph: CompiledGraph } | { finding: Problem } {
  const source = shared.options.graphs?.find(name);
  if (source === undefined) return { finding: unknownGraph(name) };
  const id = (source as { id?: unknown } | null)?.id;
  if (open.includes(name) || (typeof id === 'string' && open.includes(id)))
    return { finding: circle([...open, typeof id === 'string' ? id : name]) };
  if (open.length >= MOST_OPEN) return { finding: tooDeep() };
  const key = `${mode} ${name}`;
  const { mode: _, ...options } = shared.options;
  const result =
    shared.results.get(key) ??
    shared.compile(source, options, usesWithin(shared, open.at(-1) === name ? open : [...open, name], mode));
  shared.results.set(key, result);
  return result.graph === undefined ? { finding: broken(name, result) } : { graph: result.graph };
}

function stricter(one: GuaranteeMode, other: GuaranteeMode): GuaranteeMode {
  return GUARANTEE_MODES.indexOf(one) < GUARANTEE_MODES.indexOf(other) ? one : other;
}

function unknownGraph(name: string): Problem {
  return {
    code: 'graph.unknown_graph',
    message: `there is no graph "${name}".`,
    suggestion: 'Give the id of a graph in .oka/graphs, or the path of its file.',
  };
}

function circle(ids: readonly string[]): Problem {
  return {
    code: 'graph.graph_circle',
    message: `graphs contain each other in a circle: ${ids.join(' → ')}.`,
    suggestion: 'Take one of them out of the circle.',
  };
}

function tooDeep(): Problem {
  return {
    code: 'graph.too_deep',
    message: 'graphs are nested too deep in each other.',
    suggestion: 'Make the graphs flatter.',
  };
}

/** The errors of the inner graph in one sentence; a circle is called a circle on every level. */
function broken(name: string, { diagnostics }: CompileResult): Problem {
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
