import { expect, it } from 'vitest';
import { splitKey } from './names.ts';

it('reads the project from a key, whatever the rest contains', () => {
  expect(splitKey('shop/ann/room/1')).toEqual({ project: 'shop', rest: 'ann/room/1' });
  expect(splitKey('shop')).toEqual({ project: 'shop', rest: '' });
});
