import * as z from 'zod';
import { canonicalJson, type Json } from '../../kernel/index.ts';
import { evaluateCondition } from '../evaluate-condition.ts';
import type { Finding, NodeType } from '../node-type.ts';
import { findPatternProblem } from '../patterns.ts';
import { passInput } from '../planner/decisions.ts';
import { hasTemplate, isWholeTemplate } from '../template-values.ts';
import { OPERATORS, type Operator, type TypedConditionNode } from '../types.ts';
import { anyJson, nodeId, nodeSchema, targetsIn, templatesIn } from './fields.ts';

const summary = 'Compares two values and takes one of two branches; its output is its input.';

export const typedCondition: NodeType<TypedConditionNode> = {
  type: 'typed_condition',
  summary,
  schema: nodeSchema('typed_condition', summary, {
    left: anyJson('The value to compare.'),
    operator: z.enum(OPERATORS).describe('The comparison.'),
    right: anyJson('The value to compare with; not for exists and empty.').exactOptional(),
    if_true: nodeId('The node to go to when the comparison holds.'),
    if_false: nodeId('The node to go to when it does not.'),
  }),
  targets: (node) => targetsIn(node, 'if_true', 'if_false'),
  templates: (node) => templatesIn(node, 'left', 'right'),
  check: (node) => [...checkOperands(node)],
  decide(node, view) {
    const left = view.render(node.left);
    const right = view.render(node.right ?? null);
    const holds = evaluateCondition(node.operator, left, right);
    const compared = `${short(left)} ${node.operator}${node.right === undefined ? '' : ` ${short(right)}`}`;
    return passInput(view, holds ? node.if_true : node.if_false, `${compared} is ${holds}`);
  },
};

const MAX_SHOWN = 60;

function short(value: Json): string {
  const text = canonicalJson(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

type Kind = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object';

/** The types that each operator can compare; an operand without an entry takes any type. */
const OPERANDS: { readonly [operator in Operator]?: { left?: readonly Kind[]; right?: readonly Kind[] } } = {
  gt: { left: ['number', 'string'], right: ['number', 'string'] },
  gte: { left: ['number', 'string'], right: ['number', 'string'] },
  lt: { left: ['number', 'string'], right: ['number', 'string'] },
  lte: { left: ['number', 'string'], right: ['number', 'string'] },
  in: { right: ['list', 'string'] },
  not_in: { right: ['list', 'string'] },
  contains: { left: ['list', 'string', 'object'] },
  starts_with: { left: ['string'], right: ['string'] },
  ends_with: { left: ['string'], right: ['string'] },
  matches: { left: ['string'], right: ['string'] },
};

/** Checks the operands of an operator, as far as they are known before the run. */
function* checkOperands({ operator, left, right }: TypedConditionNode): Generator<Finding> {
  const unary = operator === 'exists' || operator === 'empty';
  if (unary && right !== undefined)
    yield {
      code: 'graph.needless_field',
      field: ['right'],
      message: `"${operator}" uses "left" only.`,
      suggestion: 'Remove "right".',
    };
  if (!unary && right === undefined)
    yield {
      code: 'graph.missing_field',
      field: ['right'],
      message: `"${operator}" compares with "right", which is missing.`,
      suggestion: 'Add "right".',
    };
  for (const [side, value] of Object.entries({ left, right })) {
    const allowed = OPERANDS[operator]?.[side as 'left' | 'right'];
    const kind = value === undefined ? undefined : kindOf(value);
    if (allowed === undefined || kind === undefined || allowed.includes(kind)) continue;
    yield {
      code: 'graph.wrong_operand',
      field: [side],
      message: `"${operator}" cannot compare a value of type ${kind} on its ${side}.`,
      suggestion: `Give it a value of type ${allowed.join(' or ')}.`,
    };
  }
  if (operator !== 'matches' || typeof right !== 'string' || hasTemplate(right)) return;
  const problem = findPatternProblem(right);
  if (problem !== undefined)
    yield {
      code: 'graph.invalid_pattern',
      field: ['right'],
      message: `the pattern cannot be used: ${problem}.`,
      suggestion: 'Use RE2 syntax: no look-around and no back references.',
    };
}

/** The type of a value in the run; undefined when it is not known before. */
function kindOf(value: Json): Kind | undefined {
  if (isWholeTemplate(value)) return undefined;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value as Kind;
}
