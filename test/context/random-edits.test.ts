import { describe, it } from 'vitest';
import { compareWithScan } from './random-edits.ts';

describe('freshness that is read after random edits', () => {
  it.each(Array.from({ length: 8 }, (_, seed) => seed))(
    'is what a complete scan finds (%i)',
    compareWithScan,
  );
});
