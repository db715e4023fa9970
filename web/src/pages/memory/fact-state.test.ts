import { expect, test } from 'vitest';
import { factState, runOfSource } from './fact-state.ts';

test('a replaced fact is replaced even if it has expired too', () => {
  expect(factState({ supersededBy: 'other', expiresAt: 1 }, 2)).toBe('superseded');
});

test('a fact expires at its time', () => {
  expect(factState({ expiresAt: 2 }, 1)).toBe('valid');
  expect(factState({ expiresAt: 2 }, 2)).toBe('expired');
});

test('a fact whose file has changed is stale', () => {
  expect(factState({ stale: true }, 0)).toBe('stale');
});

test('a source names a run only as the runtime writes it', () => {
  expect(runOfSource('run 01ja0000000000000000000000')).toBe('01ja0000000000000000000000');
  expect(runOfSource('chat')).toBeUndefined();
  expect(runOfSource('run away')).toBeUndefined();
  expect(runOfSource(undefined)).toBeUndefined();
});
