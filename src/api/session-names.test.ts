import { expect, test } from 'vitest';
import type { ConversationItem } from './chat-api.ts';
import { nextSession, sessionsOf } from './session-names.ts';

const conversation = (name: string, createdAt: number, lastAt?: number): ConversationItem => ({
  name,
  paused: false,
  agents: [],
  messages: 0,
  createdAt,
  open: 0,
  ...(lastAt === undefined ? {} : { lastAt }),
});

const SOME = [
  conversation('garden', 1),
  conversation('anton-1', 2, 90),
  conversation('anton-12', 3, 50),
  conversation('anton-2', 60),
  conversation('anton-x', 5),
  conversation('anton-02', 5),
  conversation('ada-7', 6),
];

test('lists the numbered conversations of an agent, most recently used first', () => {
  expect(sessionsOf('anton', SOME).map(({ name }) => name)).toEqual(['anton-1', 'anton-2', 'anton-12']);
});

test('gives a new session the next number', () => {
  expect(nextSession('anton', SOME)).toBe('anton-13');
  expect(nextSession('arya', SOME)).toBe('arya-1');
});
