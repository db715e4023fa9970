import { expect, test } from 'vitest';
import { pageOf } from './page-of.ts';

const page = (items: readonly string[], cursor?: string) => pageOf(items, (item) => item, cursor, 2);

function allPages(items: readonly string[]): readonly (readonly string[])[] {
  const pages: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const { items: next, nextCursor } = page(items, cursor);
    pages.push(next);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}

test('returns everything once, in the order of the keys', () => {
  expect(allPages(['d', 'a', 'c', 'b', 'e'])).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  expect(allPages(['b', 'a'])).toEqual([['a', 'b']]);
  expect(allPages([])).toEqual([[]]);
});

test('loses and repeats nothing if the list changes between two pages', () => {
  const { nextCursor } = page(['a', 'b', 'c', 'd']);
  expect(page(['0', 'a', 'c', 'd'], nextCursor).items).toEqual(['c', 'd']);
});

test('accepts keys of every kind', () => {
  const keys = ['ü', '\u{1f600}', '"', '\\'];
  expect(allPages(keys).flat()).toHaveLength(keys.length);
});

test.each(['', 'mine', 'e30', 'W10', 'WzFd'])('rejects the cursor %j', (cursor) => {
  expect(() => page(['a'], cursor)).toThrow(/cursor/);
});
