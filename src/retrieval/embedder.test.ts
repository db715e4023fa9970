import { describe, expect, it } from 'vitest';
import { type Embedder, embedderId, embedTexts } from './embedder.ts';

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
});
