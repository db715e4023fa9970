import { describe, expect, it } from 'vitest';
import { evaluate, evaluateConfidence, WAYS } from './evaluate.ts';
import { generateSet } from './generate-set.ts';

const evaluated = new Map<string, ReturnType<typeof evaluate>>();

/** The recall of a way of searching on the held-out part, evaluated once. */
function recall(way: string) {
  const search = WAYS[way];
  if (!search) throw new RangeError(`no way of searching is called ${way}`);
  const found = evaluated.get(way) ?? evaluate('held-out', search);
  evaluated.set(way, found);
  return found;
}

describe('the set of conversations', () => {
  it('has conversations of at least 200 turns with questions and their evidence, reproducibly', () => {
    const conversations = [...generateSet('train'), ...generateSet('held-out')];
    expect(conversations.length).toBeGreaterThanOrEqual(10);
    expect(conversations).toEqual([...generateSet('train'), ...generateSet('held-out')]);
    for (const { turns, questions } of conversations) {
      const ids = new Set(turns.map(({ id }) => id));
      expect(ids.size).toBe(turns.length);
      expect(turns.length).toBeGreaterThanOrEqual(200);
      expect(questions.filter(({ evidence }) => !evidence.every((id) => ids.has(id)))).toEqual([]);
      expect(questions.filter(({ text }) => /[{}]/.test(text))).toEqual([]);
    }
  });
});

describe('the fused ranking', () => {
  it('finds clearly more evidence than keywords alone on the held-out part', () => {
    const [fused, keyword] = [recall('fused'), recall('keyword')];
    expect(fused.questions).toBeGreaterThanOrEqual(150);
    for (const depth of [5, 10, 20])
      expect((fused.at[depth] ?? 0) - (keyword.at[depth] ?? 0)).toBeGreaterThan(0.2);
  });

  it('also does so without related words', () => {
    const [plain, keyword] = [recall('no list'), recall('keyword')];
    expect((plain.at[10] ?? 0) - (keyword.at[10] ?? 0)).toBeGreaterThan(0.08);
  });
});

describe('the word vectors', () => {
  it('find more evidence in other words on the held-out part, and lose none of the double questions', () => {
    const [vectors, fused] = [recall('fused, word vectors'), recall('fused')];
    expect(vectors.at[10]).toBeGreaterThan((fused.at[10] ?? 1) + 0.02);
    expect(vectors.byKind['multi']).toBeGreaterThanOrEqual(fused.byKind['multi'] ?? 1);
  });
});

describe('the confidence', () => {
  it('tells questions with evidence from those without on the held-out part', () => {
    expect(evaluateConfidence('held-out')).toBeGreaterThan(0.75);
  });
});
