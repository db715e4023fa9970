import fc from 'fast-check';
import { test } from 'vitest';
import { happen, steps } from './chat-model.ts';

const RUNS = process.env['OKA_EXHAUSTIVE'] === '1' ? { numRuns: 500 } : { numRuns: 8, seed: 6 };

test('sent is done, queued, claimed and dropped together, whatever happens and in whatever order', async () => {
  await fc.assert(fc.asyncProperty(steps, happen), RUNS);
});
