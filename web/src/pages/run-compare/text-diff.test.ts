import { expect, test } from 'vitest';
import { textDiff, valueText } from './text-diff.ts';

test('equal texts have no diff', () => expect(textDiff('a\nb', 'a\nb')).toBe(''));

test('a changed line is removed and added', () => {
  expect(textDiff('a\nb\nc', 'a\nB\nc')).toContain('-b\n+B\n');
});

test('values are compared by member', () => {
  expect(textDiff(valueText({ a: 1, b: 2 }), valueText({ a: 1, b: 3 }))).toContain('-  "b": 2\n+  "b": 3\n');
});
