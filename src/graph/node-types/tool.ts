import { didYouMean, nearestName } from '../../kernel/index.ts';
import { findSchemaIssues } from '../json-schema.ts';
import type { Finding, NodeType } from '../node-type.ts';
import { callOnce } from '../planner/decisions.ts';
import type { ToolDirectory } from '../ports.ts';
import { isWholeTemplate } from '../template-values.ts';
import type { ToolNode } from '../types.ts';
import { anyJson, called, idempotencyKey, nodeSchema, targetsIn, templatesIn, text } from './fields.ts';

const summary = 'Calls one tool; its output is the result of the tool.';

const CODES = {
  missing: 'graph.missing_argument',
  unknown: 'graph.unknown_argument',
  wrong_type: 'graph.wrong_argument',
  invalid: 'graph.wrong_argument',
} as const;

export const tool: NodeType<ToolNode> = {
  type: 'tool',
  summary,
  schema: nodeSchema('tool', summary, {
    tool: text('The name of the tool.'),
    args: anyJson("The tool's arguments; the node's input when left out.").exactOptional(),
    ...idempotencyKey,
    ...called,
  }),
  targets: (node) => targetsIn(node, 'next', 'on_error'),
  templates: (node) => templatesIn(node, 'args', 'idempotency_key', 'fallback_output'),
  check: (node, { tools }) => checkArguments(node, tools),
  tools: (node) => [node.tool],
  decide(node, view) {
    const { args } = node;
    const input = () => (args === undefined ? view.input : view.render(args));
    return callOnce(view, node, node.tool, input, node.description ?? `${node.node_id} calls ${node.tool}`);
  },
};

/** Checks the tool and its arguments, as far as they are known before the run. */
function checkArguments(node: ToolNode, tools: ToolDirectory): readonly Finding[] {
  const tool = tools.find(node.tool);
  if (tool === undefined) {
    const message = `there is no tool "${node.tool}".`;
    const suggestion = didYouMean(nearestName(node.tool, tools.names()), 'See: oka tools list.');
    return [{ code: 'graph.unknown_tool', field: ['tool'], message, suggestion }];
  }
  if (node.args === undefined || isWholeTemplate(node.args)) return [];
  const issues = findSchemaIssues(tool.inputSchema(), node.args, { templates: true });
  return issues.map(({ kind, path, message, ...advice }) => ({
    code: CODES[kind],
    field: ['args', ...path],
    message: `${node.tool}: ${message}`,
    ...advice,
  }));
}
