import { describe, expect, it } from 'vitest';
import { readSchedule } from './read-schedule.ts';

describe('readSchedule', () => {
  it.each([
    ['every weekday at 9:30 read a.md', '30 9 * * 1-5'],
    ['read a.md every day at 9', '0 9 * * *'],
    ['read a.md daily at 5 pm', '0 17 * * *'],
    ['at 12am every day read a.md', '0 0 * * *'],
    ['every day at noon read a.md', '0 12 * * *'],
    ['every morning read a.md', '0 8 * * *'],
    ['every evening at 19:45 read a.md', '45 19 * * *'],
    ['every monday and thursday at 18:00 read a.md', '0 18 * * 1,4'],
    ['on fridays read a.md', '0 9 * * 5'],
    ['on weekends read a.md', '0 9 * * 0,6'],
    ['weekly, read a.md', '0 9 * * 1'],
    ['every month on the 15th at 7:05 read a.md', '5 7 15 * *'],
    ['on the first day of every month read a.md', '0 9 1 * *'],
    ['every hour read a.md', '0 * * * *'],
    ['hourly read a.md', '0 * * * *'],
    ['every 15 minutes read a.md', '*/15 * * * *'],
    ['every minute read a.md', '* * * * *'],
    ['every two hours read a.md', '0 */2 * * *'],
  ])('reads %j as %s', (intent, cron) => {
    const { schedule, rest } = readSchedule(intent);
    expect(schedule?.cron).toBe(cron);
    expect(rest.trim()).toBe('read a.md');
  });

  it.each([
    'read every file',
    'read the weekly report',
    'write "every day at 9" to a.md',
    'fetch https://example.com/every day',
    'everyday things',
  ])('finds no time in %j', (intent) => {
    expect(readSchedule(intent)).toEqual({ rest: intent });
  });

  it.each([
    'every 7 minutes',
    'every 5 hours',
    'every day at 25',
    'every day at 13 pm',
    'every month on the 42nd',
  ])('refuses %j, which is not a regular time', (said) => {
    expect(readSchedule(`${said} read a.md`)).toMatchObject({ unclear: said });
  });
});
