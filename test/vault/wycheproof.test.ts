// Runs the vectors of Project Wycheproof through the vault's cipher, where OKA_WYCHEPROOF names their aes_gcm_test.json.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { open, seal } from '../../src/adapters/vault/cipher.ts';

interface Vectors {
  readonly testGroups: readonly {
    readonly ivSize: number;
    readonly keySize: number;
    readonly tagSize: number;
    readonly tests: readonly Readonly<
      Record<'key' | 'iv' | 'aad' | 'msg' | 'ct' | 'tag' | 'result', string>
    >[];
  }[];
}

const file = process.env['OKA_WYCHEPROOF'];

describe.skipIf(file === undefined)('the vectors of Wycheproof', () => {
  const hex = (text: string): Buffer => Buffer.from(text, 'hex');

  it('are answered as they should be, and other sizes are refused', () => {
    const { testGroups } = JSON.parse(readFileSync(file as string, 'utf8')) as Vectors;
    const counted = { valid: 0, invalid: 0, refused: 0 };
    for (const { ivSize, keySize, tagSize, tests } of testGroups) {
      const ours = keySize === 256 && ivSize === 96 && tagSize === 128;
      for (const { key, iv, aad, msg, ct, tag, result } of tests) {
        const opening = (): string => open(hex(key), hex(iv), hex(aad), hex(ct + tag)).toString('hex');
        if (ours && result === 'valid') {
          expect(opening()).toBe(msg);
          expect(seal(hex(key), hex(iv), hex(aad), hex(msg)).toString('hex')).toBe(ct + tag);
          counted.valid += 1;
        } else {
          expect(opening).toThrow(expect.objectContaining({ code: 'vault.damaged' }));
          counted[ours ? 'invalid' : 'refused'] += 1;
        }
      }
    }
    expect(counted.valid).toBeGreaterThan(0);
    expect(counted.invalid).toBeGreaterThan(0);
    expect(counted.refused).toBeGreaterThan(0);
  });
});
