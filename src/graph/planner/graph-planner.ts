import type { Decision, Planner, RunKind } from '../../engine/index.ts';
import { StateGraph } from '../../engine/index.ts';
import { isOkaError, templatePaths } from '../../kernel/index.ts';
import { nodeTypeOf } from '../node-types.ts';
import type { GraphNode } from '../types.ts';
import { NodeView } from './node-view.ts';
import { type RunningGraph, runningGraph } from './running-graph.ts';

/** Walks a compiled graph: each node's type decides. A pure function of the run's evidence. */
export const graphPlanner: Planner = {
  name: 'graph',
  version: '1',
  deterministic: true,
  estimate: () => ({}),
  async plan(input) {
    const graph = runningGraph(input.graph);
    const node = graph.node(input.state);
    if (input.run.step > graph.maxSteps) return tooManySteps(graph);
    const view = await NodeView.of(graph, node, input, graph.roots(node, rootsOf));
    try {
      return await nodeTypeOf(node).decide(node, view);
    } catch (error) {
      // Wrong values end the run with their own code; any other error is a bug that the engine reports.
      if (!isOkaError(error)) throw error;
      const rationale = `the node "${node.node_id}" cannot continue with its input`;
      return { kind: 'fail', code: error.code, reason: error.message, rationale };
    }
  },
};

/** The first names of all paths in the node's templates, and the nodes that it references. */
function rootsOf(node: GraphNode): ReadonlySet<string> {
  const type = nodeTypeOf(node);
  const values = type.templates(node).map((field) => field.value);
  const paths = values.flatMap(templatePaths).map((path) => path.split(/[.[]/, 1)[0]?.trim() ?? '');
  const named = (type.references?.(node) ?? []).map((reference) => reference.id);
  return new Set([...paths, ...named]);
}

function tooManySteps(graph: RunningGraph): Decision {
  return {
    kind: 'fail',
    code: 'graph.max_steps',
    reason: `the run has reached the limit of ${graph.maxSteps} steps; a loop may not end. Raise max_steps to allow more.`,
    rationale: 'a graph is bounded by its max_steps',
  };
}

/** Runs that walk a graph. Each run has the state graph of its own definition. */
export const graphKind: RunKind = {
  name: 'graph',
  planner: graphPlanner,
  graph: new StateGraph({
    name: 'graph',
    start: 'start',
    states: { start: { to: ['(completed)'] }, '(completed)': { terminal: 'completed' } },
  }),
};
