import { describe, expect, it } from 'vitest';
import { stem, tokenise, wordsOf } from './tokenise.ts';

describe('tokenise', () => {
  it('splits at everything that is neither letter nor digit, in any script', () => {
    expect(wordsOf('Größe: 3 files.read(ΑΒΓ) — дом_1')).toEqual([
      'größe',
      '3',
      'files',
      'read',
      'αβγ',
      'дом',
      '1',
    ]);
  });

  it('treats equivalent encodings of a character as equal', () => {
    expect(wordsOf('e\u0301te\u0301 ＡＢＣ')).toEqual(['été', 'abc']);
  });

  it('returns nothing for an empty text', () => {
    expect(tokenise('')).toEqual([]);
    expect(tokenise(' -- ')).toEqual([]);
  });

  it.each([
    ['files', 'file'],
    ['writes', 'write'],
    ['writing', 'write'],
    ['searches', 'searching'],
    ['searched', 'search'],
    ['deleted', 'deletes'],
    ['stopped', 'stopping'],
    ['queries', 'query'],
    ['summarises', 'summarising'],
    ['boxes', 'box'],
    ['calls', 'calling'],
    ['passes', 'passed'],
  ])('brings %s and %s to the same stem', (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  it.each(['string', 'red', 'need', 'class', 'thing', 'été', 'v2'])('leaves %s alone', (word) => {
    expect(stem(word)).toBe(word);
  });
});
