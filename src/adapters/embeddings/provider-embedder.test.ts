import { describe, expect, it } from 'vitest';
import type { ModelProvider } from '../../models/index.ts';
import { embedderId, embedTexts } from '../../retrieval/index.ts';
import { providerEmbedder } from './provider-embedder.ts';

/** A provider whose vectors contain the length and the word count of a text. */
class MeasuringProvider implements ModelProvider {
  readonly name = 'measuring';
  readonly asked: (readonly string[])[] = [];
  readonly signals: AbortSignal[] = [];

  complete(): Promise<never> {
    throw new Error('unexpected call');
  }

  // biome-ignore lint/correctness/useYield: it always throws.
  async *stream(): AsyncGenerator<never> {
    throw new Error('unexpected call');
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    this.asked.push(texts);
    this.signals.push(signal);
    return texts.map((text) => [text.length, text.split(' ').length]);
  }
}

const NAMED = { name: 'measuring/small', dimensions: 2 };

describe('providerEmbedder', () => {
  it('returns one vector per text, in one abortable request', async () => {
    const provider = new MeasuringProvider();
    const embedder = providerEmbedder(provider, NAMED);
    const vectors = await embedder?.embed(['tea', 'green tea']);
    expect(vectors).toEqual([Float32Array.from([3, 1]), Float32Array.from([9, 2])]);
    expect(provider.asked).toEqual([['tea', 'green tea']]);
    expect(provider.signals[0]?.aborted).toBe(false);
  });

  it('is identified by provider, model and dimensions', () => {
    const embedder = providerEmbedder(new MeasuringProvider(), NAMED);
    expect(embedder && embedderId(embedder)).toBe('measuring/small#2');
  });

  it('fails if the vectors have other dimensions than configured', async () => {
    const embedder = providerEmbedder(new MeasuringProvider(), { ...NAMED, dimensions: 3 });
    if (embedder === undefined) throw new Error('no embedder');
    await expect(embedTexts(embedder, ['tea'])).rejects.toMatchObject({
      code: 'retrieval.embedding_mismatch',
    });
  });

  it('passes on the failure of the provider', async () => {
    const provider = { embed: () => Promise.reject(new Error('no such model')) };
    await expect(providerEmbedder(provider, NAMED)?.embed(['tea'])).rejects.toThrow('no such model');
  });

  it('is undefined if the provider has no embeddings', () => {
    expect(providerEmbedder({}, NAMED)).toBeUndefined();
  });
});
