import { describe, expect, it } from 'vitest';
import { commandIn, splitCommand } from './test-command.ts';

describe('the command of a test', () => {
  it.each([
    ['npm test', ['npm', 'test']],
    ['  pytest -k "a b"  ', ['pytest', '-k', 'a b']],
    ["go test -run='A B' ./...", ['go', 'test', '-run=A B', './...']],
    ['a | b', undefined],
    ['a && b', undefined],
    ['a $(b)', undefined],
    ['a > b', undefined],
    ['a "b', undefined],
    ['', undefined],
  ])('splits %j', (line, words) => {
    expect(splitCommand(line)).toEqual(words);
  });

  it.each([
    ['run npm test, please', 'npm test'],
    ['run npm run test:unit in a', 'npm run test:unit'],
    ['python -m pytest', 'python -m pytest'],
    ['run the tests', undefined],
    ['the latest pytests', undefined],
  ])('finds it in %j', (text, command) => {
    expect(commandIn(text)).toBe(command);
  });
});
