import { expect, test } from 'vitest';
import { dayFigures } from './day-figures.ts';

const day = (name: string, started: number, count: number, usd: number) => ({
  ...{ day: name, started, completion: { rate: 1, count, n: started, partial: 0, unproven: 0 } },
  cost: { usd, assumedUsd: 0, modelCalls: 0, inputTokens: 0, outputTokens: 0, unpriced: 0 },
});

test('days are in order, and days without work are zero', () => {
  const figures = dayFigures([day('2026-03-03', 2, 1, 0.5), day('2026-03-01', 4, 4, 0)]);
  expect(figures.at.map((time) => new Date(time * 1_000).toISOString().slice(0, 10))).toEqual([
    '2026-03-01',
    '2026-03-02',
    '2026-03-03',
  ]);
  expect(figures).toMatchObject({ started: [4, 0, 2], completed: [4, 0, 1], usd: [0, 0, 0.5] });
});

test('no days give empty columns', () => {
  expect(dayFigures([])).toEqual({ at: [], started: [], completed: [], usd: [] });
});
