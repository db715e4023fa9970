import { describe, expect, it } from 'vitest';
import { open, seal } from './cipher.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

const KEY = 'feffe9928665731c6d6a8f9467308308'.repeat(2);
const NONCE = 'cafebabefacedbaddecaf888';
const TEXT =
  'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255';
const SEALED =
  '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad';

/** The published test cases 13 to 16 of Galois/Counter Mode: those with a 256-bit key and a 96-bit nonce. */
const PUBLISHED = [
  ['00'.repeat(32), '00'.repeat(12), '', '', '530f8afbc74536b9a963b4f1c4cb738b'],
  [
    '00'.repeat(32),
    '00'.repeat(12),
    '',
    '00'.repeat(16),
    'cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919',
  ],
  [KEY, NONCE, '', TEXT, `${SEALED}b094dac5d93471bdec1a502270e3cc6c`],
  [
    KEY,
    NONCE,
    'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    TEXT.slice(0, -8),
    `${SEALED.slice(0, -8)}76fc6ece0f4e1768cddf8853bb2d551b`,
  ],
] as const;

describe('cipher', () => {
  it.each(PUBLISHED)('matches the published result for key %s, nonce %s', (key, nonce, aad, text, sealed) => {
    expect(seal(hex(key), hex(nonce), hex(aad), hex(text)).toString('hex')).toBe(sealed);
    expect(open(hex(key), hex(nonce), hex(aad), hex(sealed)).toString('hex')).toBe(text);
  });

  it('rejects a sealed value if one bit of key, nonce, name or ciphertext differs', () => {
    const [key, nonce, aad] = [KEY, NONCE, 'feedface'].map(hex) as [Buffer, Buffer, Buffer];
    const whole = seal(key, nonce, aad, Buffer.from('a secret value'));
    const parts = { key, nonce, aad, whole };
    for (const [name, part] of Object.entries(parts)) {
      for (let bit = 0; bit < part.length * 8; bit++) {
        const flipped = Buffer.from(part);
        flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
        const given = { ...parts, [name]: flipped };
        expect(() => open(given.key, given.nonce, given.aad, given.whole)).toThrow(
          expect.objectContaining({ code: 'vault.damaged' }),
        );
      }
    }
  });

  it.each([16, 24, 31, 33])('rejects a key of %i bytes', (bytes) => {
    expect(() => seal(Buffer.alloc(bytes), hex(NONCE), hex(''), hex(''))).toThrow('key');
    expect(() => open(Buffer.alloc(bytes), hex(NONCE), hex(''), Buffer.alloc(20))).toThrow('key');
  });

  it.each([0, 8, 11, 13, 16])('rejects a nonce of %i bytes', (bytes) => {
    expect(() => seal(hex(KEY), Buffer.alloc(bytes), hex(''), hex(''))).toThrow('nonce');
    expect(() => open(hex(KEY), Buffer.alloc(bytes), hex(''), Buffer.alloc(20))).toThrow('nonce');
  });

  it('rejects a truncated tag of any length', () => {
    const [key, nonce] = [hex(KEY), hex(NONCE)];
    const whole = seal(key, nonce, hex(''), hex(''));
    for (let length = 0; length < whole.length; length++)
      expect(() => open(key, nonce, hex(''), whole.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'vault.damaged' }),
      );
  });
});
