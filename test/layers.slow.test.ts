import { expect, test } from 'vitest';
import { root } from './checkout.ts';
import { checkLayers } from './support/check-layers.ts';

test('this tree keeps to the layers', () => {
  const { modules, refused } = checkLayers(root);
  expect(refused).toEqual([]);
  expect(modules).toBeGreaterThan(10);
});
