import { describe, expect, it } from 'vitest';
import { type Embedder, embedderId, embeddingLikeness, embedTexts } from './embedder.ts';

function embedderOf(...answers: number[][]): Embedder {
  return {
    name: 'letters',
    dimensions: 2,
    embed: async () => answers.map((values) => Float32Array.from(values)),
  };
}

describe('embedTexts', () => {
  it('returns one vector per text', async () => {
    expect(await embedTexts(embedderOf([1, 0], [0, 1]), ['a', 'b'])).toHaveLength(2);
    expect(await embedTexts(embedderOf([1, 0]), [])).toEqual([]);
  });

  it.each([
    ['too few vectors', [[1, 0]]],
    ['a vector of other dimensions', [[1, 0], [1]]],
  ])('refuses %s', async (_, answers) => {
    await expect(embedTexts(embedderOf(...answers), ['a', 'b'])).rejects.toMatchObject({
      code: 'retrieval.embedding_mismatch',
    });
  });

  it('names an embedder by its name and dimensions', () => {
    expect(embedderId({ name: 'letters', dimensions: 2 })).not.toBe(
      embedderId({ name: 'letters', dimensions: 3 }),
    );
  });

  it('compares vectors by direction only, never below 0', () => {
    const vector = (...values: number[]): Float32Array => Float32Array.from(values);
    expect(embeddingLikeness(vector(2, 0), vector(5, 0))).toBe(1);
    expect(embeddingLikeness(vector(1, 0), vector(-1, 0))).toBe(0);
    expect(embeddingLikeness(vector(0, 0), vector(1, 0))).toBe(0);
  });
});
