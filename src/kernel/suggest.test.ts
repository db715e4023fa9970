import { describe, expect, it } from 'vitest';
import { createSuggester, nearestName } from './suggest.ts';

describe('nearestName', () => {
  it.each([
    ['fetch', 'fetch'],
    ['fecth', 'fetch'],
    ['FETCH', 'fetch'],
    ['fetchh', 'fetch'],
    ['repotr', 'report'],
    ['a', undefined],
    ['something else', undefined],
    ['', undefined],
    ['x'.repeat(1_000), undefined],
  ])('gives for %s the nearest name', (name, nearest) => {
    expect(nearestName(name, ['report', 'fetch', 'finish'])).toBe(nearest);
  });

  it('suggests the only name with that prefix', () => {
    const names = ['nightly-brief', 'link-checker', 'link-counter'];
    expect(nearestName('night', names)).toBe('nightly-brief');
    expect(nearestName('link', names)).toBeUndefined();
    expect(nearestName('ni', names)).toBeUndefined();
  });

  it('prefers fewer edits', () => {
    expect(nearestName('node_1', ['node_22', 'node_2', 'code_2'])).toBe('node_2');
  });
});

describe('createSuggester', () => {
  it('gives up after wrong names use up its work budget', () => {
    const names = createSuggester(Array.from({ length: 20_000 }, (_, at) => `a-rather-long-name-${at}`));
    const asked = Array.from({ length: 200 }, (_, at) => names.nearest(`b-rather-long-name-${at}x`));
    expect(asked[0]).toBeDefined();
    expect(asked.at(-1)).toBeUndefined();
  });
});
