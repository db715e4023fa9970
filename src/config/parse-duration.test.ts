import { expect, it } from 'vitest';
import { parseDuration } from './parse-duration.ts';

it('parses hours, days and weeks', () => {
  expect(parseDuration('12h')).toBe(43_200_000);
  expect(parseDuration('90d')).toBe(90 * 86_400_000);
  expect(parseDuration('6w')).toBe(42 * 86_400_000);
});

it.each(['90', '', '0d', '-3d', '1.5d', '1m', '90 d', '90days', '9999999d', 'forever'])(
  'rejects “%s”',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);
