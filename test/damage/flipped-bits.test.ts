import { expect, it } from 'vitest';
import { findFlips } from './find-flips.ts';

it('finds each flipped bit of a sample that changes anything, and repairs one without losing an event', async () => {
  const ends = await findFlips({ count: 60, seed: 7, facts: 40, repairs: { all: 1, ofKind: 1 } });
  expect(ends).toContain('index leaf: found');
  expect([...ends].some((end) => end.endsWith('repaired'))).toBe(true);
});
