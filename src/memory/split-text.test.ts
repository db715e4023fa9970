import { describe, expect, it } from 'vitest';
import { countTokens, joinPieces, splitText } from './split-text.ts';

const LONG = [
  ['words', 'several words of a long day '.repeat(400)],
  ['one word', 'x'.repeat(9_000)],
  ['pictures', '🍵'.repeat(3_000)],
  ['a script without spaces', '茶を飲みます'.repeat(800)],
  ['much white space', `a${' \n'.repeat(5_000)}b`],
] as const;

describe('splitText', () => {
  it('leaves a short text whole', () => {
    expect(splitText('hello')).toEqual([{ start: 0, text: 'hello' }]);
    expect(splitText('')).toEqual([{ start: 0, text: '' }]);
  });

  it.each(LONG)('cuts %s into overlapping pieces that make the whole again', (_what, text) => {
    const pieces = splitText(text);
    expect(pieces.length).toBeGreaterThan(1);
    expect(joinPieces(pieces)).toBe(text);
    for (const [i, piece] of pieces.entries()) {
      expect(countTokens(piece.text)).toBeLessThanOrEqual(400 + 150);
      expect(piece.text.isWellFormed()).toBe(true);
      expect(text.startsWith(piece.text, piece.start)).toBe(true);
      const next = pieces[i + 1];
      if (next) expect(next.start).toBeLessThanOrEqual(piece.start + piece.text.length);
    }
  });

  it('repeats about eighty tokens in the next piece', () => {
    const [first, second] = splitText('word '.repeat(2_000));
    const overlap = (first?.start ?? 0) + (first?.text.length ?? 0) - (second?.start ?? 0);
    expect(overlap / 4).toBeGreaterThan(40);
    expect(overlap / 4).toBeLessThanOrEqual(80);
  });
});
