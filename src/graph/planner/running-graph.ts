import type { StateGraph } from '../../engine/index.ts';
import { type Digest, type Json, OkaError, templatePaths } from '../../kernel/index.ts';
import type { GraphDefinition, GraphNode, GuaranteeMode } from '../types.ts';

/** The definition of a run's graph, stored in the state graph that the run is pinned to. */
export interface PinnedDefinition {
  readonly graph: GraphDefinition;
  readonly mode: GuaranteeMode;
  readonly maxSteps: number;
  /** The state graphs that map and subgraph nodes start, by the name they use. */
  readonly uses: Readonly<Record<string, UsedGraph>>;
}

export interface UsedGraph {
  readonly id: string;
  readonly name: string;
  readonly hash: Digest;
}

/** A graph as its planner walks it; made once per pinned definition. */
export class RunningGraph {
  readonly definition: GraphDefinition;
  readonly mode: GuaranteeMode;
  readonly maxSteps: number;
  readonly uses: PinnedDefinition['uses'];
  readonly #nodes: ReadonlyMap<string, GraphNode>;
  readonly #roots = new Map<string, ReadonlySet<string>>();
  readonly #constants = new WeakMap<object, boolean>();

  constructor(pinned: PinnedDefinition) {
    this.definition = pinned.graph;
    this.mode = pinned.mode;
    this.maxSteps = pinned.maxSteps;
    this.uses = pinned.uses;
    this.#nodes = new Map(pinned.graph.nodes.map((node) => [node.node_id, node]));
  }

  node(id: string): GraphNode {
    const node = this.#nodes.get(id);
    if (node) return node;
    throw new OkaError('graph.unknown_node', `the graph ${this.definition.id} has no node "${id}".`);
  }

  use(name: string): UsedGraph {
    const used = this.uses[name];
    if (used) return used;
    throw new OkaError('graph.unknown_node', `the graph ${this.definition.id} is not pinned to "${name}".`);
  }

  has(id: string): boolean {
    return this.#nodes.has(id);
  }

  /** True for a value of the definition without a template, which is the same in every step. */
  isConstant(value: Json): boolean {
    if (value === null || typeof value !== 'object') return typeof value !== 'string';
    const known = this.#constants.get(value);
    if (known !== undefined) return known;
    const constant = templatePaths(value).length === 0;
    this.#constants.set(value, constant);
    return constant;
  }

  /** Caches the result of `find` for the node. */
  roots(node: GraphNode, find: (node: GraphNode) => ReadonlySet<string>): ReadonlySet<string> {
    const known = this.#roots.get(node.node_id);
    if (known) return known;
    const roots = find(node);
    this.#roots.set(node.node_id, roots);
    return roots;
  }
}

const running = new WeakMap<StateGraph, RunningGraph>();

/** The graph behind a state graph. */
export function runningGraph(graph: StateGraph): RunningGraph {
  const known = running.get(graph);
  if (known) return known;
  const { definition } = graph.spec;
  if (definition === undefined) {
    throw new OkaError('graph.unknown_node', `"${graph.spec.name}" is not the state graph of an automation.`);
  }
  const made = new RunningGraph(definition as unknown as PinnedDefinition);
  running.set(graph, made);
  return made;
}
