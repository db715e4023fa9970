import { describe, expect, it } from 'vitest';
import { quoteText, section } from './render-pages.ts';

describe('quoteText', () => {
  it.each([
    ['# heading\n## another', '`# heading ## another`'],
    ['[click](https://evil.example) <b>x</b>', '`[click](https://evil.example) <b>x</b>`'],
    ['a ``` b ` c', "`a ''' b ' c`"],
    ['x\u2028# y\u0085z', '`x # y z`'],
    ['safe\u202e\u200b', '`safe`'],
    ['  ', '(nothing)'],
  ])('escapes %j', (words, shown) => {
    expect(quoteText(words)).toBe(shown);
  });

  it('shortens long text and long lists', () => {
    expect(quoteText('x'.repeat(500))).toBe(`\`${'x'.repeat(300)}…\``);
    expect(section('S', ['a', 'b', 'c'], 2)).toEqual(['## S', '', '- a', '- b', '- … and 1 more', '']);
    expect(section('S', [])).toEqual([]);
  });
});
