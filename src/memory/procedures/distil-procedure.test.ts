import { expect, test } from 'vitest';
import { canBecomeProcedure } from './distil-procedure.ts';
import type { Execution } from './types.ts';

const done = (...tools: readonly string[]): Execution =>
  ({
    outcome: 'completed',
    objections: [],
    untrusted: false,
    kind: { key: 'k', phrase: 'p', values: {} },
    calls: tools.map((tool) => ({ tool, input: {}, effects: false })),
  }) as unknown as Execution;

test('a goal that one step reaches is not announced as a candidate of a procedure', () => {
  const once = done('files.list');
  expect(canBecomeProcedure([once, once, once])).toBe(false);
  expect(canBecomeProcedure([once, done('files.read', 'files.write')])).toBe(true);
});
