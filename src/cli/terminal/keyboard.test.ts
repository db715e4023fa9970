import { expect, test } from 'vitest';
import { Keyboard } from './keyboard.ts';

/** What comes out of a keyboard when these pieces arrive one after the other; a paste stands in brackets. */
function typed(...pieces: readonly (string | Buffer)[]): string {
  const keyboard = new Keyboard({ setRawMode: () => undefined }, (text) => `<${text}>`);
  for (const piece of pieces) keyboard.write(piece);
  return String(keyboard.read() ?? '');
}

test('keys come through as they are', () => {
  expect(typed('ab', '\u001b[A', '\r')).toBe('ab\u001b[A\r');
});

test('what is pasted comes as one piece, with its ends of lines', () => {
  expect(typed('a\u001b[200~one\rtwo\u001b[201~b\r')).toBe('a<one\rtwo>b\r');
});

test.for(Array.from({ length: 10 }, (_, i) => i + 1))(
  'a paste is found when it arrives in pieces of %i',
  (size) => {
    const whole = 'a\u001b[200~one\u001b[2two\u001b[201~b\u001b[200~c\u001b[201~';
    // An escape that stands alone at the end of a piece is a key.
    const pieces = (whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).reduce<string[]>((list, piece) => {
      const last = list.at(-1);
      if (last?.endsWith('\u001b')) list[list.length - 1] = last + piece;
      else list.push(piece);
      return list;
    }, []);
    expect(typed(...pieces)).toBe('a<one\u001b[2two>b<c>');
  },
);

test('an escape alone is a key and does not wait', () => {
  expect(typed('\u001b')).toBe('\u001b');
});

test('Alt-Enter is a new line in the draft', () => {
  expect(typed('a\u001b\rb')).toBe('a<\n>b');
});

test('a letter of several bytes that arrives in two pieces is one letter', () => {
  const bytes = Buffer.from('ü');
  expect(typed(bytes.subarray(0, 1), bytes.subarray(1))).toBe('ü');
});

test('raw mode is a matter of the terminal', () => {
  const asked: boolean[] = [];
  new Keyboard({ setRawMode: (on) => asked.push(on) }, (text) => text).setRawMode(true);
  expect(asked).toEqual([true]);
});
