import { expect, test } from 'vitest';
import { lastRows } from './last-rows.ts';

const room = { rows: 3, columns: 20 };

test('returns a text that fits unchanged', () => {
  expect(lastRows('a\nb\nc', room)).toBe('a\nb\nc');
});

test('returns the last lines of a long text', () => {
  expect(lastRows('a\nb\nc\nd', room)).toBe('b\nc\nd');
});

test('counts a wrapped line as several rows, and wide characters as two columns', () => {
  expect(lastRows(`a\nb\n${'x'.repeat(21)}`, room)).toBe(`b\n${'x'.repeat(21)}`);
  expect(lastRows(`a\nb\n${'漢'.repeat(11)}`, room)).toBe(`b\n${'漢'.repeat(11)}`);
});

test('does not count colours', () => {
  const coloured = `\u001b[36m${'x'.repeat(20)}\u001b[39m`;
  expect(lastRows(`a\nb\n${coloured}`, room)).toBe(`a\nb\n${coloured}`);
});

test('returns the end of a line that is too long', () => {
  const shown = lastRows(`${'y'.repeat(50)}${'漢'.repeat(50)}`, room);
  expect(shown).toBe(`…${'漢'.repeat(29)}`);
});

test('never splits a surrogate pair', () => {
  expect(lastRows('😀'.repeat(40), room).isWellFormed()).toBe(true);
});
