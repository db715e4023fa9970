import type { CallTool, Decision, Transition } from '../../engine/index.ts';
import { mayRepeat, narrowTool } from '../../engine/index.ts';
import type { Json } from '../../kernel/index.ts';
import type { GraphNode } from '../types.ts';
import type { NodeView } from './node-view.ts';
import type { UsedGraph } from './running-graph.ts';

/** The tools that node types call themselves. */
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

/** Continues with the node's input as its output; without an `input` of its own, nothing is stored again. */
export function passInput(view: NodeView, to: string, rationale: string): Transition {
  const output = view.node.input === undefined ? { evidence: view.plan.visit.last } : { value: view.input };
  return { kind: 'transition', to, output, rationale: view.because(rationale) };
}

/** Continues with an output of the node itself. */
export function continueWith(view: NodeView, to: string, value: Json, rationale: string): Transition {
  return { kind: 'transition', to, output: { value }, rationale: view.because(rationale) };
}

/** The parameters that child runs on a used graph have in common. */
export function childOn(used: UsedGraph): Json {
  return { kind: 'graph', goal: used.name, subject: used.id, graph: used.hash };
}

/** The fields of a node that can fail. */
type Attempting = GraphNode & {
  readonly next?: string;
  readonly timeout_seconds?: number;
  readonly max_retries?: number;
  readonly on_error?: string;
  readonly fallback_output?: Json;
};

type Calling = Attempting & { readonly next: string; readonly idempotency_key?: string };

/** Calls the node's tool once, with the remedies that the node allows, and continues with the result. */
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

/**
 * Makes the call. If it has failed during this visit: retries, branches, substitutes or fails, each as a decision of its
 * own, so that it is recorded.
 */
export function attempt(view: NodeView, node: Attempting, call: () => CallTool): Decision {
  const { happened } = view;
  const last = happened.at(-1);
  if (last === undefined || last.source === 'remedy') return call();
  if (last.failure === undefined) {
    // The call succeeded but its transition was not allowed; as a decision of its own, the reason is recorded.
    return {
      kind: 'transition',
      to: node.next ?? '',
      rationale: `${node.node_id} has its output; on to the next node.`,
    };
  }
  const { failure } = last;
  const failures = happened.filter((fact) => fact.failure !== undefined).length;
  const { retries: left = Number.POSITIVE_INFINITY, node_retries: limit = Number.POSITIVE_INFINITY } =
    view.plan.budgets;
  const wanted = node.max_retries ?? view.graph.definition.execution_defaults.max_retries ?? 0;
  const maxRetries = Math.min(wanted, limit);
  const tool = last.tool === undefined ? undefined : view.tool(last.tool);
  // Nothing has acted while another run performs the same effect, so any tool may wait for it.
  const isHarmless =
    failure.code === 'engine.effect_under_way' ||
    (tool !== undefined && mayRepeat(narrowTool(tool, last.input)));
  if (failure.transient === true && failures <= maxRetries && left >= 1 && isHarmless) {
    return {
      kind: 'transition',
      to: node.node_id,
      remedy: { kind: 'retry', attempt: failures },
      rationale: `${last.tool} failed (${failure.code}), which is transient; attempt ${failures + 1} of ${maxRetries + 1}.`,
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
    const value = view.render(node.fallback_output);
    return {
      kind: 'transition',
      to: node.next,
      output: { value },
      remedy: { kind: 'substitute' },
      rationale: view.because(`${node.node_id} ${tried} (${failure.code}); its fallback output is used.`),
    };
  }
  return {
    kind: 'fail',
    code: failure.code,
    reason: `the node "${node.node_id}" ${tried}: ${failure.message}`,
    rationale: 'a node failed and the graph has no fallback',
  };
}

/** The limits of a node's calls. The graph retries itself, so the engine does not. */
export function bounds(view: NodeView, node: Attempting): Pick<CallTool, 'timeoutMs' | 'retries'> {
  const seconds = node.timeout_seconds ?? view.graph.definition.execution_defaults.timeout_seconds;
  return { retries: 0, ...(seconds === undefined ? {} : { timeoutMs: seconds * 1_000 }) };
}
