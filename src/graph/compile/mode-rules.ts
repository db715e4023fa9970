import type { Finding, GraphSettings } from '../node-type.ts';
import { hasTemplate } from '../template-values.ts';
import type { GraphNode, GuaranteeMode } from '../types.ts';

/** Limits of one attempt. strict: on the node itself; bounded: there or in execution_defaults; flex: optional. */
const CONTROLS = [
  { field: 'timeout_seconds', code: 'graph.missing_timeout', example: 60 },
  { field: 'max_retries', code: 'graph.missing_retries', example: 2 },
] as const;

/** Checks a node against the mode table. */
export function* checkMode(
  node: GraphNode,
  mode: GuaranteeMode,
  settings: GraphSettings,
): Generator<Finding> {
  if (mode !== 'flex') yield* checkControls(node, mode, settings);
  yield* checkIdempotencyKey(node, mode);
  yield* checkFallbacks(node, mode);
  if (mode !== 'flex') yield* checkBounds(node, mode, settings);
}

function* checkControls(node: GraphNode, mode: GuaranteeMode, settings: GraphSettings): Generator<Finding> {
  if (
    node.type !== 'tool' &&
    node.type !== 'ai_template' &&
    node.type !== 'llm_condition' &&
    node.type !== 'agent'
  )
    return;
  const elsewhere = mode === 'bounded' ? ', or to execution_defaults' : '';
  for (const { field, code, example } of CONTROLS) {
    if (node[field] !== undefined) continue;
    if (mode === 'bounded' && settings.execution_defaults[field] !== undefined) continue;
    yield {
      code,
      field: [field],
      message: `${mode} mode requires "${field}".`,
      suggestion: `Add "${field}": ${example} to the node${elsewhere}.`,
    };
  }
}

/** strict: required on tool and ai_template. Every mode: a key without a template is the same in every run. */
function* checkIdempotencyKey(node: GraphNode, mode: GuaranteeMode): Generator<Finding> {
  if (node.type !== 'tool' && node.type !== 'ai_template') return;
  const field = ['idempotency_key'];
  if (node.idempotency_key === undefined) {
    if (mode !== 'strict') return;
    yield {
      code: 'graph.missing_idempotency_key',
      field,
      message: 'strict mode requires "idempotency_key".',
      suggestion: `Add "idempotency_key": "${node.node_id}-{{run.origin_id}}-{{run.visit}}".`,
    };
  } else if (!hasTemplate(node.idempotency_key)) {
    yield {
      code: 'graph.constant_idempotency_key',
      field,
      message: 'the key is the same in every run, so the node acts only once.',
      suggestion: 'Put {{run.origin_id}} into it.',
      severity: 'warning',
    };
  }
}

/** strict: no on_error and no default; strict and bounded: no fallback_output. The `on_error` of a map is no target. */
function* checkFallbacks(node: GraphNode, mode: GuaranteeMode): Generator<Finding> {
  if (mode !== 'flex' && 'fallback_output' in node && node.fallback_output !== undefined) {
    yield {
      code: 'graph.fallback_output_refused',
      field: ['fallback_output'],
      message: `${mode} mode refuses "fallback_output".`,
      suggestion: 'Remove it, or run the graph in flex mode.',
    };
  }
  if (mode !== 'strict') return;
  if (node.type !== 'map' && 'on_error' in node) {
    yield {
      code: 'graph.fallback_branch_refused',
      field: ['on_error'],
      message: 'strict mode refuses "on_error".',
      suggestion: 'Remove it: in strict mode a failed node fails the run.',
    };
  }
  if (node.type === 'llm_condition' && node.default !== undefined) {
    yield {
      code: 'graph.fallback_option_refused',
      field: ['default'],
      message: 'strict mode refuses a default: the answer must be one of the options.',
      suggestion: 'Remove "default".',
    };
  }
}

/** Agents. strict: refused; bounded: with budgets. Maps. strict: with max_items; bounded: or a budget for children. */
function* checkBounds(node: GraphNode, mode: GuaranteeMode, settings: GraphSettings): Generator<Finding> {
  const { budgets } = settings.execution_defaults;
  if (node.type === 'agent' && mode === 'strict') {
    yield {
      code: 'graph.agent_refused',
      field: ['type'],
      message: 'strict mode refuses agents.',
      suggestion: 'Use tool and ai_template nodes, or another mode.',
    };
  } else if (node.type === 'agent' && Object.keys(node.budgets ?? budgets ?? {}).length === 0) {
    yield {
      code: 'graph.agent_without_budgets',
      field: ['budgets'],
      message: 'bounded mode requires budgets for an agent.',
      suggestion: 'Add "budgets": {"steps": 50, "cost_usd": 1} to the node or to execution_defaults.',
    };
  }
  if (node.type !== 'map' || node.max_items !== undefined) return;
  if (mode === 'bounded' && budgets?.['children'] !== undefined) return;
  const elsewhere = mode === 'bounded' ? ', or "children" to execution_defaults.budgets' : '';
  yield {
    code: 'graph.unbounded_map',
    field: ['max_items'],
    message: `${mode} mode requires a limit on the items of a map.`,
    suggestion: `Add "max_items": 100 to the node${elsewhere}.`,
  };
}
