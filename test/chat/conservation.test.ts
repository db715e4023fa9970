import fc from 'fast-check';
import { test } from 'vitest';
import { happen, steps } from './chat-model.ts';

test('sent is done, queued, claimed and dropped together, whatever happens and in whatever order', async () => {
  await fc.assert(fc.asyncProperty(steps, happen), { numRuns: 15, seed: 6 });
});
