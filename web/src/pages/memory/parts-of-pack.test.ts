import { expect, test } from 'vitest';
import { partsOfPack } from './parts-of-pack.ts';

test('tokens add up by kind, and a kind of which all was dropped is listed', () => {
  const items = [
    { kind: 'fact', id: 'a', tokens: 3, score: 1, text: 'a' },
    { kind: 'fact', id: 'b', tokens: 4, score: 1, text: 'b' },
    { kind: 'task', id: 'c', tokens: 9, score: 1, text: 'c' },
  ];
  const dropped = [{ kind: 'episode', id: 'd', tokens: 5, score: 1, why: 'cap' as const }];
  expect(partsOfPack({ items, dropped, tokens: 20 })).toEqual([
    { kind: 'task', items: 1, tokens: 9, dropped: 0 },
    { kind: 'fact', items: 2, tokens: 7, dropped: 0 },
    { kind: 'episode', items: 0, tokens: 0, dropped: 1 },
    { kind: 'headings', items: 0, tokens: 4, dropped: 0 },
  ]);
});
