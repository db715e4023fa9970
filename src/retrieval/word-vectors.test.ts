import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { comparison, meanDirection } from './centre.ts';
import { passageOf, readText } from './read-passage.ts';
import { termsOf } from './terms.ts';
import { WordSense } from './word-sense.ts';
import { WordVectors } from './word-vectors.ts';

const bytes = readFileSync(new URL('../../data/word-vectors/words.bin', import.meta.url));
const sense = new WordSense(new WordVectors(bytes));

function likeness(query: string, text: string, others: readonly string[] = []): number {
  const passage = passageOf({ id: 't', text, at: 0, kind: 'episode' }, readText(text));
  return sense.likeness(termsOf(query), sense.mean(others.map((one) => readText(one).terms)))?.(passage) ?? 0;
}

describe('the word vectors', () => {
  it('find words of the same meaning similar, in any form', () => {
    expect(likeness('truck', 'a car')).toBeGreaterThan(likeness('truck', 'a poem') + 0.2);
    expect(likeness('painting', 'he painted')).toBeCloseTo(1);
  });

  it('know nothing of texts without known words', () => {
    expect(likeness('zqxv', 'a car')).toBe(0);
    expect(likeness('car', 'zqxv')).toBe(0);
  });

  it('stay below 2.4 MB, and a file that is cut or of another format is rejected', () => {
    expect(bytes.length).toBeLessThan(2_400_000);
    expect(() => new WordVectors(bytes.subarray(0, bytes.length - 1))).toThrow('incomplete');
    expect(() => new WordVectors(bytes.subarray(1))).toThrow('another format');
  });
});

describe('centring', () => {
  const shared = Array.from({ length: 64 }, (_, i) => Float32Array.from([0.98, i % 2 === 0 ? 0.2 : -0.2]));

  it('removes what all texts have in common', () => {
    const [one, other] = shared as [Float32Array, Float32Array];
    expect(comparison(one, undefined)(other)).toBeGreaterThan(0.9);
    const compare = comparison(one, meanDirection(shared));
    expect(compare(other)).toBeLessThan(0.5);
    expect(compare(one)).toBeCloseTo(1, 1);
  });

  it('subtracts little while there are few texts', () => {
    const [one] = shared as [Float32Array];
    expect(comparison(one, meanDirection([one]))(one)).toBeCloseTo(1, 1);
    expect(meanDirection([])).toBeUndefined();
  });

  it('lets texts about the subject of a whole namespace look less alike', () => {
    const talk = Array.from({ length: 60 }, (_, i) => `the football match number ${i}`);
    const [near, far] = ['the football match', 'a football injury'];
    const raw = likeness('football injury', near) / likeness('football injury', far);
    const centred = likeness('football injury', near, talk) / likeness('football injury', far, talk);
    expect(centred).toBeLessThan(raw);
  });
});
