import { expect, test } from 'vitest';
import { nextOf } from './next-of.ts';

const items = ['a', 'b', 'c'].map((id) => ({ id }));

test('it moves by one and stops at the ends', () => {
  expect(nextOf(items, 'a', 1)?.id).toBe('b');
  expect(nextOf(items, 'c', 1)?.id).toBe('c');
  expect(nextOf(items, 'a', -1)?.id).toBe('a');
});

test('when the selected one is gone, the first one is next', () => {
  expect(nextOf(items, 'gone', -1)?.id).toBe('a');
  expect(nextOf([], 'gone', 1)).toBeUndefined();
});
