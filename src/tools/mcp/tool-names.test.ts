import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf } from '../../kernel/index.ts';
import { safeNames } from './mcp-tools.ts';

test('keeps safe names and changes others minimally', () => {
  expect([...safeNames(['read_file', 'get-sum', 'Read.Page', 'söder'])]).toEqual([
    ['read_file', 'read_file'],
    ['get-sum', 'get-sum'],
    ['Read.Page', 'read_page'],
    ['söder', 's_der'],
  ]);
});

test('adds a hash to colliding names in any order', () => {
  const names = safeNames(['Read', 'read', 'READ']);
  expect(names.get('read')).toBe('read');
  expect(new Set(names.values()).size).toBe(3);
  expect(names).toEqual(new Map([...safeNames(['READ', 'Read', 'read'])]));
});

test('separates a name that imitates the hash of another', () => {
  const mark = `read_${digestOf('Read').slice(0, 8)}`;
  const names = safeNames(['read', 'Read', mark]);
  expect(names.get(mark)).toBe(mark);
  expect(new Set(names.values()).size).toBe(3);
});

test('gives each name a unique safe name', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom('a', 'A', 'a.b', 'a_b', ''))),
      (given) => {
        const names = given.filter((name) => name.isWellFormed());
        const safe = safeNames(names);
        expect([...safe.keys()].sort()).toEqual([...names].sort());
        expect(new Set(safe.values()).size).toBe(names.length);
        for (const name of safe.values())
          expect(`mcp.x.${name}`).toMatch(/^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*$/);
      },
    ),
  );
});
