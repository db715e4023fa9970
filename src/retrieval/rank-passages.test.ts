import { describe, expect, it } from 'vitest';
import { rankHits, type ScoredCandidate } from '../../test/support/rank-hits.ts';
import { rankPassages } from './rank-passages.ts';
import { passageOf, readText } from './read-passage.ts';
import { readQuery } from './read-query.ts';

const NOW = Date.UTC(2024, 4, 15);
const DAY_MS = 86_400_000;

function turn(
  order: number,
  speaker: string,
  text: string,
  more: Partial<ScoredCandidate> = {},
): ScoredCandidate {
  return { id: `t${order}`, text, speaker, conversation: 'c', order, at: NOW, kind: 'episode', ...more };
}

const TALK = [
  turn(1, 'Ada', 'Good morning Ben!'),
  turn(2, 'Ben', 'Morning. Which instrument did you choose?'),
  turn(3, 'Ada', 'The big one. It barely fits through the door.'),
  turn(7, 'Ben', 'The soup is on the stove.'),
  turn(8, 'Ada', 'Lovely, I am starving.'),
];

const first = (query: string, candidates: readonly ScoredCandidate[]): string | undefined =>
  rankHits(query, candidates, { now: NOW })[0]?.id;

describe('rankPassages', () => {
  it('adds the score of a question to its answer', () => {
    expect(first('What instrument did Ada choose?', TALK)).toBe('t3');
  });

  it('does not share scores across conversations', () => {
    const apart = TALK.map((candidate) =>
      candidate.id === 't3' ? { ...candidate, conversation: 'other' } : candidate,
    );
    expect(first('What instrument did Ada choose?', apart)).not.toBe('t3');
  });

  it('prefers texts of the named person over greetings that name them', () => {
    const talk = [turn(1, 'Ben', 'Ada, Ada, the garden!'), turn(9, 'Ada', 'My garden has roses.')];
    expect(first('What is in the garden of Ada?', talk)).toBe('t9');
  });

  it('gives common question words less weight', () => {
    const talk = [
      turn(1, 'Ben', 'I like its new name.'),
      turn(9, 'Ben', 'A greyhound is asleep on my sofa.'),
    ];
    expect(first('What is the name of the new greyhound?', talk)).toBe('t9');
  });

  it('reads the speaker from the front of a text', () => {
    const talk = [turn(1, 'x', 'Ben: my car is red'), turn(9, 'x', 'Ada: my car is red')].map(
      ({ speaker: _, ...candidate }) => candidate,
    );
    expect(first('What colour is the car of Ada?', talk)).toBe('t9');
  });

  it('finds related words and reports them', () => {
    const [hit] = rankHits('Which vehicle?', [
      turn(1, 'Ada', 'I sold the van.'),
      turn(9, 'Ada', 'I sold the house.'),
    ]);
    expect(hit).toMatchObject({ id: 't1', terms: ['van'] });
    expect(hit?.why.map(({ part }) => part)).toContain('related');
  });

  it('prefers texts near the time that a query names, also for relative times in texts', () => {
    const talk = [
      turn(1, 'Ada', 'We went swimming.', { at: Date.UTC(2024, 0, 20) }),
      turn(9, 'Ada', 'We went swimming two months ago.', { at: Date.UTC(2024, 4, 2) }),
      turn(20, 'Ada', 'We went swimming.', { at: Date.UTC(2023, 7, 2) }),
    ];
    expect(first('When was the swimming in January?', talk)).toBe('t1');
    expect(first('What about swimming in March?', talk)).toBe('t9');
    expect(first('What about swimming in August 2023?', talk)).toBe('t20');
  });

  it('prefers texts with the requested kind of answer', () => {
    const talk = [
      turn(1, 'Ada', 'I met a bear once more, honestly.'),
      turn(9, 'Ada', 'I met a bear in Canada, honestly.'),
    ];
    expect(first('Where did Ada meet the bear?', talk)).toBe('t9');
  });

  it('ranks important and newer texts first among equals', () => {
    const same = 'the door code is 4711';
    const facts = [
      turn(1, 'Ada', same, { at: NOW - 90 * DAY_MS }),
      turn(9, 'Ada', same, { at: NOW - 90 * DAY_MS, importance: 1 }),
      turn(20, 'Ada', same),
    ];
    expect(rankHits('door code', facts, { now: NOW }).map(({ id }) => id)).toEqual(['t9', 't20', 't1']);
  });

  it('explains each score by parts that add up to it', () => {
    for (const hit of rankHits('What instrument did Ada choose last week?', TALK, { now: NOW }))
      expect(hit.why.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(hit.score, 10);
  });

  it('adds the similarity from an embedder', () => {
    const embedding = (id: string): number => (id === 't7' ? 1 : 0);
    const [hit] = rankHits('something hot to eat', TALK, { embedding });
    expect(hit?.id).toBe('t7');
    expect(hit?.why.map(({ part }) => part)).toContain('embedding');
  });

  it('orders equals by the score of the store, then by id, up to the limit', () => {
    const talk = ['b', 'a', 'c'].map((id) => ({
      id,
      text: 'alike',
      at: 0,
      kind: 'fact' as const,
      score: id === 'c' ? 1 : 0,
    }));
    expect(rankHits('alike', talk, { limit: 2 }).map(({ id }) => id)).toEqual(['c', 'a']);
  });

  it('keeps matches of the store that the ranking scores 0', () => {
    const [hit] = rankHits('what about it', [
      turn(1, 'Ada', 'What about it?', { score: 2 }),
      turn(9, 'Ada', 'No.'),
    ]);
    expect(hit?.id).toBe('t1');
  });

  it('returns nothing for no candidates', () => {
    expect(rankHits('anything', [])).toEqual([]);
    expect(rankHits('', TALK)).toEqual([]);
    expect(rankHits('zebra', TALK, { now: NOW })).toEqual([]);
  });
});

describe('the similarity of vectors', () => {
  const talk = [
    turn(1, 'Ada', 'My garden has roses.', { importance: 1 }),
    turn(2, 'Ben', 'The soup is on the stove.', { importance: 1 }),
  ];
  const partsOf = (options: Parameters<typeof rankHits>[2]) =>
    new Map(
      rankHits('What is in the garden of Ada?', talk, { now: NOW, ...options }).map(({ id, why }) => [
        id,
        new Map(why.map(({ part, score }) => [part, score])),
      ]),
    );

  it('is added last, so that no other part grows with it', () => {
    const without = partsOf({});
    const withVectors = partsOf({ wordLikeness: () => () => 1 });
    for (const id of ['t1', 't2']) {
      const { embedding, ...others } = Object.fromEntries(withVectors.get(id) ?? []);
      expect(embedding).toBeGreaterThan(0);
      expect(others).toEqual(Object.fromEntries(without.get(id) ?? []));
    }
  });

  it('has a small weight, and that of an embedder follows from its quality', () => {
    const alone = talk.map(({ conversation: _, order: __, ...one }) => one);
    const shareOf = (options: Parameters<typeof rankHits>[2]) =>
      rankHits('garden', alone, options)[0]?.why.find(({ part }) => part === 'embedding')?.score;
    expect(shareOf({ wordLikeness: () => () => 1 })).toBeCloseTo(0.1);
    expect(shareOf({ embedding: () => 1, embeddingWeight: 0.3 })).toBeCloseTo(0.3);
    expect(
      shareOf({ embedding: () => undefined, embeddingWeight: 0.3, wordLikeness: () => () => 1 }),
    ).toBeCloseTo(0.1);
  });

  it('leaves the names of speakers out', () => {
    const asked: string[][] = [];
    const wordLikeness = (terms: readonly string[]) => {
      asked.push([...terms]);
      return undefined;
    };
    rankHits('What is in the garden of Ada?', talk, { now: NOW, wordLikeness });
    expect(asked).toEqual([['garden']]);
  });
});

describe('the confidence', () => {
  const confidence = (query: string) => {
    const passages = TALK.map((one) => passageOf(one, readText(one.text ?? '', one.speaker)));
    return rankPassages(
      readQuery(query),
      passages,
      passages.map(() => 0),
      {},
    ).confidence;
  };

  it('is high for a question with evidence, low for one without, and 0 without a hit', () => {
    expect(confidence('What soup is on the stove?')).toBeGreaterThan(0.7);
    expect(confidence('Which airline lost the luggage from the stove?')).toBeLessThan(0.5);
    expect(confidence('Which airline lost the luggage?')).toBe(0);
  });
});
