import { expect, it } from 'vitest';
import { lossesIn } from './lossless.ts';

it('keeps the secrets of 1,000 files through every operation', async () => {
  expect(await lossesIn(1_000)).toEqual([]);
});
