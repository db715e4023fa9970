import type { CallTool, Decision, Transition } from '../../engine/index.ts';
import type { Json } from '../../kernel/index.ts';
import type { GraphNode } from '../types.ts';
import { attempt, bounds } from './attempt.ts';
import type { NodeView } from './node-view.ts';
import type { UsedGraph } from './running-graph.ts';

/** The tools that nodes call on their own account. */
export const NODE_TOOLS = {
  children: 'engine.run_children',
  wait: 'engine.wait',
  event: 'engine.wait_event',
  readState: 'state.read',
  writeState: 'state.write',
  priorRuns: 'state.prior_runs',
  complete: 'model.complete',
  choose: 'model.choose',
} as const;

/** Goes on with what the node was given as its output: where it has no `input` of its own, nothing is written again. */
export function passOn(view: NodeView, to: string, rationale: string): Transition {
  const output = view.node.input === undefined ? { evidence: view.plan.visit.last } : { value: view.input };
  return { kind: 'transition', to, output, rationale: view.because(rationale) };
}

/** Goes on with an output of the node's own. */
export function goOn(view: NodeView, to: string, value: Json, rationale: string): Transition {
  return { kind: 'transition', to, output: { value }, rationale: view.because(rationale) };
}

type Calling = GraphNode & { readonly next: string; readonly idempotency_key?: string };

/** Calls the node's tool once, with the remedies that the node allows, and goes on with what it answers. */
export function callOnce(
  view: NodeView,
  node: Calling,
  tool: string,
  input: () => Json,
  why: string,
): Decision {
  return attempt(view, node, (): CallTool => {
    const rendered = input();
    const key = node.idempotency_key === undefined ? undefined : view.renderText(node.idempotency_key);
    return {
      kind: 'call_tool',
      tool,
      input: rendered,
      then: node.next,
      ...bounds(view, node),
      ...(key === undefined ? {} : { idempotencyKey: `${view.graph.definition.id}/${key}` }),
      rationale: view.because(why),
    };
  });
}

/** What child runs on a graph that this one uses have in common. */
export function childOn(used: UsedGraph): Json {
  return { kind: 'graph', goal: used.name, subject: used.id, graph: used.hash };
}
