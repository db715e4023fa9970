import { expect, it } from 'vitest';
import { boundSizes, packsWhileGrowing } from './memory-pack-history.ts';

const FACTORS = [0.05, 1, 10, 100, 1_000];
const CAPS = [1_000, 4_000, 16_000];

it('a pack stays under its cap and within 2 % of its size once the cap binds, however the history grows', async () => {
  const byCap = await packsWhileGrowing(FACTORS, CAPS);
  for (const answers of byCap) {
    const sizes = boundSizes(answers);
    expect(answers[0]?.dropped).toEqual([]);
    expect(sizes.length).toBeGreaterThanOrEqual(2);
    for (const { tokens, cap } of answers) expect(tokens).toBeLessThanOrEqual(cap);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(Math.max(...sizes) * 0.98);
  }
  const kinds = byCap
    .at(-1)
    ?.at(-1)
    ?.items.map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(['fact', 'episode']));
});
