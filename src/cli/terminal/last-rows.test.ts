import { expect, test } from 'vitest';
import { lastRows } from './last-rows.ts';

const room = { rows: 3, columns: 20 };

test('a text that fits is shown whole', () => {
  expect(lastRows('a\nb\nc', room)).toBe('a\nb\nc');
});

test('of a text with too many lines the last ones are shown', () => {
  expect(lastRows('a\nb\nc\nd', room)).toBe('b\nc\nd');
});

test('a line that needs more rows than one counts as many', () => {
  expect(lastRows(`a\nb\n${'x'.repeat(20)}`, room)).toBe(`b\n${'x'.repeat(20)}`);
});

test('of a line that is longer than the room its end is shown, within the room, whatever its characters', () => {
  const shown = lastRows(`${'y'.repeat(50)}${'漢'.repeat(50)}`, room);
  expect(shown).toBe(`…${'漢'.repeat(29)}`);
});

test('no half of a character is shown', () => {
  expect(lastRows('😀'.repeat(40), room).isWellFormed()).toBe(true);
});
