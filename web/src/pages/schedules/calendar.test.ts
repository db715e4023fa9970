import { expect, test } from 'vitest';
import type { ScheduleItem } from '../../api/types.ts';
import { byDay, clockOf, dayOf, dayTitle, monthOf } from './calendar.ts';

const schedule = (id: string): ScheduleItem => ({ id }) as ScheduleItem;
const at = (...parts: [number, number, number, number, number]): number => new Date(...parts).getTime();

test('firings of one schedule on one day are together, in the order of the first one', () => {
  const early = at(2026, 10, 17, 7, 0);
  const days = byDay([
    { schedule: schedule('b'), at: at(2026, 10, 17, 9, 0) },
    { schedule: schedule('a'), at: at(2026, 10, 17, 10, 0) },
    { schedule: schedule('a'), at: early },
    { schedule: schedule('a'), at: at(2026, 10, 18, 7, 0) },
  ]);
  expect([...days.keys()]).toEqual(['2026-11-17', '2026-11-18']);
  expect(days.get('2026-11-17')?.map(({ schedule: { id }, times }) => [id, times.length])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(days.get('2026-11-17')?.[0]?.times[0]).toBe(early);
});

test('a month has whole weeks from Monday', () => {
  const { name, title, weeks, from, until } = monthOf('2026-11', 0);
  expect([name, title]).toEqual(['2026-11', 'November 2026']);
  // The 1st of November 2026 is a Sunday.
  expect(weeks[0]).toEqual([...Array(6).fill(undefined), '2026-11-01']);
  expect(weeks.at(-1)?.[0]).toBe('2026-11-30');
  expect(weeks.every((week) => week.length === 7)).toBe(true);
  expect([dayOf(from), dayOf(until)]).toEqual(['2026-11-01', '2026-12-01']);
});

test('the month after December is in the next year, and an invalid name is the current month', () => {
  expect(monthOf('2026-12', 0, 1).name).toBe('2027-01');
  expect(monthOf('soon', at(2026, 1, 3, 0, 0)).name).toBe('2026-02');
});

test('days near today have words', () => {
  const now = at(2026, 10, 17, 23, 59);
  expect(dayTitle('2026-11-17', now)).toBe('Today');
  expect(dayTitle('2026-11-18', now)).toBe('Tomorrow');
  expect(dayTitle('2026-11-20', now)).toBe('Friday, 2026-11-20');
  expect(clockOf(now)).toBe('23:59');
});
