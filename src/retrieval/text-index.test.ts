import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextIndex } from './text-index.ts';

function indexOf(documents: Readonly<Record<string, string>>): TextIndex {
  const index = new TextIndex();
  for (const [id, text] of Object.entries(documents)) index.add(id, { text });
  return index;
}

describe('TextIndex', () => {
  it('finds documents by any form of their words and reports the matching stems', () => {
    const index = indexOf({ read: 'reads a file', list: 'lists files in folders', wait: 'waits' });
    expect(index.search('listing the folder', 5)).toMatchObject([{ id: 'list', terms: ['list', 'folder'] }]);
    expect(index.search('file', 5).map((hit) => hit.id)).toEqual(['read', 'list']);
  });

  it('counts rare words more than common ones', () => {
    const index = indexOf({ a: 'common rare', b: 'common other', c: 'common thing' });
    expect(index.search('common rare', 1)[0]?.id).toBe('a');
  });

  it('counts words by the weight of their field', () => {
    const index = new TextIndex({ name: 3 });
    index.add('by-description', { name: 'alpha', description: 'write' });
    index.add('by-name', { name: 'write', description: 'alpha' });
    expect(index.search('write', 2).map((hit) => hit.id)).toEqual(['by-name', 'by-description']);
  });

  it('orders ties by id, up to the limit', () => {
    const index = indexOf({ c: 'same', a: 'same', b: 'same' });
    expect(index.search('same', 2).map((hit) => hit.id)).toEqual(['a', 'b']);
  });

  it('returns nothing for an empty query, an empty index or unknown words', () => {
    expect(new TextIndex().search('x', 5)).toEqual([]);
    expect(indexOf({ a: 'b' }).search('', 5)).toEqual([]);
    expect(indexOf({ a: 'b' }).search('c', 5)).toEqual([]);
  });

  it('replaces a document completely', () => {
    const replaced = indexOf({ a: 'old words here', b: 'other' });
    replaced.add('a', { text: 'new' });
    expect(replaced.search('old', 5)).toEqual([]);
    expect(replaced.search('new other', 5)).toEqual(indexOf({ b: 'other', a: 'new' }).search('new other', 5));
  });

  it('does not depend on the order in which documents were added', () => {
    const documents = fc.uniqueArray(fc.record({ id: fc.string(), text: fc.lorem() }), {
      selector: (d) => d.id,
      maxLength: 12,
    });
    fc.assert(
      fc.property(documents, fc.lorem({ maxCount: 3 }), (list, query) => {
        const [one, other] = [new TextIndex(), new TextIndex()];
        for (const { id, text } of list) one.add(id, { text });
        for (const { id, text } of [...list].reverse()) other.add(id, { text });
        expect(other.search(query, 50)).toEqual(one.search(query, 50));
      }),
    );
  });
});
