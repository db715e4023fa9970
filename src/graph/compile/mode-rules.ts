import type { Finding, GraphSettings } from '../node-type.ts';
import { holdsTemplate } from '../template-values.ts';
import type { GraphNode, GuaranteeMode } from '../types.ts';

/** A rule of the mode table over one node. */
type ModeRule = (node: GraphNode, mode: GuaranteeMode, settings: GraphSettings) => Finding | undefined;

/** The mode table, one function for each rule. */
const MODE_RULES: readonly ModeRule[] = [
  timeoutIsGiven,
  retriesAreGiven,
  idempotencyKeyIsGiven,
  idempotencyKeyChanges,
  noFallbackOutput,
  noFallbackBranch,
  noFallbackOption,
  agentIsBounded,
  mapIsBounded,
];

/** What the mode forbids or demands of a node. */
export function checkMode(node: GraphNode, mode: GuaranteeMode, settings: GraphSettings): Finding[] {
  return MODE_RULES.flatMap((rule) => rule(node, mode, settings) ?? []);
}

/** strict: on the node itself; bounded: there or in execution_defaults; flex: optional. */
function timeoutIsGiven(node: GraphNode, mode: GuaranteeMode, settings: GraphSettings): Finding | undefined {
  return isBoundedControl(node, 'timeout_seconds', mode, settings)
    ? undefined
    : missingControl('graph.missing_timeout', 'timeout_seconds', 60, mode);
}

/** The same for max_retries. */
function retriesAreGiven(node: GraphNode, mode: GuaranteeMode, settings: GraphSettings): Finding | undefined {
  return isBoundedControl(node, 'max_retries', mode, settings)
    ? undefined
    : missingControl('graph.missing_retries', 'max_retries', 2, mode);
}

function isBoundedControl(
  node: GraphNode,
  field: 'timeout_seconds' | 'max_retries',
  mode: GuaranteeMode,
  settings: GraphSettings,
): boolean {
  if (mode === 'flex') return true;
  if (
    node.type !== 'tool' &&
    node.type !== 'ai_template' &&
    node.type !== 'llm_condition' &&
    node.type !== 'agent'
  )
    return true;
  if (node[field] !== undefined) return true;
  return mode === 'bounded' && settings.execution_defaults[field] !== undefined;
}

function missingControl(
  code: 'graph.missing_timeout' | 'graph.missing_retries',
  field: string,
  example: number,
  mode: GuaranteeMode,
): Finding {
  const elsewhere = mode === 'bounded' ? ', or to execution_defaults' : '';
  return {
    code,
    field: [field],
    message: `${mode} mode demands "${field}".`,
    suggestion: `Add "${field}": ${example} to the node${elsewhere}.`,
  };
}

/** strict: required on tool and ai_template; otherwise optional. */
function idempotencyKeyIsGiven(node: GraphNode, mode: GuaranteeMode): Finding | undefined {
  if (mode !== 'strict' || (node.type !== 'tool' && node.type !== 'ai_template')) return undefined;
  if (node.idempotency_key !== undefined) return undefined;
  return {
    code: 'graph.missing_idempotency_key',
    field: ['idempotency_key'],
    message: 'strict mode demands "idempotency_key".',
    suggestion: `Add "idempotency_key": "${node.node_id}-{{run.origin_id}}-{{run.visit}}".`,
  };
}

/** Every mode: a key without a template is the same in every run. */
function idempotencyKeyChanges(node: GraphNode): Finding | undefined {
  if (node.type !== 'tool' && node.type !== 'ai_template') return undefined;
  if (node.idempotency_key === undefined || holdsTemplate(node.idempotency_key)) return undefined;
  return {
    code: 'graph.constant_idempotency_key',
    field: ['idempotency_key'],
    message: 'the key is the same in every run, so the node acts once, ever.',
    suggestion: 'Put {{run.origin_id}} into it.',
    severity: 'warning',
  };
}

/** strict and bounded: refused; flex: allowed. */
function noFallbackOutput(node: GraphNode, mode: GuaranteeMode): Finding | undefined {
  if (mode === 'flex' || !('fallback_output' in node) || node.fallback_output === undefined) return undefined;
  return {
    code: 'graph.fallback_output_refused',
    field: ['fallback_output'],
    message: `${mode} mode refuses "fallback_output".`,
    suggestion: 'Remove it, or run the graph in flex mode.',
  };
}

/** strict: refused; otherwise allowed. The `on_error` of a map is no way to another node. */
function noFallbackBranch(node: GraphNode, mode: GuaranteeMode): Finding | undefined {
  if (mode !== 'strict' || node.type === 'map' || !('on_error' in node)) return undefined;
  return {
    code: 'graph.fallback_branch_refused',
    field: ['on_error'],
    message: 'strict mode refuses "on_error".',
    suggestion: 'Remove it: in strict mode a failed node fails the run.',
  };
}

/** strict: the answer must be one of the options; otherwise the default may stand in. */
function noFallbackOption(node: GraphNode, mode: GuaranteeMode): Finding | undefined {
  if (mode !== 'strict' || node.type !== 'llm_condition' || node.default === undefined) return undefined;
  return {
    code: 'graph.fallback_option_refused',
    field: ['default'],
    message: 'strict mode refuses a default: the answer must be one of the options.',
    suggestion: 'Remove "default".',
  };
}

/** strict: refused; bounded: with budgets of its own or of the graph; flex: allowed. */
function agentIsBounded(node: GraphNode, mode: GuaranteeMode, settings: GraphSettings): Finding | undefined {
  if (node.type !== 'agent' || mode === 'flex') return undefined;
  if (mode === 'strict') {
    return {
      code: 'graph.agent_refused',
      field: ['type'],
      message: 'strict mode refuses agents.',
      suggestion: 'Use tool and ai_template nodes, or another mode.',
    };
  }
  const budgets = node.budgets ?? settings.execution_defaults.budgets;
  if (budgets !== undefined && Object.keys(budgets).length > 0) return undefined;
  return {
    code: 'graph.agent_without_budgets',
    field: ['budgets'],
    message: 'bounded mode demands budgets for an agent.',
    suggestion: 'Add "budgets": {"steps": 50, "cost_usd": 1} to the node or to execution_defaults.',
  };
}

/** strict: with max_items; bounded: with max_items or a budget for children; flex: allowed. */
function mapIsBounded(node: GraphNode, mode: GuaranteeMode, settings: GraphSettings): Finding | undefined {
  if (node.type !== 'map' || mode === 'flex' || node.max_items !== undefined) return undefined;
  if (mode === 'bounded' && settings.execution_defaults.budgets?.['children'] !== undefined) return undefined;
  const elsewhere = mode === 'bounded' ? ', or "children" to execution_defaults.budgets' : '';
  return {
    code: 'graph.unbounded_map',
    field: ['max_items'],
    message: `${mode} mode demands a limit on the items of a map.`,
    suggestion: `Add "max_items": 100 to the node${elsewhere}.`,
  };
}
