import { expect, it } from 'vitest';
import { findFlips } from './find-flips.ts';

it('finds each flipped bit of a sample that changes anything, and repairs it without losing an event', async () => {
  const ends = await findFlips({ count: 14, seed: 7, facts: 120, repairsFew: true });
  expect(ends).toContain('index leaf: repaired');
});
