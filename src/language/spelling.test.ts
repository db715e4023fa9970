import { describe, expect, it } from 'vitest';
import { readGoal } from './read-goal.ts';
import { correctSpelling, KnownWords } from './spelling.ts';

const WORDS = new KnownWords('find search list duplicate file largest lines links photo table'.split(' '));
const read = (goal: string): string[] =>
  correctSpelling(readGoal(goal), WORDS).map(({ goal: { parts } }) =>
    parts.map(({ text }) => text).join(' '),
  );

describe('typos', () => {
  it.each([
    ['find dupliacte files', 'find duplicate files'],
    ['find duplicats', 'find duplicates'],
    ['the lagrest files', 'the largest files'],
    ['serach for x', 'search for x'],
    ['Serach for x', 'Search for x'.toLowerCase()],
    ['show the larggest fyles', 'show the largest files'],
  ])('of one letter are corrected: %s', (goal, corrected) => {
    expect(read(goal).at(-1)).toBe(corrected);
  });

  it('are corrected in the verb alone first', () => {
    expect(read('serach the tabel')).toEqual(['search the tabel', 'search the table']);
  });

  it.each([
    ['a word of four letters', 'fidn it'],
    ['two letters', 'dplicte it'],
    ['the first letter', 'tiles'],
    ['a word between two equally near ones', 'the lings'],
    ['a path', 'read dupliacte.md'],
    ['a quoted text', 'show "dupliacte"'],
    ['a name', 'photo of Tabel'],
    ['a place', 'find it in tabels'],
    ['a text to search', 'find lines about tabels'],
    ['another English word', 'show the stars'],
  ])('are not corrected in %s', (_, goal) => {
    expect(read(goal)).toEqual([]);
  });
});
