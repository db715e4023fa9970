import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeFile, readGoal, tidyPath } from './read-goal.ts';

/** The values of a goal as `kind:text`. */
function values(text: string): string[] {
  return readGoal(text)
    .parts.filter((part) => part.kind !== 'word')
    .map((part) => `${part.kind}:${part.text}`);
}

describe('reading a goal', () => {
  it.each([
    ['write "hello world" to notes.txt', ['quoted:hello world', 'path:notes.txt']],
    ['write “typeset” and «quoted» and `code`', ['quoted:typeset', 'quoted:quoted', 'quoted:code']],
    ["what's in the dog's 'own folder'?", ['quoted:own folder']],
    ['read ./docs/a.md, then ../b and /etc/hosts.', ['path:./docs/a.md', 'path:../b', 'path:/etc/hosts']],
    ['read README.md.', ['path:README.md']],
    ['list .', ['path:.']],
    ['list the files.', []],
    ['read .gitignore and .env.local', ['path:.gitignore', 'path:.env.local']],
    ['fetch https://example.com/a.b?c=d, please', ['url:https://example.com/a.b?c=d']],
    [
      'wait 1.5 seconds until 2030-01-31T08:00:00Z or 2030-02-01',
      ['number:1.5', 'date:2030-01-31T08:00:00Z', 'date:2030-02-01'],
    ],
    ['yes/no and/or e.g. v1.2.3', []],
    ['brief this folder', ['path:.']],
    ['summarise the current project into x.md', ['path:.', 'path:x.md']],
    ['the folder docs', []],
    ['(see "a" [b.txt])', ['quoted:a', 'path:b.txt']],
    ['read größe.txt', ['path:größe.txt']],
    ['write "two\nlines" to a.md', ['quoted:two\nlines', 'path:a.md']],
    ['1. read a.md\n2) wait 5 seconds', ['path:a.md', 'number:5']],
    ['write {{ input.text }} to a.md', ['quoted:{{input.text}}', 'path:a.md']],
    ['say("hello")', ['quoted:hello']],
    ['', []],
  ])('finds the values in: %s', (text, found) => {
    expect(values(text)).toEqual(found);
  });

  it.each([
    ['Please could you READ it', 'read'],
    ['I want to list src', 'list'],
    ['"quoted" first', undefined],
    ['please', undefined],
    ['', undefined],
  ])('finds what to do in: %s', (text, verb) => {
    expect(readGoal(text).verb).toBe(verb);
  });

  it.each([
    ['write "a" to the file notes.txt', 'notes.txt'],
    ['save it as "my notes"', 'my notes'],
    ['put "a" into notes', 'notes'],
    ['I want to read a.txt', undefined],
    ['read a.txt', undefined],
  ])('finds where the result goes in: %s', (text, target) => {
    expect(readGoal(text).target?.text).toBe(target);
  });

  it('finds the linking word before a value', () => {
    const { parts } = readGoal('search for the text TODO in my folder src');
    expect(parts.filter((part) => part.after).map((part) => `${part.after} ${part.text}`)).toEqual([
      'for the',
      'for text',
      'for TODO',
      'in my',
      'in folder',
      'in src',
    ]);
  });

  it('reads anything without failing, and quickly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(readGoal(text).text).toBe(text);
      }),
    );
    for (const piece of ['"', "'", '`', '[(', './', 'a.b ', '“']) readGoal(piece.repeat(20_000));
  });

  it('distinguishes files from folders, and normalises paths', () => {
    expect(['a.md', 'x/b.c', '.env'].every(looksLikeFile)).toBe(true);
    expect(['docs', 'x.y/docs', '.', '..', 'v1.2', 'docs/'].some(looksLikeFile)).toBe(false);
    expect(['./a//b/', 'a/b', './', '/', '.'].map(tidyPath)).toEqual(['a/b', 'a/b', '.', '/', '.']);
  });
});
