import { expect, it } from 'vitest';
import { pipedLine, showMessage, showNotice } from './chat-text.ts';

const said = (content: string) => ({ id: 7, at: 1_700_000_000_000, from: 'arya', content });

it.each([
  ['plain words', 'plain words'],
  ['a|b\\|c', 'a\\|b\\\\\\|c'],
  ['one\ntwo\r\nthree', 'one\\ntwo\\u{d}\\nthree'],
  ['\u001b[2J\u0007\u0000\u2028\u0085', '\\u{1b}[2J\\u{7}\\u{0}\\u{2028}\\u{85}'],
  ['👩‍🌾 späte Blüte', '👩‍🌾 späte Blüte'],
])('writes %j as one line of four fields', (content, written) => {
  const line = pipedLine(said(content));
  expect(line).toBe(`7|1700000000000|arya|${written}`);
  expect(line.split(/(?<!\\)(?:\\\\)*\|/)).toHaveLength(4);
});

it('escapes content reversibly', () => {
  const content = 'a\\n|\\|b\n\\\\ c\t\u0000';
  const [, , , ...field] = pipedLine(said(content)).split('|');
  const read = field
    .join('|')
    .replaceAll(/\\(?:u\{(?<code>[0-9a-f]+)\}|(?<sign>.))/g, (_, code: string | undefined, sign: string) =>
      code === undefined ? (sign === 'n' ? '\n' : sign) : String.fromCodePoint(Number.parseInt(code, 16)),
    );
  expect(read).toBe(content);
});

it('escapes control characters in a message', () => {
  expect(showMessage(said('\u001b[31mred\u001b[0m\u202e\nnext'))).toMatch(
    /^arya {2}#7 {2}.*\n {2}\\u\{1b\}\[31mred\\u\{1b\}\[0m\\u\{202e\}\n {2}next$/,
  );
  expect(showNotice({ message: 7, what: 'b\u0007' })).toBe('  · #7: b\\u{7}');
});
