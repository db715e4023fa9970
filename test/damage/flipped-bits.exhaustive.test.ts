import { expect, it } from 'vitest';
import { findFlips } from './find-flips.ts';

it.each([1, 2, 3, 4, 5])(
  'finds each of 100 flipped bits that changes anything, and repairs one of each kind without losing an event, seed %i',
  async (seed) => {
    const ends = await findFlips({ count: 100, seed, facts: 300, repairs: { all: 100, ofKind: 1 } });
    for (const kind of [
      'header',
      'index internal',
      'index leaf',
      'table internal',
      'table leaf',
      'table overflow',
    ])
      expect(ends).toContain(`${kind}: repaired`);
    expect([...ends].sort()).not.toContain('free: repaired');
  },
);
