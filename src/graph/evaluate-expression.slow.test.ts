import { expect, it } from 'vitest';
import { evaluateExpression } from './evaluate-expression.ts';

it('stops a function that is handed to itself without end', async () => {
  await expect(evaluateExpression('($y := function($g) { $g($g) }; $y($y))', {})).rejects.toThrowError(
    expect.objectContaining({
      code: 'graph.expression_failed',
      message: expect.stringMatching(/units of work/),
    }),
  );
});
