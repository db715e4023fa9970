import { expect, it } from 'vitest';
import { lossesIn } from './lossless.ts';

it('every operation on files keeps the secrets in them, and the record has none', async () => {
  expect(await lossesIn(60)).toEqual([]);
});
