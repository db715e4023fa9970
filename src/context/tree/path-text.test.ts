import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathBytes, pathText } from './path-text.ts';

const bytes = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((array) => Buffer.from(array).toString('latin1').replaceAll('\0', 'x'));

describe('the text of a path', () => {
  it('converts back to the original bytes', () => {
    fc.assert(
      fc.property(bytes, (name) => {
        expect(pathBytes(pathText(name))).toBe(name);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const name = Buffer.from(text, 'utf8').toString('latin1');
        expect(pathBytes(pathText(name))).toBe(name);
      }),
    );
  });

  it('is valid text for every store', () => {
    fc.assert(
      fc.property(bytes, (name) => {
        expect(pathText(name).isWellFormed()).toBe(true);
      }),
    );
  });

  it('equals the name for valid text without a backslash', () => {
    expect(pathText(Buffer.from('größe 漢字', 'utf8').toString('latin1'))).toBe('größe 漢字');
    expect(pathText('a\\b')).toBe('a\\\\b');
    expect(pathText('a\xffb')).toBe('a\\xffb');
    expect(pathText('a\\xffb')).toBe('a\\\\xffb');
  });
});
