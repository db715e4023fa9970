import { describe, it } from 'vitest';
import { compareWithScan } from './random-edits.ts';

describe('freshness that is read after random edits, at length', () => {
  it.each(Array.from({ length: 30 }, (_, part) => part))(
    'is what a complete scan finds (part %i)',
    async (part) => {
      for (let seed = 0; seed < 10; seed++) await compareWithScan(1_000 + part * 10 + seed);
    },
  );
});
