import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { saysSeveral, splitGoal } from './split-goal.ts';

/** The steps of each stage. */
function steps(goal: string): string[][] {
  return splitGoal(goal).map((pieces) => pieces.map(({ step }) => step));
}

describe('splitting a goal', () => {
  it.each<[string, string[][]]>([
    ['read a.md', [['read a.md']]],
    ['read a.md, then list docs', [['read a.md'], ['list docs']]],
    [
      'First read a.md; after that list docs, and finally read b.md.',
      [['read a.md'], ['list docs'], ['read b.md']],
    ],
    ['read a.md. list docs', [['read a.md'], ['list docs']]],
    ['1. read a.md\n- list docs', [['read a.md'], ['list docs']]],
    ['read a.md, list docs and also read b.md', [['read a.md', 'list docs', 'read b.md']]],
    ['read a.md, b.md as well as c.md', [['read a.md', 'read b.md', 'read c.md']]],
    ['move a.md and b.md to docs', [['move a.md', 'b.md to docs']]],
    ['write "one, then two. And three" to a.md', [['write "one, then two. And three" to a.md']]],
    ['list docs, e.g. all of it. Thanks!', [['list docs', 'e.g. all of it']]],
    ['list .', [['list .']]],
    ['', [['']]],
  ])('finds the steps of %j', (goal, expected) => {
    expect(steps(goal)).toEqual(expected);
    expect(saysSeveral(goal)).toBe(expected.length > 1);
  });

  it('does not split a goal that is too long to parse reliably', () => {
    for (const goal of ['read a.md, '.repeat(30), 'then '.repeat(1_000)])
      expect(steps(goal)).toEqual([[goal]]);
  });

  it('takes each step from the goal verbatim, in order', () => {
    const words = 'read then and , . ; "a b" a.md docs also finally this folder \n 1. as well'.split(' ');
    const goals = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(fc.oneof(goals, fc.string({ unit: 'binary' })), (goal) => {
        let from = 0;
        for (const { text, start, end } of splitGoal(goal).flat()) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(goal.slice(start, end)).toBe(text);
          from = end;
        }
      }),
    );
  });
});
