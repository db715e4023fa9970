import { expect, test } from 'vitest';
import { figuresOf, type Run } from './figures.ts';

const run = (used: Record<string, number>, endedAt?: number): Run => ({
  ...{
    id: 'a',
    kind: 'agent',
    status: 'completed',
    state: 'done',
    graphHash: '',
    startedAt: 0,
    artifacts: [],
  },
  budgets: { limits: {}, used },
  ...(endedAt !== undefined && { endedAt }),
});

test('differences have a sign and a share of the first run', () => {
  expect(
    figuresOf(run({ steps: 10, cost_usd: 0.5 }, 2_000), run({ steps: 15, cost_usd: 0.25 }, 2_000)),
  ).toEqual([
    { name: 'Duration', left: '2.0 s', right: '2.0 s', difference: 'same' },
    { name: 'Cost', left: '$0.50', right: '$0.25', difference: '−$0.25 (−50 %)' },
    { name: 'Steps', left: '10', right: '15', difference: '+5 (+50 %)' },
  ]);
});

test('a figure that one run lacks has no difference, and one that both lack is left out', () => {
  expect(figuresOf(run({ steps: 1 }), run({}, 500))).toEqual([
    { name: 'Duration', left: '–', right: '500 ms', difference: '' },
    { name: 'Steps', left: '1', right: '–', difference: '' },
  ]);
});
