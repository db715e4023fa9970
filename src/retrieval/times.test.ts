import { describe, expect, it } from 'vitest';
import { mentionsTime, nearness, spansIn } from './times.ts';

const WEDNESDAY = Date.UTC(2024, 4, 15, 12);
const DAY_MS = 86_400_000;

function daysIn(text: string): [string, string][] {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  return spansIn(text, WEDNESDAY).map(({ from, to }) => [day(from), day(to)]);
}

describe('spansIn', () => {
  it.each([
    ['on 2023-07-04', '2023-07-04', '2023-07-04'],
    ['on 7 May 2023', '2023-05-07', '2023-05-07'],
    ['on the 3rd of June, 2023', '2023-06-03', '2023-06-03'],
    ['on March 9th', '2024-03-09', '2024-03-09'],
    ['in October', '2023-10-01', '2023-10-31'],
    ['in February 2024', '2024-02-01', '2024-02-29'],
    ['in 2022', '2022-01-01', '2022-12-31'],
    ['yesterday', '2024-05-14', '2024-05-15'],
    ['last Friday', '2024-05-10', '2024-05-11'],
  ])('reads "%s"', (text, from, to) => {
    expect(daysIn(text)).toEqual([[from, to]]);
  });

  it('reads "two weeks ago" and "next month" as spans around those days', () => {
    const [past] = spansIn('two weeks ago', WEDNESDAY);
    expect(past?.from).toBeLessThan(WEDNESDAY - 14 * DAY_MS);
    expect(past?.to).toBeGreaterThan(WEDNESDAY - 14 * DAY_MS);
    expect(spansIn('next month', WEDNESDAY)[0]?.from).toBeGreaterThan(WEDNESDAY);
  });

  it('does not read the verb may or other words as dates', () => {
    expect(spansIn('you may march on, 12 times', WEDNESDAY)).toEqual([]);
  });
});

describe('mentionsTime', () => {
  it.each(['since last summer', 'for three years', 'we met in 2019', 'on Tuesday'])(
    'finds a time in "%s"',
    (text) => {
      expect(mentionsTime(text)).toBe(true);
    },
  );

  it('finds none in a text without times', () => {
    expect(mentionsTime('I love the colour of that door')).toBe(false);
  });
});

describe('nearness', () => {
  it('is 1 for overlapping spans and falls to 0 at the reach', () => {
    const span = { from: 0, to: 10 };
    expect(nearness(span, { from: 5, to: 20 }, 10)).toBe(1);
    expect(nearness(span, { from: 15, to: 20 }, 10)).toBe(0.5);
    expect(nearness(span, { from: 30, to: 40 }, 10)).toBe(0);
  });
});
