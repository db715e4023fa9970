import { describe, expect, it } from 'vitest';
import { rootOf, termsOf } from './terms.ts';

describe('termsOf', () => {
  it('drops possessives, contractions, accents and stop words', () => {
    expect(termsOf("Zoë's cello wasn't in the café, it’s Anna's")).toEqual(['zoe', 'cello', 'cafe', 'anna']);
  });

  it('keeps numbers and names', () => {
    expect(termsOf('Room 42 for Owen')).toEqual(['room', '42', 'owen']);
  });

  it.each([
    ['bought', 'buy'],
    ['went', 'goes'],
    ['paintings', 'painted'],
    ['adopted', 'adoption'],
    ['celebration', 'celebrated'],
    ['tried', 'try'],
    ['children', 'child'],
    ['running', 'ran'],
    ['happy', 'happiness'],
  ])('brings %s and %s to the same root', (one, other) => {
    expect(rootOf(one)).toBe(rootOf(other));
  });

  it('separates words that only look alike', () => {
    expect(rootOf('policy')).not.toBe(rootOf('police'));
    expect(rootOf('daily')).not.toBe(rootOf('day'));
  });
});
