import { expect, test } from 'vitest';
import { root } from './checkout.ts';
import { checkLayers } from './support/check-layers.ts';

test('this tree keeps to the layers', () => {
  const { files, refused } = checkLayers(root);
  expect(refused).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['src/cli/main.ts', 'web/src/main.tsx']));
});
