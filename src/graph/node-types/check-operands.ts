import type { Json } from '../../kernel/index.ts';
import type { Finding } from '../node-type.ts';
import { findPatternProblem } from '../patterns.ts';
import { holdsTemplate, isWholeTemplate } from '../template-values.ts';
import type { Operator, TypedConditionNode } from '../types.ts';

type Kind = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object';

/** What each operator can compare; what is not named takes anything. */
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

/** Operators have the operands they need, of types they can compare, as far as that is known before the run. */
export function checkOperands(node: TypedConditionNode): readonly Finding[] {
  return [
    ...checkCount(node),
    ...checkKind(node.operator, 'left', node.left),
    ...(node.right === undefined ? [] : checkKind(node.operator, 'right', node.right)),
    ...checkPattern(node),
  ];
}

function checkCount({ operator, right }: TypedConditionNode): Finding[] {
  const unary = operator === 'exists' || operator === 'empty';
  if (unary && right !== undefined) {
    return [
      {
        code: 'graph.needless_field',
        field: ['right'],
        message: `"${operator}" looks at "left" only.`,
        suggestion: 'Remove "right".',
      },
    ];
  }
  if (unary || right !== undefined) return [];
  return [
    {
      code: 'graph.missing_field',
      field: ['right'],
      message: `"${operator}" compares with "right", which is missing.`,
      suggestion: 'Add "right".',
    },
  ];
}

function checkKind(operator: Operator, side: 'left' | 'right', value: Json): Finding[] {
  const allowed = OPERANDS[operator]?.[side];
  const kind = kindOf(value);
  if (allowed === undefined || kind === undefined || allowed.includes(kind)) return [];
  return [
    {
      code: 'graph.wrong_operand',
      field: [side],
      message: `"${operator}" cannot compare a value of type ${kind} on its ${side}.`,
      suggestion: `Give it a value of type ${allowed.join(' or ')}.`,
    },
  ];
}

function checkPattern({ operator, right }: TypedConditionNode): Finding[] {
  if (operator !== 'matches' || typeof right !== 'string' || holdsTemplate(right)) return [];
  const problem = findPatternProblem(right);
  if (problem === undefined) return [];
  return [
    {
      code: 'graph.invalid_pattern',
      field: ['right'],
      message: `the pattern cannot be used: ${problem}.`,
      suggestion: 'Use RE2 syntax: no look-around and no back references.',
    },
  ];
}

/** The type that a value will have in the run; undefined when only the run knows. */
function kindOf(value: Json): Kind | undefined {
  if (isWholeTemplate(value)) return undefined;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value as Kind;
}
