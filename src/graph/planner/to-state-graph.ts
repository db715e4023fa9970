import { StateGraph, type StateGraphSpec, type StateSpec } from '../../engine/index.ts';
import type { Digest, JsonObject } from '../../kernel/index.ts';
import { nodeTypeOf } from '../node-types.ts';
import type { CompiledGraph, GraphNode } from '../types.ts';
import type { PinnedDefinition, UsedGraph } from './running-graph.ts';

/** The states that a run ends in. No node can have these names. */
const COMPLETED = '(completed)';
const FAILED = '(failed)';

/**
 * The state graph of a compiled graph: one state per node, which may call only the node's own tools. `store` stores the
 * state graph of each used graph and returns its hash.
 */
export async function toStateGraph(
  compiled: CompiledGraph,
  store: (graph: StateGraph) => Promise<Digest>,
): Promise<StateGraph> {
  const { definition, mode, maxSteps } = compiled;
  const uses: Record<string, UsedGraph> = {};
  for (const [name, used] of compiled.uses) {
    const hash = await store(await toStateGraph(used, store));
    uses[name] = { id: used.definition.id, name: used.definition.name, hash };
  }
  const states: Record<string, StateSpec> = {};
  for (const node of definition.nodes) states[node.node_id] = stateOf(node);
  states[COMPLETED] = { terminal: 'completed' };
  states[FAILED] = { terminal: 'failed' };
  const pinned: PinnedDefinition = { graph: definition, mode, maxSteps, uses };
  const spec: StateGraphSpec = {
    name: definition.id,
    start: definition.start,
    ...(skipsStart(definition) ? { passesStart: true } : {}),
    states,
    repeats: true,
    definition: pinned as unknown as JsonObject,
  };
  return new StateGraph(spec, { copy: false });
}

/** A start without `input` only passes the run's input on, so runs skip it. */
function skipsStart({ start, nodes }: CompiledGraph['definition']): boolean {
  const first = nodes.find(({ node_id }) => node_id === start);
  return first?.type === 'start' && first.input === undefined;
}

function stateOf(node: GraphNode): StateSpec {
  if (node.type === 'end') return { to: [COMPLETED] };
  const type = nodeTypeOf(node);
  const targets = type.targets(node).map((target) => target.to);
  const tools = type.tools?.(node) ?? [];
  // A retry of a node is a transition to itself.
  const to = tools.length > 0 ? [...targets, node.node_id] : targets;
  return { to: [...new Set(to)], ...(tools.length > 0 ? { tools: { names: tools } } : {}) };
}
