import { describe, expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

/** Texts with the tokens that the widest-spread public vocabulary (cl100k) counts in them. */
const COUNTED: readonly (readonly [text: string, tokens: number])[] = [
  ['The quick brown fox jumps over the lazy dog, and nobody minds at all.', 16],
  ['const total = items.reduce((sum, item) => sum + item.tokens, 0);', 19],
  ['{"kind":"fact","id":"01HZX","score":1.25,"tokens":18}', 21],
  ['用户更喜欢喝茶,不喜欢早上九点之前开始的会议。', 29],
  ['Пользователь предпочитает чай и не любит ранние встречи.', 24],
  ['3141592653589793238462643383279502884197', 14],
  ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 43],
];

describe('an estimate of tokens', () => {
  it.each(COUNTED)('is rarely too small: %s', (text, tokens) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens * 0.85);
    expect(estimateTokens(text)).toBeLessThanOrEqual(tokens * 2.2);
  });

  it('is 0 for an empty text and grows with the text', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('word '.repeat(200))).toBeGreaterThan(estimateTokens('word '.repeat(100)));
  });

  it('counts lines one by one no smaller than together', () => {
    const lines = ['- fact: Ada prefers tea\n', '- fact: 😀 ünïcode\n', '- x\n'];
    const apart = lines.reduce((sum, line) => sum + estimateTokens(line), 0);
    expect(estimateTokens(lines.join(''))).toBeLessThanOrEqual(apart);
  });
});
