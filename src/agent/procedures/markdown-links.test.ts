import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMarkdownLinks } from './markdown-links.ts';
import { linkTarget } from './survey-links.ts';

const targets = (markdown: string): string[] => readMarkdownLinks(markdown).links.map(({ target }) => target);

describe('reading the links of a document', () => {
  it.each([
    ['[a](b.md)', ['b.md']],
    ['[a](b.md "title") and ![i](i.png)', ['b.md', 'i.png']],
    ['[a](<b c.md>)', ['b c.md']],
    ['[a](b_(c).md)', ['b_(c).md']],
    ['[![badge](b.svg)](https://x.y)', ['https://x.y', 'b.svg']],
    ['[ref]: ./x.md "t"', ['./x.md']],
    ['<https://x.y/z> <b>', ['https://x.y/z']],
    ['<a class="x" href="y.md">y</a><img src=\'i.png\'>', ['y.md', 'i.png']],
    ['`[a](b.md)` ``[c](`d`)``', []],
    ['```\n[a](b.md)\n```\n[c](d.md)', ['d.md']],
    ['~~~~\n```\n[a](b)\n~~~~\n[c](d)', ['d']],
    ['<!-- [a](b.md)\n[c](d.md) -->\n[e](f.md)', ['f.md']],
    ['text\n\n    [a](indented-code.md)', []],
    ['[two\nlines](a.md) and [b]\n(c)', ['a.md']],
    ['> - [a](b.md)\n>   <!-- [c](d.md) -->', ['b.md']],
    ['https://x.y/bare', []],
    ['[a][r] and ![r]\n\n[r]: b.md', ['b.md']],
    ['---\nlink: "[a](b)"\n---\n[c](d)', ['d']],
    ['[not a link] (x)', []],
    ['[^1]: a footnote', []],
  ])('finds those in %j', (markdown, found) => {
    expect(targets(markdown)).toEqual(found);
  });

  it('finds the line of a link', () => {
    expect(readMarkdownLinks('---\na: b\n---\n\n[x](y)').links).toEqual([{ target: 'y', line: 5 }]);
    const nested = '# T\r\n\r\n- one\r\n- [a](b)\r\n  - [a](b)\r\n\r\n> text\r\n> <a href="c">c</a>\r\n';
    expect(readMarkdownLinks(nested).links).toEqual([
      { target: 'b', line: 4 },
      { target: 'b', line: 5 },
      { target: 'c', line: 8 },
    ]);
  });

  it('finds the anchors of a document', () => {
    const text =
      '# One `two` & three!\n\n## One\n## One\n\nUnder line\n---\n\n<a id="own"></a>\n\n```\n# not\n```\n';
    expect([...readMarkdownLinks(text).anchors]).toEqual([
      'one-two--three',
      'one',
      'one-1',
      'under-line',
      'own',
    ]);
    expect([...readMarkdownLinks('# Größe [link](x) a_b <b>c</b>').anchors]).toEqual(['größe-link-a_b-c']);
  });

  it('reads anything without failing, and quickly', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('[', ']', '(', ')', '`', '<', '>', 'a', '\n', '#') }),
        (text) => void readMarkdownLinks(text),
      ),
    );
    for (const piece of [
      '[',
      '![](',
      '`',
      '<a ',
      '[](',
      '<!--',
      '# ',
      '[a](',
      '(<',
      '](a "',
      '](((',
      '](<',
      '> ',
      '1. ',
    ])
      readMarkdownLinks(`${piece.repeat(9_000 / piece.length)}\n${piece.repeat(50_000)}`);
  });
});

describe('the target of a link', () => {
  it.each([
    ['docs/a.md', 'b.md', { kind: 'file', path: 'docs/b.md' }],
    ['docs/a.md', '../b%20c.md#x', { kind: 'file', path: 'b c.md', anchor: 'x' }],
    ['docs/a.md', '/b.md?raw=1', { kind: 'file', path: 'b.md' }],
    ['docs/a.md', '#x%C3%BC', { kind: 'file', path: 'docs/a.md', anchor: 'xü' }],
    ['a.md', '..', { kind: 'outside' }],
    ['docs/a.md', '..', { kind: 'file', path: '.' }],
    ['a.md', '100%.md', { kind: 'file', path: '100%.md' }],
    ['a.md', 'HTTP://x.y/z#w', { kind: 'web', url: 'HTTP://x.y/z' }],
    ['a.md', 'mailto:a@b.c', { kind: 'other' }],
    ['a.md', '//x.y', { kind: 'other' }],
  ])('from %s by %s', (from, target, expected) => {
    expect(linkTarget(from, target)).toEqual(expected);
  });
});
