import { expect, it } from 'vitest';
import { findFlips } from './find-flips.ts';

it('finds each flipped bit of a sample that changes anything, and repairs it without losing an event', async () => {
  const ends = await findFlips({ count: 56, seed: 7, facts: 80, repairs: (_, nth) => nth % 19 === 10 });
  expect(ends).toContain('index leaf: found');
  expect([...ends].some((end) => end.endsWith('repaired'))).toBe(true);
});
