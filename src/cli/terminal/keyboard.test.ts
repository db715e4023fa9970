import { expect, test } from 'vitest';
import { Keyboard } from './keyboard.ts';

/** What comes out of a keyboard when these pieces arrive one after the other; a paste stands in brackets. */
function typed(...pieces: readonly (string | Buffer)[]): string {
  const keyboard = new Keyboard({ setRawMode: () => undefined }, (text) => `<${text}>`);
  for (const piece of pieces) keyboard.write(piece);
  return String(keyboard.read() ?? '');
}

test('passes keys through unchanged', () => {
  expect(typed('ab', '\u001b[A', '\r')).toBe('ab\u001b[A\r');
});

test('passes a paste as one piece with its line breaks', () => {
  expect(typed('a\u001b[200~one\rtwo\u001b[201~b\r')).toBe('a<one\rtwo>b\r');
});

test.for(Array.from({ length: 10 }, (_, i) => i + 1))(
  'detects a paste that arrives in pieces of %i',
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

test('passes a single escape at once', () => {
  expect(typed('\u001b')).toBe('\u001b');
});

test('turns Alt-Enter into a line break', () => {
  expect(typed('a\u001b\rb')).toBe('a<\n>b');
});

test('joins a multi-byte character that arrives in two pieces', () => {
  const bytes = Buffer.from('ü');
  expect(typed(bytes.subarray(0, 1), bytes.subarray(1))).toBe('ü');
});

test('forwards raw mode to the terminal', () => {
  const asked: boolean[] = [];
  new Keyboard({ setRawMode: (on) => asked.push(on) }, (text) => text).setRawMode(true);
  expect(asked).toEqual([true]);
});
