import { expect, test } from 'vitest';
import { shownParts } from './shown-parts.ts';

const NONE = { keyword: 0, vector: 0, neighbours: 0, fit: 0, importance: 0, recency: 0 };

test('the largest part comes first and zero parts are left out', () => {
  expect(shownParts({ ...NONE, keyword: 0.2, recency: 0.4 }).map(({ name }) => name)).toEqual([
    'recency',
    'keyword',
  ]);
});

test('a negative part is shown', () => {
  expect(shownParts({ ...NONE, fit: -0.3 })).toEqual([{ name: 'fit', value: -0.3 }]);
});

test('a part that rounds to zero is left out', () => {
  expect(shownParts({ ...NONE, keyword: 0.004 })).toEqual([]);
});
