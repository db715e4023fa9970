import * as z from 'zod';
import { canonicalJson, type Json } from '../../kernel/index.ts';
import { evaluateCondition } from '../evaluate-condition.ts';
import type { NodeType } from '../node-type.ts';
import { passOn } from '../planner/decisions.ts';
import { OPERATORS, type TypedConditionNode } from '../types.ts';
import { checkOperands } from './check-operands.ts';
import { anyJson, nodeId, nodeSchema, targetsIn, templatesIn } from './fields.ts';

const summary = 'Compares two values and goes one of two ways; what it was given goes on as its output.';

export const typedCondition: NodeType<TypedConditionNode> = {
  type: 'typed_condition',
  summary,
  schema: nodeSchema('typed_condition', summary, {
    left: anyJson('The value to look at.'),
    operator: z.enum(OPERATORS).describe('How it is compared.'),
    right: anyJson('What it is compared with; not for exists and empty.').exactOptional(),
    if_true: nodeId('The node to go to when the comparison holds.'),
    if_false: nodeId('The node to go to when it does not.'),
  }),
  targets: (node) => targetsIn(node, 'if_true', 'if_false'),
  templates: (node) => templatesIn(node, 'left', 'right'),
  check: checkOperands,
  decide(node, view) {
    const left = view.render(node.left);
    const right = view.render(node.right ?? null);
    const holds = evaluateCondition(node.operator, left, right);
    const compared = `${short(left)} ${node.operator}${node.right === undefined ? '' : ` ${short(right)}`}`;
    return passOn(view, holds ? node.if_true : node.if_false, `${compared} is ${holds}`);
  },
};

const LONGEST_SHOWN = 60;

function short(value: Json): string {
  const text = canonicalJson(value);
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
}
