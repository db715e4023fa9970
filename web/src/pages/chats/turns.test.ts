import { expect, test } from 'vitest';
import { liveTurns, stoppedTexts, type Turn, turnTree } from './turns.ts';

const turn = (id: string, more: Partial<Turn> = {}): Turn => ({
  ...{ id, message: 1, agent: 'anton', depth: 1, chain: 'talk/1', status: 'done', attempts: 1 },
  ...{ tokens: 0, costUsd: 0, from: 'user' },
  ...more,
});

test('the tree has a turn below the one whose answer mentioned its agent', () => {
  const tree = turnTree([turn('a'), turn('b', { parent: 'a' }), turn('c', { parent: 'gone' })]);
  expect(tree.map(({ turn: { id }, children }) => [id, children.map((child) => child.turn.id)])).toEqual([
    ['a', ['b']],
    ['c', []],
  ]);
});

test('a turn is live while it is open, and then until its message arrives', () => {
  const texts = new Map([['r', { text: 'Hello', isWhole: true }]]);
  const done = turn('a', { run: 'r' });
  expect(liveTurns([turn('q', { status: 'queued' }), done], [], texts).map(({ id }) => id)).toEqual([
    'q',
    'a',
  ]);
  expect(liveTurns([done], [{ turn: 'a' }], texts)).toEqual([]);
  expect(liveTurns([done], [], new Map())).toEqual([]);
  expect(liveTurns([turn('c', { status: 'claimed', run: 'r' })], [{ turn: 'c' }], texts)).toEqual([]);
});

test('the text of a stopped turn stays with the message that it answered', () => {
  const texts = new Map([['r', { text: 'On and', isWhole: true }]]);
  const stopped = stoppedTexts([turn('a', { status: 'dropped', run: 'r', message: 4 }), turn('b')], texts);
  expect(stopped.get(4)?.map(({ agent, text }) => [agent, text])).toEqual([['anton', 'On and']]);
  expect(stopped.size).toBe(1);
});
