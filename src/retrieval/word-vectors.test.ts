import { describe, expect, it } from 'vitest';
import { termsOf } from './terms.ts';
import { dot, WordVectors } from './word-vectors.ts';

function learned(...texts: string[]): WordVectors {
  const vectors = new WordVectors(64);
  for (const text of texts) vectors.learn(termsOf(text));
  return vectors;
}

const TEXTS = [
  'the violin played a slow tune in the orchestra',
  'the cello played a slow tune in the orchestra',
  'the tractor ploughed a muddy field at the farm',
  'the harvester ploughed a muddy field at the farm',
  'violin concert tonight',
  'cello concert tonight',
  'tractor parked outside',
  'harvester parked outside',
];

describe('WordVectors', () => {
  it('knows in how many texts a word stands', () => {
    const vectors = learned(...TEXTS);
    expect(vectors.documentsWith('orchestra')).toBe(2);
    expect(vectors.documentsWith('unheard')).toBe(0);
    expect(vectors.documents).toBe(TEXTS.length);
  });

  it('keeps no word that could be read from its bytes', () => {
    const text = Buffer.from(learned(...TEXTS).toBytes()).toString('latin1');
    expect(text).not.toMatch(/orchestra|cello/);
  });

  it('puts texts about the same things nearer than others', () => {
    const vectors = learned(...TEXTS);
    const orchestra = vectors.vectorOf('violin');
    expect(dot(orchestra, vectors.vectorOf('a cello'))).toBeGreaterThan(
      dot(orchestra, vectors.vectorOf('a tractor')),
    );
  });

  it('has no direction for a text of unknown words', () => {
    expect([...learned(...TEXTS).vectorOf('zebra')].every((value) => value === 0)).toBe(true);
  });

  it('learns on from stored bytes as if it had never stopped', () => {
    const whole = learned(...TEXTS);
    const restored = WordVectors.from(learned(...TEXTS.slice(0, 4)).toBytes());
    for (const text of TEXTS.slice(4)) restored.learn(termsOf(text));
    expect(restored.toBytes()).toEqual(whole.toBytes());
    expect(restored.texts).toBe(TEXTS.length);
  });

  it('reads bytes that lie inside a larger buffer', () => {
    const bytes = learned(...TEXTS).toBytes();
    const larger = new Uint8Array(bytes.length + 7);
    larger.set(bytes, 7);
    expect(WordVectors.from(larger.subarray(7)).toBytes()).toEqual(bytes);
  });

  it('refuses bytes that are cut or of another format', () => {
    const bytes = learned(...TEXTS).toBytes();
    for (const broken of [bytes.slice(0, -3), new Uint8Array(0), new Uint8Array([9, 0, 0, 0])])
      expect(() => WordVectors.from(broken)).toThrow(
        expect.objectContaining({ code: 'retrieval.vectors_unreadable' }),
      );
  });
});
