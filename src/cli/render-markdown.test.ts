import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { completeBlocks, renderMarkdown } from './render-markdown.ts';

const plain = (text: string, width = 40): string =>
  renderMarkdown(text, { width, colors: pc.createColors(false) });

describe('Markdown on a terminal', () => {
  test('words wrap at the width, and wide characters count as two columns', () => {
    expect(plain('The quick brown fox jumps over the lazy dog again.', 20)).toBe(
      'The quick brown fox\njumps over the lazy\ndog again.',
    );
    expect(plain('你好世界 你好世界 你好世界', 20)).toBe('你好世界 你好世界\n你好世界');
  });

  test('headings, emphasis, links and inline code keep their text', () => {
    expect(
      plain('## Beds\n\n**three** *new* ~~old~~ `a b` [site](https://a.example) <https://b.example>', 90),
    ).toBe('## Beds\n\nthree new old `a b` site (https://a.example) https://b.example');
    const styled = renderMarkdown('# A **b**', { width: 40, colors: pc.createColors(true) });
    expect(styled).toContain('\u001b[1m');
    expect(styled).not.toContain('#');
  });

  test('lists nest, number and tick', () => {
    expect(plain('3. one\n   - deep\n     deeper\n4. two\n\n- [x] done\n- [ ] open')).toBe(
      '3. one\n   • deep\n     deeper\n4. two\n\n• [x] done\n• [ ] open',
    );
    expect(plain('- a long item that has to wrap here', 20)).toBe('• a long item that\n  has to wrap here');
  });

  test('code keeps every byte and is not wrapped', () => {
    const code =
      'if (a) {\n\treturn   "a very long line that is longer than the terminal is wide";\n}\n\n  # b';
    const lines = plain(`\`\`\`ts\n${code}\n\`\`\``, 20).split('\n');
    expect(lines.map((line) => line.replace(/^ {4}/, '')).join('\n')).toBe(code);
  });

  test('tables fit into the width', () => {
    const text = '| name | what it does |\n|---|--:|\n| beds | counts every bed in the garden |\n| a | b |';
    expect(plain(text, 60).split('\n')).toEqual([
      'name │                   what it does',
      '─────┼───────────────────────────────',
      'beds │ counts every bed in the garden',
      'a    │                              b',
    ]);
    const narrow = plain(text, 24).split('\n');
    expect(Math.max(...narrow.map(({ length }) => length))).toBeLessThanOrEqual(24);
    expect(narrow.join(' ').replaceAll(/[\s│─┼]+/g, ' ')).toContain('counts every bed in the garden');
    const many = `|${'a|'.repeat(9)}\n|${'-|'.repeat(9)}\n|${'word word|'.repeat(9)}`;
    expect(plain(many, 30).split('\n')).toContain('a: word word');
  });

  test('quotes and rules are marked', () => {
    expect(plain('> said\n> twice\n\n---\nend')).toBe(`│ said\n│ twice\n\n${'─'.repeat(40)}\n\nend`);
  });

  test('control characters are escaped in text, code, tables and links', () => {
    const evil = '\u001b]0;title\u0007\u202e';
    const text = `${evil}\n\n    ${evil}\n\n\`${evil}\`\n\n|${evil}|\n|-|\n|${evil}|\n\n[a](<x${evil}>)\n\n<b${evil}>`;
    expect(plain(text).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('deeply nested text is shown without an error', () => {
    expect(plain(`${'>'.repeat(5_000)} a`).endsWith('a')).toBe(true);
  });
});

describe('complete blocks of streamed text', () => {
  test.each([
    ['a word', '', 'a word'],
    ['one\n\ntwo', 'one\n\n', 'two'],
    ['one\n\n', 'one\n\n', ''],
    ['# head\n', '# head\n', ''],
    ['- a\n\n', '', '- a\n\n'],
    ['```\na\n\nb\n', '', '```\na\n\nb\n'],
    ['```\na\n\nb\n```\n', '```\na\n\nb\n```\n', ''],
    ['| a |\n|---|\n| 1 |\n', '', '| a |\n|---|\n| 1 |\n'],
    ['| a |\n|---|\n| 1 |\n\n', '| a |\n|---|\n| 1 |\n\n', ''],
    ['', '', ''],
  ])('%j', (text, done, rest) => {
    expect(completeBlocks(text)).toEqual({ done, rest });
  });

  test('the blocks of a stream render as the whole text does', () => {
    const text = '# A\n\nfirst words\nof it\n\n- a\n- b\n\n```\ncode\n```\n\n| a |\n|---|\n| 1 |\n\nend';
    let rest = '';
    const blocks: string[] = [];
    for (const character of text) {
      const split = completeBlocks(rest + character);
      if (split.done.trim() !== '') blocks.push(plain(split.done));
      rest = split.rest;
    }
    expect([...blocks, plain(rest)].join('\n\n')).toBe(plain(text));
  });
});
