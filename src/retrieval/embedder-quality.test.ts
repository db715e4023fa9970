import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { measureQuality, weightOfQuality } from './embedder-quality.ts';
import { hashOf } from './read-passage.ts';
import { termsOf } from './terms.ts';
import { WordVectors } from './word-vectors.ts';

const vectors = new WordVectors(readFileSync(new URL('../../data/word-vectors/words.bin', import.meta.url)));

const embedder = (embed: (text: string, place: number) => Float32Array) => ({
  name: 'test',
  dimensions: 100,
  embed: async (texts: readonly string[]) => texts.map(embed),
});

describe('the quality of an embedder', () => {
  it('is 1 if every answer is nearest to its question, and a half if all texts look the same', async () => {
    const oracle = embedder((_, place) =>
      new Float32Array(100).fill(1, Math.floor(place / 2), Math.floor(place / 2) + 1),
    );
    expect(await measureQuality(oracle)).toBe(1);
    expect(await measureQuality(embedder(() => new Float32Array(100).fill(1)))).toBeCloseTo(0.5);
  });

  it('gives the word vectors of the package the weight that was measured for them', async () => {
    const words = embedder((text) => vectors.direction(termsOf(text).map(hashOf)) ?? new Float32Array(100));
    expect(weightOfQuality(await measureQuality(words))).toBeCloseTo(0.1, 2);
  });

  it('increases the weight, between a minimum and a maximum', () => {
    expect(weightOfQuality(0.4)).toBe(0.02);
    expect(weightOfQuality(1)).toBe(0.4);
    expect(weightOfQuality(0.95)).toBeGreaterThan(weightOfQuality(0.8));
  });
});
