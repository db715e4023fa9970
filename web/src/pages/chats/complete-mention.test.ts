import { expect, test } from 'vitest';
import { findMention, insertMention } from './complete-mention.ts';

const agents = ['anton', 'anna', 'berta'];

test('an @ and the start of a name offer the agents with that start', () => {
  expect(findMention('ask @an', 7, agents)).toEqual({ at: 4, found: ['anton', 'anna'] });
  expect(findMention('@', 1, agents)?.found).toEqual(agents);
});

test('mail addresses and other words offer nothing', () => {
  expect(findMention('a@an', 4, agents)).toBeUndefined();
  expect(findMention('@anton now', 10, agents)).toBeUndefined();
  expect(findMention('@zoe', 4, agents)).toBeUndefined();
});

test('a chosen name replaces what was typed', () => {
  expect(insertMention('ask @an about it', { at: 4 }, 7, 'anton')).toEqual({
    text: 'ask @anton about it',
    caret: 11,
  });
});
