import { describe, expect, it } from 'vitest';
import { PassageIndex } from './passage-index.ts';
import type { Candidate } from './types.ts';

function turn(order: number, text: string, conversation = 'c'): Candidate {
  return {
    id: `${conversation}${order}`,
    text,
    conversation,
    order,
    at: Date.UTC(2024, order, 1),
    kind: 'episode',
  };
}

function indexOf(...turns: Candidate[]): PassageIndex {
  const index = new PassageIndex();
  for (const candidate of turns) index.add(candidate);
  return index;
}

describe('PassageIndex', () => {
  it('finds the turns around a hit although they share no word with the query', () => {
    const index = indexOf(
      turn(1, 'Which car is yours?'),
      turn(2, 'That one over there.'),
      turn(9, 'Soup tonight.'),
    );
    expect(
      index
        .search('car', { limit: 5 })
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['c1', 'c2']);
  });

  it('finds texts of a time that a query names although they share no word with it', () => {
    const index = indexOf(turn(1, 'Soup tonight.'), turn(6, 'Bread tonight.'));
    expect(index.search('anything in February 2024', { limit: 1, now: Date.UTC(2024, 8, 1) })[0]?.id).toBe(
      'c1',
    );
  });

  it('replaces and removes as if the old text had never been there', () => {
    const index = new PassageIndex({ vectors: false });
    for (let order = 0; order < 100; order += 1) index.add(turn(order, `old text ${order}`));
    index.add(turn(5, 'a new sentence'));
    for (let order = 10; order < 100; order += 1) index.remove(`c${order}`);
    const fresh = new PassageIndex({ vectors: false });
    for (let order = 0; order < 10; order += 1)
      fresh.add(turn(order, order === 5 ? 'a new sentence' : `old text ${order}`));
    expect(index.size).toBe(10);
    for (const query of ['old', 'new sentence', 'text 42', 'text 7'])
      expect(index.search(query, { limit: 20 })).toEqual(fresh.search(query, { limit: 20 }));
  });

  it('ignores the removal of what it does not hold', () => {
    const index = indexOf(turn(1, 'soup'));
    index.remove('nothing');
    expect(index.size).toBe(1);
  });

  it('answers the same with the same texts', () => {
    const texts = [turn(1, 'the boat sank'), turn(2, 'how sad'), turn(3, 'the ship sank too')];
    expect(indexOf(...texts).search('boat', { limit: 5 })).toEqual(
      indexOf(...texts).search('boat', { limit: 5 }),
    );
  });
});
