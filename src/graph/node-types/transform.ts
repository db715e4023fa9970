import { evaluateExpression, findExpressionProblem, nodesNamedIn } from '../evaluate-expression.ts';
import type { NodeType } from '../node-type.ts';
import { continueWith } from '../planner/decisions.ts';
import type { TransformNode } from '../types.ts';
import { followed, nodeSchema, targetsIn, templatesIn, text } from './fields.ts';

const summary = 'Computes its output from its input with a JSONata expression.';

export const transform: NodeType<TransformNode> = {
  type: 'transform',
  summary,
  schema: nodeSchema('transform', summary, {
    expression: text(
      "JSONata over the node's input; $nodes, $vars and $run hold the outputs of earlier nodes, the variables and the run.",
    ),
    ...followed,
  }),
  targets: (node) => targetsIn(node, 'next'),
  templates: (node) => templatesIn(node),
  references: (node) => nodesNamedIn(node.expression).map((id) => ({ field: ['expression'], id })),
  check(node) {
    const problem = findExpressionProblem(node.expression);
    return problem === undefined
      ? []
      : [{ code: 'graph.invalid_expression', field: ['expression'], ...problem }];
  },
  async decide(node, view) {
    const nodes = Object.fromEntries(
      nodesNamedIn(node.expression).flatMap((id) => {
        const output = view.named(id);
        return output === undefined ? [] : [[id, output]];
      }),
    );
    const { vars } = view.plan;
    const value = await evaluateExpression(node.expression, view.input, { nodes, vars, run: view.run });
    return continueWith(view, node.next, value, node.description ?? `${node.node_id} computes its output`);
  },
};
