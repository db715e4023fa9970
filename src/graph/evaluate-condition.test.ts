import { describe, expect, it } from 'vitest';
import type { Json } from '../kernel/index.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { OPERATORS, type Operator } from './types.ts';

const HOLDS: readonly [Operator, Json, Json][] = [
  ['eq', { a: 1, b: [2] }, { b: [2], a: 1 }],
  ['eq', null, null],
  ['ne', 1, '1'],
  ['ne', [1, 2], [2, 1]],
  ['gt', 10, 9],
  ['gt', '2024-02-01', '2024-01-31'],
  ['gte', 3, 3],
  ['lt', 'a', 'b'],
  ['lte', 'b', 'b'],
  ['in', { a: 1 }, [{ a: 1 }]],
  ['in', 'ell', 'hello'],
  ['not_in', 4, [1, 2]],
  ['not_in', 'x', 'hello'],
  ['contains', [1, [2]], [2]],
  ['contains', 'hello', 'ell'],
  ['contains', { key: null }, 'key'],
  ['starts_with', 'hello', 'he'],
  ['ends_with', 'hello', 'lo'],
  ['matches', 'order 66', '\\d+$'],
  ['matches', 'Ä', '(?i)ä'],
  ['exists', false, null],
  ['exists', '', null],
  ['empty', null, null],
  ['empty', '', null],
  ['empty', [], null],
  ['empty', {}, null],
];

const FAILS: readonly [Operator, Json, Json][] = [
  ['eq', 1, '1'],
  ['eq', { a: 1 }, { a: 1, b: 2 }],
  ['ne', [1], [1]],
  ['gt', 9, 10],
  ['gt', '10', '9'],
  ['gte', 2, 3],
  ['lt', 3, 3],
  ['lte', 'c', 'b'],
  ['in', 1, ['1']],
  ['not_in', 1, [1]],
  ['contains', { key: 1 }, 'toString'],
  ['contains', [], 1],
  ['starts_with', 'hello', 'lo'],
  ['ends_with', 'hello', 'he'],
  ['matches', 'abc', '^b'],
  ['exists', null, null],
  ['empty', 0, null],
  ['empty', false, null],
  ['empty', [null], null],
];

const CANNOT: readonly [Operator, Json, Json, string, string][] = [
  ['gt', 1, '1', 'number', 'string'],
  ['lt', null, 1, 'null', 'number'],
  ['gte', [1], 1, 'list', 'number'],
  ['lte', true, false, 'boolean', 'boolean'],
  ['in', 1, '1', 'number', 'string'],
  ['not_in', 'a', { a: 1 }, 'string', 'object'],
  ['contains', 5, 5, 'number', 'number'],
  ['contains', 'a5', 5, 'string', 'number'],
  ['contains', { 5: 1 }, 5, 'object', 'number'],
  ['starts_with', 'a', null, 'string', 'null'],
  ['ends_with', 1, 'a', 'number', 'string'],
  ['matches', null, 'a', 'null', 'string'],
];

describe('evaluateCondition', () => {
  it.each(HOLDS)('%s holds for %j and %j', (operator, left, right) => {
    expect(evaluateCondition(operator, left, right)).toBe(true);
  });

  it.each(FAILS)('%s does not hold for %j and %j', (operator, left, right) => {
    expect(evaluateCondition(operator, left, right)).toBe(false);
  });

  it.each(CANNOT)(
    '%s says that it cannot compare %j with %j',
    (operator, left, right, leftType, rightType) => {
      expect(() => evaluateCondition(operator, left, right)).toThrowError(
        expect.objectContaining({
          code: 'graph.condition_type',
          message: expect.stringContaining(`${leftType} with ${rightType}`),
          data: { operator, left: leftType, right: rightType },
        }),
      );
    },
  );

  it('has a case for every operator above', () => {
    expect(new Set([...HOLDS, ...FAILS].map(([operator]) => operator))).toEqual(new Set(OPERATORS));
  });

  it('matches in linear time where a backtracking engine would hang', () => {
    expect(evaluateCondition('matches', `${'a'.repeat(50_000)}!`, '^(a+)+$')).toBe(false);
  });

  it('refuses an invalid pattern, and one that cannot run in linear time', () => {
    for (const pattern of ['(a', '(?=a)b', '(a)\\1', 'a'.repeat(2_000)])
      expect(() => evaluateCondition('matches', 'a', pattern)).toThrowError(
        expect.objectContaining({ code: 'graph.condition_pattern' }),
      );
  });
});
