import { StateGraph, type StateGraphSpec, type StateSpec } from '../../engine/index.ts';
import type { Digest, JsonObject } from '../../kernel/index.ts';
import { nodeTypeOf } from '../node-types.ts';
import type { CompiledGraph, GraphNode } from '../types.ts';
import type { PinnedDefinition, UsedGraph } from './running-graph.ts';

/** The states that a run ends in. No node can be called so. */
const COMPLETED = '(completed)';
const FAILED = '(failed)';

/**
 * The state graph of a compiled graph: a state per node, which may call only the node's own tool. `keep` stores the
 * state graph of each graph that it uses and answers with its hash.
 */
export async function toStateGraph(
  compiled: CompiledGraph,
  keep: (graph: StateGraph) => Promise<Digest>,
): Promise<StateGraph> {
  const { definition, mode, maxSteps } = compiled;
  const uses: Record<string, UsedGraph> = {};
  for (const [name, used] of compiled.uses) {
    const hash = await keep(await toStateGraph(used, keep));
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
    ...(isPassed(definition) ? { passesStart: true } : {}),
    states,
    repeats: true,
    definition: pinned as unknown as JsonObject,
  };
  return new StateGraph(spec, { copy: false });
}

/** A start that gives on what the run was given has nothing to do. */
function isPassed({ start, nodes }: CompiledGraph['definition']): boolean {
  const first = nodes.find(({ node_id }) => node_id === start);
  return first?.type === 'start' && first.input === undefined;
}

function stateOf(node: GraphNode): StateSpec {
  if (node.type === 'end') return { to: [COMPLETED] };
  const type = nodeTypeOf(node);
  const targets = type.targets(node).map((target) => target.to);
  const tools = type.tools?.(node) ?? [];
  // A node that calls a tool may be tried again, which is a way to itself.
  const to = tools.length > 0 ? [...targets, node.node_id] : targets;
  return { to: [...new Set(to)], ...(tools.length > 0 ? { tools: { names: tools } } : {}) };
}
