import { expect, test } from 'vitest';
import { matchNames } from './match-names.ts';

test.each([
  ['files.read', 'files.read', true],
  ['files.read', 'files.reader', false],
  ['files.*', 'files.read', true],
  ['files.*', 'xfiles.read', false],
  ['*', '', true],
  ['*.read', 'state.read', true],
  ['*a*b*', 'xaxbx', true],
  ['*a*b*', 'bxa', false],
  ['ab*ba', 'aba', false],
  ['a.c', 'abc', false],
])('the pattern %s matches %s: %s', (pattern, name, expected) => {
  expect(matchNames([pattern])(name)).toBe(expected);
});

test('one matching pattern of several is enough, and an empty list matches nothing', () => {
  expect(matchNames(['a', 'b'])('b')).toBe(true);
  expect(matchNames([])('a')).toBe(false);
});
