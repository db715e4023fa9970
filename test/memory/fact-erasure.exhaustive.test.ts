import { describe, it } from 'vitest';
import { eraseRandomFact } from './erase-facts.ts';

describe('the erasure of random facts', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => 100 + seed))(
    'leaves exactly what was kept (%i)',
    eraseRandomFact,
  );
});
