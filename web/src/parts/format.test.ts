import { expect, test } from 'vitest';
import {
  formatBytes,
  formatDuration,
  formatExact,
  formatMoney,
  formatRelative,
  formatTokens,
  plural,
  shortId,
} from './format.ts';

test.each([
  [0, '0 ms'],
  [850, '850 ms'],
  [4_230, '4.2 s'],
  [59_900, '59 s'],
  [192_000, '3 min 12 s'],
  [120_000, '2 min'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
  [-5, '0 ms'],
])('%i ms lasts %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

test.each([
  [1_000, 'just now'],
  [12_000, '12 s ago'],
  [180_000, '3 min ago'],
  [-32_400_000, 'in 9 h'],
  [5 * 86_400_000, '5 d ago'],
])('%i ms before now is shown as %s', (ago, text) => expect(formatRelative(1e12 - ago, 1e12)).toBe(text));

test.each([
  [0, '$0.00'],
  [12.345, '$12.35'],
  [0.5, '$0.50'],
  [0.0842, '$0.084'],
  [0.0021, '$0.0021'],
  [0.00001, '<$0.0001'],
])('%d dollars are shown as %s', (usd, text) => expect(formatMoney(usd)).toBe(text));

test('tokens and bytes are rounded to what can be compared', () => {
  expect([980, 9_214, 1_400_000].map(formatTokens)).toEqual(['980', '9.2k', '1.4M']);
  expect([512, 3_500, 12_582_912].map(formatBytes)).toEqual(['512 B', '3.4 KB', '12 MB']);
});

test('an exact time is written with the largest unit first', () => {
  expect(formatExact(new Date(2026, 10, 7, 9, 4, 5).getTime())).toBe('2026-11-07 09:04:05');
});

test('an id is shown by its end and a name stays whole', () => {
  expect(shortId('01kgx0v6y8n4c5d6e7f8g9h0jk')).toBe('g9h0jk');
  expect(shortId('nightly-brief')).toBe('nightly-brief');
});

test('a count has the right form of its noun', () => {
  expect([plural(1, 'run'), plural(1_200, 'run')]).toEqual(['1 run', '1,200 runs']);
});
