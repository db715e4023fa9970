import { describe, expect, it } from 'vitest';
import { retrieve } from './find-memories.ts';
import { memoryKit } from './memory-kit.conformance.ts';
import type { SearchScope } from './ports.ts';

const DAY_MS = 86_400_000;

describe('retrieving', () => {
  it('ranks important facts first and reserves hits for episodes', async () => {
    const { memory } = memoryKit();
    const facts = Array.from({ length: 12 }, (_, i) => ({ text: `tea note ${i}`, importance: (i % 5) + 1 }));
    await memory.addFacts(facts, 'me');
    await memory.recordEpisodes(
      ['Ada asked for tea', 'tea was served', 'the tea was cold'].map((text) => ({ text })),
      'me',
    );
    const { hits, degraded } = await memory.retrieve({ query: 'tea', limit: 6 });
    expect(degraded).toBe(true);
    expect(hits.map(({ kind }) => kind)).toEqual(['fact', 'fact', 'fact', 'fact', 'episode', 'episode']);
    expect(hits[0]?.importance).toBe(5);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('returns the score of every hit and the parts that add up to it', async () => {
    const { memory } = memoryKit();
    await memory.addFact({ text: 'Ada drinks tea', importance: 5, source: 'chat' }, 'me');
    const { hits } = await memory.retrieve({ query: 'what tea?', limit: 5 });
    expect(hits).toMatchObject([
      { kind: 'fact', text: 'Ada drinks tea', source: 'chat', namespace: 'default' },
    ]);
    const { keyword, vector, importance, recency } = hits[0]?.why ?? {
      keyword: 0,
      vector: 1,
      importance: 0,
      recency: 0,
    };
    expect(keyword).toBeGreaterThan(0);
    expect(importance).toBeGreaterThan(0);
    expect(recency).toBeGreaterThan(0);
    expect(vector).toBe(0);
    expect(hits[0]?.score).toBeCloseTo(keyword + importance + recency, 5);
  });

  it('prefers the newer of two equal matches', async () => {
    const { memory, clock } = memoryKit();
    await memory.recordEpisodes([{ text: 'tea at noon', at: clock.now() - 90 * DAY_MS }], 'me');
    await memory.recordEpisodes([{ text: 'tea at dusk', at: clock.now() }], 'me');
    const { hits } = await memory.findDaily({ query: 'tea', limit: 5 });
    expect(hits.map(({ text }) => text)).toEqual(['tea at dusk', 'tea at noon']);
  });

  it('finds the answer next to the question', async () => {
    const { memory } = memoryKit();
    const said = ['where is the spare key?', 'under the blue pot', 'thanks', 'see you', 'bye'];
    await memory.recordEpisodes(
      said.map((text) => ({ text, conversation: 'c' })),
      'me',
    );
    const { hits } = await memory.retrieve({ query: 'spare key', limit: 2 });
    expect(hits.map(({ text }) => text)).toEqual(['where is the spare key?', 'under the blue pot']);
  });

  it('examines the same number of candidates in a large memory as in a small one', async () => {
    const { parts } = memoryKit();
    const limits = async (texts: number) => {
      const asked: unknown[] = [];
      const note = async (_: unknown, { limit, around }: SearchScope) => {
        asked.push({ limit, around });
        return [];
      };
      const search = {
        ...{ texts: () => texts, sample: () => [], facts: note, episodes: note },
        newestAt: async () => undefined,
        textsAt: () => new Map(),
        factsAt: async () => new Map(),
        episodesAt: async () => new Map(),
      };
      await retrieve({ ...parts, search }, { query: 'tea', limit: 10 });
      return asked;
    };
    expect(await limits(1_000_000)).toEqual(await limits(10));
  });

  it('falls back to words, and reports it, if the word vectors cannot be read', async () => {
    const { memory, parts } = memoryKit();
    await memory.addFact({ text: 'tea at noon' }, 'me');
    const wordVectors = () => {
      throw new Error('no such file');
    };
    const vectors = { read: async () => ({ nearest: () => [] }) };
    const found = await retrieve({ ...parts, vectors, wordVectors }, { query: 'tea', limit: 1 });
    expect(found).toMatchObject({ degraded: true, hits: [{ text: 'tea at noon' }] });
    expect(found.notice).toContain('no such file');
  });

  it('is certain of a question with evidence, and not of one without', async () => {
    const { memory } = memoryKit();
    await memory.recordEpisodes(
      ['the spare key is under the blue pot', 'the pot was a gift from Ada', 'tea at noon'].map((text) => ({
        text,
      })),
      'me',
    );
    const found = async (query: string) => memory.retrieve({ query, limit: 2 });
    expect(await found('where is the spare key?')).toMatchObject({ certain: true });
    const missing = await found('which airline flies to Oslo at noon with discount tickets?');
    expect(missing).toMatchObject({ certain: false });
    expect(missing.confidence).toBeLessThan(0.3);
    expect(await found('airline')).toMatchObject({ hits: [], confidence: 0, certain: false });
  });

  it('respects day, namespace and conversation, and shows runs with their outcome', async () => {
    const { memory, runList, clock } = memoryKit();
    runList.push({ id: 'r1', goal: 'make tea for Ada', outcome: 'completed', at: clock.now() });
    const at = Date.parse('2026-01-02T10:00:00Z');
    await memory.recordEpisodes([{ text: 'tea then', at, namespace: 'b' }, { text: 'tea now' }], 'me');
    const texts = async (query: object) =>
      (await memory.findDaily({ query: 'tea', limit: 9, ...query })).hits.map(({ text }) => text).sort();
    expect(await texts({})).toEqual(['make tea for Ada (completed)', 'tea now', 'tea then']);
    expect(await texts({ namespace: 'b' })).toEqual(['tea then']);
    expect(await texts({ namespace: 'b', day: '2026-01-02' })).toEqual(['tea then']);
    expect(await texts({ namespace: 'b', day: '2026-01-03' })).toEqual([]);
    const said = { text: 'tea said', conversation: 'c' };
    await memory.recordEpisodes([said, { ...said, text: 'tea elsewhere', conversation: 'd' }], 'me');
    await memory.addFact({ text: 'tea is known' }, 'me');
    const { hits } = await memory.retrieve({ query: 'tea', conversation: 'c', limit: 9 });
    expect(hits.map(({ text }) => text)).toEqual(['tea said']);
    await expect(texts({ day: '2026-02-30' })).rejects.toMatchObject({ code: 'memory.invalid' });
  });

  it('reads a month without a year as the last one with memories', async () => {
    const { memory } = memoryKit();
    const at = (month: string) => Date.parse(`2023-${month}-20T10:00:00Z`);
    await memory.recordEpisodes(
      [
        { text: 'we had a picnic', at: at('05') },
        { text: 'we had a picnic too', at: at('08') },
      ],
      'me',
    );
    const { hits } = await memory.findDaily({ query: 'which picnic was in May?', limit: 2 });
    expect(hits.map(({ text }) => text)).toEqual(['we had a picnic', 'we had a picnic too']);
    expect(hits[0]?.why.fit).toBeGreaterThan(hits[1]?.why.fit ?? 0);
  });

  it('returns one hit for an episode of many parts', async () => {
    const { memory } = memoryKit();
    await memory.recordEpisodes([{ text: 'tea and more tea, '.repeat(1_000) }], 'me');
    expect((await memory.retrieve({ query: 'tea', limit: 9 })).hits).toHaveLength(1);
  });

  it('returns as many hits as requested, and none for an empty query', async () => {
    const { memory } = memoryKit();
    await memory.addFacts([{ text: 'tea one' }, { text: 'tea two' }], 'me');
    await memory.recordEpisodes([{ text: 'tea three' }], 'me');
    for (const limit of [0, 1, 2, 3]) {
      expect((await memory.retrieve({ query: 'tea', limit })).hits).toHaveLength(limit);
    }
    expect((await memory.retrieve({ query: '?!', limit: 9 })).hits).toEqual([]);
  });
});
