import fc from 'fast-check';
import { test } from 'vitest';
import { happen, steps } from './chat-model.ts';

test('sent is done, queued, claimed and dropped together over thousands of schedules', async () => {
  await fc.assert(fc.asyncProperty(steps, happen), { numRuns: 1_500 });
});
