import fc from 'fast-check';
import { test } from 'vitest';
import { happen, steps } from './chat-model.ts';

test('sent equals done + queued + claimed + dropped, after any events in any order', async () => {
  await fc.assert(fc.asyncProperty(steps, happen), { numRuns: 500 });
});
