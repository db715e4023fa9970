import { expect, it } from 'vitest';
import { evaluateExpression } from './evaluate-expression.ts';

it.each([
  ['calls itself', '($f := function($n) { $f($n + 1) }; $f(1))'],
  ['is handed to itself', '($y := function($g) { $g($g) }; $y($y))'],
])('stops a function that %s endlessly', async (_, expression) => {
  await expect(evaluateExpression(expression, {})).rejects.toThrowError(
    expect.objectContaining({
      code: 'graph.expression_failed',
      message: expect.stringMatching(/units of work/),
    }),
  );
});
