import fc from 'fast-check';
import { test } from 'vitest';
import { happen, steps } from './chat-model.ts';

test('each message that was sent is done, queued, claimed or dropped, whatever happens', async () => {
  await fc.assert(fc.asyncProperty(steps, happen), { numRuns: 8, seed: 6 });
});
