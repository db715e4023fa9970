import { describe, expect, it } from 'vitest';
import type { ModelProvider } from '../../models/index.ts';
import { embedderId, embedTexts } from '../../retrieval/index.ts';
import { providerEmbedder } from './provider-embedder.ts';

/** A provider whose vectors say how long a text is and how many words it has. */
class MeasuringProvider implements ModelProvider {
  readonly name = 'measuring';
  readonly asked: (readonly string[])[] = [];
  readonly signals: AbortSignal[] = [];

  complete(): Promise<never> {
    throw new Error('it was asked to answer');
  }

  // biome-ignore lint/correctness/useYield: it never has anything to say.
  async *stream(): AsyncGenerator<never> {
    throw new Error('it was asked to answer');
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    this.asked.push(texts);
    this.signals.push(signal);
    return texts.map((text) => [text.length, text.split(' ').length]);
  }
}

const NAMED = { name: 'measuring/small', dimensions: 2 };

describe('an embedder that asks a model provider', () => {
  it('gives one vector for each text, in one request that can be given up', async () => {
    const provider = new MeasuringProvider();
    const embedder = providerEmbedder(provider, NAMED);
    const vectors = await embedder?.embed(['tea', 'green tea']);
    expect(vectors).toEqual([Float32Array.from([3, 1]), Float32Array.from([9, 2])]);
    expect(provider.asked).toEqual([['tea', 'green tea']]);
    expect(provider.signals[0]?.aborted).toBe(false);
  });

  it('is known by provider, model and dimensions', () => {
    const embedder = providerEmbedder(new MeasuringProvider(), NAMED);
    expect(embedder && embedderId(embedder)).toBe('measuring/small#2');
  });

  it('is refused where its vectors have other dimensions than were told', async () => {
    const embedder = providerEmbedder(new MeasuringProvider(), { ...NAMED, dimensions: 3 });
    if (embedder === undefined) throw new Error('there is no embedder');
    await expect(embedTexts(embedder, ['tea'])).rejects.toMatchObject({
      code: 'retrieval.embedding_mismatch',
    });
  });

  it('passes on why the provider failed', async () => {
    const provider = { embed: () => Promise.reject(new Error('no such model')) };
    await expect(providerEmbedder(provider, NAMED)?.embed(['tea'])).rejects.toThrow('no such model');
  });

  it('is not there where the provider makes no vectors', () => {
    expect(providerEmbedder({}, NAMED)).toBeUndefined();
  });
});
