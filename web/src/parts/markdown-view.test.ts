import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MarkdownView } from './markdown-view.tsx';

const html = (text: string): string => renderToStaticMarkup(createElement(MarkdownView, { text }));

test('markdown becomes elements', () => {
  expect(html('# Title\n\nSome **bold** and `code`.\n\n- one\n- two')).toBe(
    '<div class="prose"><h3>Title</h3><p>Some <strong>bold</strong> and <code>code</code>.</p><ul><li>one</li><li>two</li></ul></div>',
  );
});

test.each([
  '<script>alert(1)</script>',
  'text <img src=x onerror=alert(1)> text',
  '<iframe src="https://example.com"></iframe>',
])('HTML is shown as text: %s', (text) => {
  expect(html(text)).not.toMatch(/<(script|img|iframe)/);
  expect(html(text)).toContain('&lt;');
});

test.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x'])(
  'a link to %s gets no href',
  (address) => expect(html(`[click](${address})`)).not.toContain('href'),
);

test('a picture is its description, because loading it would be a request to another machine', () => {
  expect(html('![a cat](https://example.com/cat.png)')).toBe('<div class="prose"><p>a cat</p></div>');
});

test('characters with a meaning in HTML are shown once', () => {
  expect(html('a < b & c `x < y`')).toBe(
    '<div class="prose"><p>a &lt; b &amp; c <code>x &lt; y</code></p></div>',
  );
});

test('a table and a task list keep their content', () => {
  expect(html('| a | b |\n|---|---|\n| 1 | 2 |')).toContain('<td>1</td><td>2</td>');
  expect(html('- [x] done')).toContain('checked=""');
});

test('no text of a page has control, bidirectional or invisible characters', () => {
  const shown = html('a\u202eb\u200bc `\u2066d` [e\u0007](https://example.org "f\u202e") 👩\u200d🚀');
  expect(shown.replaceAll('👩\u200d🚀', '')).not.toMatch(/(?!\n|\t)[\p{Cc}\p{Cf}]/u);
  expect(shown).toContain('a\\u{202e}b\\u{200b}c');
});
