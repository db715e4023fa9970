import { describe, expect, test } from 'vitest';
import { Draft, isContinued, toLine } from './draft.ts';

describe('a draft', () => {
  test('keeps line breaks and tabs of a paste and shows them as marks in one line', () => {
    const draft = new Draft();
    const line = draft.pasted('one\r\n\ttwo\rthree');
    expect(line).toBe('one⏎⇥two⏎three');
    expect(draft.textOf(line)).toBe('one\n\ttwo\nthree');
  });

  test('removes control characters from a paste', () => {
    expect(new Draft().pasted('a\u0003b\u001b[Ac\u0004')).toBe('ab[Ac');
  });

  test('shows a placeholder for a long paste and keeps its text', () => {
    const draft = new Draft();
    const long = 'x\n'.repeat(5_000);
    const word = draft.pasted(long);
    expect(word).toBe('[pasted 1: 10000 characters]');
    expect(draft.textOf(`look: ${word} and ${word}`)).toBe(`look: ${long} and ${long}`);
  });

  test('ignores text that only looks like a placeholder', () => {
    expect(new Draft().textOf('[pasted 1: 9 characters]')).toBe('[pasted 1: 9 characters]');
  });

  test('can be created from an earlier text', () => {
    expect(new Draft().textOf(toLine('a\nb\tc'))).toBe('a\nb\tc');
  });
});

test.for([
  ['one\\', true],
  ['one', false],
  ['one\\\\', false],
  ['\\', true],
  ['', false],
] as const)('a line that ends with a backslash continues: %s', ([line, expected]) => {
  expect(isContinued(line)).toBe(expected);
});
