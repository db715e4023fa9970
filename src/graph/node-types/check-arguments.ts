import { didYouMean, nearestName } from '../../kernel/index.ts';
import { findSchemaIssues } from '../json-schema.ts';
import type { Finding } from '../node-type.ts';
import type { ToolDirectory } from '../ports.ts';
import { isWholeTemplate } from '../template-values.ts';
import type { ToolNode } from '../types.ts';

const CODES = {
  missing: 'graph.missing_argument',
  unknown: 'graph.unknown_argument',
  wrong_type: 'graph.wrong_argument',
  invalid: 'graph.wrong_argument',
} as const;

/** The tool is known and the arguments fit its schema, as far as they are known before the run. */
export function checkArguments(node: ToolNode, tools: ToolDirectory): readonly Finding[] {
  const tool = tools.find(node.tool);
  if (tool === undefined) {
    return [
      {
        code: 'graph.unknown_tool',
        field: ['tool'],
        message: `there is no tool "${node.tool}".`,
        suggestion: didYouMean(nearestName(node.tool, tools.names()), 'See: oka tools list.'),
      },
    ];
  }
  if (node.args === undefined || isWholeTemplate(node.args)) return [];
  const issues = findSchemaIssues(tool.inputSchema(), node.args, { templates: true });
  return issues.map(({ kind, path, message, suggestion }) => ({
    code: CODES[kind],
    field: ['args', ...path],
    message: `${node.tool}: ${message}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  }));
}
