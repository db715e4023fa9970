import { describe, expect, it } from 'vitest';
import { readGoal } from './read-goal.ts';

const numbersIn = (goal: string): (readonly [string, string | undefined])[] =>
  readGoal(goal)
    .parts.filter(({ kind }) => kind === 'number')
    .map(({ text, said }) => [text, said]);

describe('number words', () => {
  it.each([
    ['find the ten largest files', '10', 'ten'],
    ['the Twenty-Five newest', '25', 'Twenty-Five'],
    ['show thirty one lines', '31', 'thirty one'],
    ['the two hundred largest', '200', 'two hundred'],
    ['a dozen files', '12', 'a dozen'],
    ['a hundred files', '100', 'a hundred'],
    ['5 thousand lines', '5000', '5 thousand'],
    ['a couple of files', '2', 'a couple of'],
  ])('are numbers that keep their words: %s', (goal, text, said) => {
    expect(numbersIn(goal)).toEqual([[text, said]]);
  });

  it.each(['the one in src', 'a couple', 'read ten.txt', 'say "ten"', 'a file', 'in one place'])(
    'are not in: %s',
    (goal) => {
      expect(numbersIn(goal)).toEqual([]);
    },
  );

  it('does not change digits', () => {
    expect(numbersIn('the 10 largest')).toEqual([['10', undefined]]);
  });
});
