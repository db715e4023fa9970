import { describe, expect, it } from 'vitest';
import { IgnoreRules } from './ignore-rules.ts';

function leavesOut(text: string, path: string, isFolder = false): boolean {
  return IgnoreRules.none.with('', text).leaveOut(path, path.slice(path.lastIndexOf('/') + 1), isFolder);
}

describe('ignore rules', () => {
  it('use the last matching rule, and the nearest file first', () => {
    const rules = IgnoreRules.none.with('', '*.log\n!keep.log\n').with('sub', 'keep.log\n!other.log\n');
    expect(rules.leaveOut('sub/keep.log', 'keep.log', false)).toBe(true);
    expect(rules.leaveOut('sub/other.log', 'other.log', false)).toBe(false);
    expect(rules.leaveOut('sub/x.log', 'x.log', false)).toBe(true);
  });

  it.each([
    ['build/', 'build', false, false],
    ['build/', 'build', true, true],
    ['/a', 'b/a', false, false],
    ['a/b', 'x/a/b', false, false],
    ['**/a/b', 'x/a/b', false, true],
    ['a/**/b', 'a/b', false, true],
    ['a/**/b', 'a/x/y/b', false, true],
    ['a/**', 'a', true, false],
    ['a/*', 'a/b/c', false, false],
    ['[[:digit:]]*', '7up', false, true],
    ['[!a-c]', 'b', false, false],
    ['[constructor', 'c', false, false],
    ['[[:constructor:]]', 'c', false, false],
    ['\\#x', '#x', false, true],
    ['x\\ ', 'x ', false, true],
    ['x ', 'x', false, true],
    ['?', '\xc3\xbc', false, false],
    ['??', '\xc3\xbc', false, true],
  ])('hold "%s" against %s', (pattern, path, isFolder, expected) => {
    expect(leavesOut(`${pattern}\n`, path, isFolder)).toBe(expected);
  });

  it('match a malicious pattern quickly', () => {
    expect(leavesOut(`${'*a'.repeat(120)}b\n`, 'a'.repeat(250))).toBe(false);
    expect(leavesOut(`x/${'**/a/'.repeat(60)}b\n`, `x/${'a/'.repeat(400)}c`)).toBe(false);
  });

  it('have equal keys only for equal rules', () => {
    const key = (folder: string, text: string): string => IgnoreRules.none.with(folder, text).key;
    expect(key('a', '*.o\n')).toBe(key('a', '*.o\n'));
    expect(new Set([key('a', '*.o\n'), key('b', '*.o\n'), key('a', '*.a\n'), '']).size).toBe(4);
    expect(key('a', '# nothing\n')).toBe('');
  });
});
