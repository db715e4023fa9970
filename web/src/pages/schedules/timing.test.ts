import { expect, test } from 'vitest';
import { cronOf, FIRST_TIMING, HOURS, MINUTES } from './timing.ts';

test.each([
  [{ kind: 'minutes', minutes: '15' }, '*/15 * * * *'],
  [{ kind: 'minutes', minutes: '1' }, '* * * * *'],
  [{ kind: 'hours', hours: '1' }, '0 * * * *'],
  [{ kind: 'hours', hours: '6' }, '0 */6 * * *'],
  [{ kind: 'daily', time: '07:05' }, '5 7 * * *'],
  [{ kind: 'weekdays', time: '00:00' }, '0 0 * * MON-FRI'],
  [{ kind: 'weekly', time: '18:30', weekday: 'Sunday' }, '30 18 * * SUN'],
  [{ kind: 'cron', cron: ' 0 9 1 * * ' }, '0 9 1 * *'],
  [{ kind: 'change' }, ''],
  [{ kind: 'daily', time: '' }, ''],
] as const)('%o is %s', (choice, cron) => {
  expect(cronOf({ ...FIRST_TIMING, ...choice })).toBe(cron);
});

test('distances divide the hour and the day', () => {
  expect(MINUTES.every((minutes) => 60 % minutes === 0)).toBe(true);
  expect(HOURS.every((hours) => 24 % hours === 0)).toBe(true);
});
