// Owns: what a node does about a failure: try again, go another way, go on with a substitute, or fail. Each of them is
// a decision of its own, so that the record tells it.
import type { CallTool, Decision } from '../../engine/index.ts';
import { mayRepeat, narrowTool } from '../../engine/index.ts';
import type { GraphNode } from '../types.ts';
import type { NodeView } from './node-view.ts';

/** What a node that can fail may say about it. */
type Attempting = GraphNode & {
  readonly next?: string;
  readonly timeout_seconds?: number;
  readonly max_retries?: number;
  readonly on_error?: string;
  readonly fallback_output?: unknown;
};

/** Makes the call, or finds the remedy when it has failed during this visit. */
export function attempt(view: NodeView, node: Attempting, call: () => CallTool): Decision {
  const { happened } = view;
  const last = happened.at(-1);
  if (last === undefined || last.source === 'remedy') return call();
  if (last.failure === undefined) {
    // The call succeeded, and the way that it was to lead was not open; asked for by itself, the reason is recorded.
    return {
      kind: 'transition',
      to: node.next ?? '',
      rationale: `${node.node_id} has its output; on to the next node.`,
    };
  }
  const { failure } = last;
  const failures = happened.filter((fact) => fact.failure !== undefined).length;
  const most = node.max_retries ?? view.graph.definition.execution_defaults.max_retries ?? 0;
  const tool = last.tool === undefined ? undefined : view.tool(last.tool);
  // Nothing has acted when another run is at the same effect; it may be waited for with any tool.
  const harmless =
    failure.code === 'engine.effect_under_way' ||
    (tool !== undefined && mayRepeat(narrowTool(tool, last.input)));
  const again = failure.transient === true && failures <= most && harmless;
  if (again) {
    return {
      kind: 'transition',
      to: node.node_id,
      remedy: { kind: 'retry', attempt: failures },
      rationale: `${last.tool} failed (${failure.code}), which may pass; attempt ${failures + 1} of ${most + 1}.`,
    };
  }
  return giveUp(view, node, failure, failures);
}

function giveUp(
  view: NodeView,
  node: Attempting,
  failure: { readonly code: string; readonly message: string },
  failures: number,
): Decision {
  const tried = failures === 1 ? 'failed' : `failed ${failures} times`;
  if (node.on_error !== undefined && view.graph.has(node.on_error) && view.mode !== 'strict') {
    return {
      kind: 'transition',
      to: node.on_error,
      remedy: { kind: 'branch' },
      rationale: `${node.node_id} ${tried} (${failure.code}); the graph goes to ${node.on_error} then.`,
    };
  }
  if (node.fallback_output !== undefined && node.next !== undefined && view.mode === 'flex') {
    const value = view.render(node.fallback_output as never);
    return {
      kind: 'transition',
      to: node.next,
      output: { value },
      remedy: { kind: 'substitute' },
      rationale: view.because(`${node.node_id} ${tried} (${failure.code}); its fallback output is taken.`),
    };
  }
  return {
    kind: 'fail',
    code: failure.code,
    reason: `the node "${node.node_id}" ${tried}: ${failure.message}`,
    rationale: 'a node failed and the graph has no other way',
  };
}

/** The bounds that a node sets for its calls. The graph tries again by itself, so the engine does not. */
export function bounds(view: NodeView, node: Attempting): Pick<CallTool, 'timeoutMs' | 'retries'> {
  const seconds = node.timeout_seconds ?? view.graph.definition.execution_defaults.timeout_seconds;
  return { retries: 0, ...(seconds === undefined ? {} : { timeoutMs: seconds * 1_000 }) };
}
