import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCron } from './cron.ts';
import { dueOccurrences, nextFirings } from './occurrences.ts';
import type { DstPolicy } from './types.ts';
import { formatInZone, zoneClock } from './zone-clock.ts';

const DAY_MS = 86_400_000;

/** The firings after `start`, formatted in the zone. */
function firings(
  cron: string,
  zone: string,
  start: string,
  count: number,
  dst: DstPolicy = 'run_after',
): string[] {
  return nextFirings(cron, zone, Date.parse(start), count, dst).map((at) => formatInZone(at, zone));
}

describe('a time of day inside a DST gap', () => {
  it.each([
    [
      'Europe/Berlin',
      '30 2 * * *',
      '2026-03-28T12:00Z',
      '2026-03-29T03:00:00+02:00',
      '2026-03-30T02:30:00+02:00',
    ],
    [
      'America/New_York',
      '15 2 * * *',
      '2026-03-07T12:00Z',
      '2026-03-08T03:00:00-04:00',
      '2026-03-09T02:15:00-04:00',
    ],
    [
      'Australia/Lord_Howe',
      '15 2 * * *',
      '2026-10-03T00:00Z',
      '2026-10-04T02:30:00+11:00',
      '2026-10-05T02:15:00+11:00',
    ],
    [
      'America/Sao_Paulo',
      '0 0 * * *',
      '2018-11-03T12:00Z',
      '2018-11-04T01:00:00-02:00',
      '2018-11-05T00:00:00-02:00',
    ],
    [
      'Africa/Cairo',
      '30 0 * * *',
      '2026-04-23T12:00Z',
      '2026-04-24T01:00:00+03:00',
      '2026-04-25T00:30:00+03:00',
    ],
    [
      'Pacific/Apia',
      '0 12 * * *',
      '2011-12-30T00:00Z',
      '2011-12-31T00:00:00+14:00',
      '2011-12-31T12:00:00+14:00',
    ],
    [
      'America/St_Johns',
      '1 2 * * *',
      '2026-03-07T12:00Z',
      '2026-03-08T03:00:00-02:30',
      '2026-03-09T02:01:00-02:30',
    ],
    [
      'Asia/Tehran',
      '30 0 * * *',
      '2022-03-21T12:00Z',
      '2022-03-22T01:00:00+04:30',
      '2022-03-23T00:30:00+04:30',
    ],
  ])('runs right after the gap in %s, or not at all', (zone, cron, start, after, next) => {
    expect(firings(cron, zone, start, 2)).toEqual([after, next]);
    expect(firings(cron, zone, start, 1, 'skip')).toEqual([next]);
  });

  it('runs once for several times inside the gap', () => {
    const start = '2026-03-29T00:00Z';
    expect(firings('*/20 2 * * *', 'Europe/Berlin', start, 2)).toEqual([
      '2026-03-29T03:00:00+02:00',
      '2026-03-30T02:00:00+02:00',
    ]);
  });

  it('runs once if the end of the gap also matches', () => {
    expect(firings('0 2,3 * * *', 'Europe/Berlin', '2026-03-29T00:00Z', 2)).toEqual([
      '2026-03-29T03:00:00+02:00',
      '2026-03-30T02:00:00+02:00',
    ]);
    const due = dueOccurrences(
      { cron: '0 2,3 * * *', zone: 'Europe/Berlin' },
      'skip',
      Date.parse('2026-03-29T00:00Z'),
      Date.parse('2026-03-29T02:00Z'),
    );
    const jump = Date.parse('2026-03-29T01:00Z');
    expect(due.latest).toEqual([{ at: jump, jumped: 1, skipped: true }, { at: jump }]);
  });

  it('is found from any time before the gap, and not after it', () => {
    const jump = Date.parse('2026-03-29T01:00Z');
    for (const before of [1, 1_000, 60_000, 86_400_000 - 1])
      expect(nextFirings('30 2 29 3 *', 'Europe/Berlin', jump - before, 1)).toEqual([jump]);
    expect(nextFirings('30 2 29 3 *', 'Europe/Berlin', jump, 1)).toEqual([Date.parse('2027-03-29T00:30Z')]);
  });
});

describe('a time of day that occurs twice', () => {
  it.each([
    [
      'Europe/Berlin',
      '30 2 * * *',
      '2026-10-24T12:00Z',
      '2026-10-25T02:30:00+02:00',
      '2026-10-26T02:30:00+01:00',
    ],
    [
      'America/New_York',
      '30 1 * * *',
      '2026-10-31T12:00Z',
      '2026-11-01T01:30:00-04:00',
      '2026-11-02T01:30:00-05:00',
    ],
    [
      'Australia/Lord_Howe',
      '45 1 * * *',
      '2026-04-04T00:00Z',
      '2026-04-05T01:45:00+11:00',
      '2026-04-06T01:45:00+10:30',
    ],
    [
      'America/Sao_Paulo',
      '30 23 * * *',
      '2018-02-17T12:00Z',
      '2018-02-17T23:30:00-02:00',
      '2018-02-18T23:30:00-03:00',
    ],
    [
      'Africa/Cairo',
      '0 23 * * *',
      '2026-10-29T12:00Z',
      '2026-10-29T23:00:00+03:00',
      '2026-10-30T23:00:00+02:00',
    ],
    [
      'America/St_Johns',
      '59 1 * * *',
      '2026-10-31T12:00Z',
      '2026-11-01T01:59:00-02:30',
      '2026-11-02T01:59:00-03:30',
    ],
  ])('runs only the first time in %s', (zone, cron, start, first, next) => {
    for (const dst of ['run_after', 'skip'] as const)
      expect(firings(cron, zone, start, 2, dst)).toEqual([first, next]);
  });

  it('does not run when searched from between the two', () => {
    expect(firings('30 2 * * *', 'Europe/Berlin', '2026-10-25T00:45Z', 1)).toEqual([
      '2026-10-26T02:30:00+01:00',
    ]);
    expect(firings('30 2 * * *', 'Europe/Berlin', '2026-10-25T01:15Z', 1)).toEqual([
      '2026-10-26T02:30:00+01:00',
    ]);
  });

  it('runs once for each of several hours', () => {
    expect(firings('30 1,2,3 * * *', 'Europe/Berlin', '2026-10-24T22:00Z', 3)).toEqual([
      '2026-10-25T01:30:00+02:00',
      '2026-10-25T02:30:00+02:00',
      '2026-10-25T03:30:00+01:00',
    ]);
  });
});

describe('an expression that matches every hour', () => {
  it.each([
    ['Europe/Berlin', 2026],
    ['America/New_York', 2026],
    ['America/Sao_Paulo', 2018],
    ['America/St_Johns', 2011],
    ['Africa/Cairo', 2010],
    ['Pacific/Apia', 2011],
  ] as const)('keeps its real-time rhythm in %s around each change of the clock in %i', (zone, year) => {
    const clock = zoneClock(zone);
    const days = Array.from({ length: 366 }, (_, day) => Date.UTC(year, 0, 1 + day));
    const changes = days.filter((day) => clock.offsetAt(day) !== clock.offsetAt(day + DAY_MS));
    expect(changes.length).toBeGreaterThanOrEqual(2);
    for (const day of changes)
      for (const [cron, periodMs] of [
        ['*/15 * * * *', 900_000],
        ['5 * * * *', 3_600_000],
      ] as const) {
        const all = nextFirings(cron, zone, day - DAY_MS, (3 * DAY_MS) / periodMs);
        const steps = new Set(all.slice(1).map((at, place) => at - (all[place] as number)));
        expect([...steps]).toEqual([periodMs]);
      }
  });

  it('fires once in every wall-clock hour if the clock changes by half an hour', () => {
    expect(firings('45 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:00Z', 3)).toEqual([
      '2026-04-05T01:45:00+11:00',
      '2026-04-05T02:45:00+10:30',
      '2026-04-05T03:45:00+10:30',
    ]);
    expect(firings('15 * * * *', 'Australia/Lord_Howe', '2026-10-03T14:00Z', 3)).toEqual([
      '2026-10-04T01:15:00+10:30',
      '2026-10-04T02:30:00+11:00',
      '2026-10-04T03:15:00+11:00',
    ]);
  });

  it('keeps a rhythm that divides half an hour if the clock changes by half an hour', () => {
    for (const start of [Date.UTC(2026, 3, 4), Date.UTC(2026, 9, 3)]) {
      const all = nextFirings('*/10 * * * *', 'Australia/Lord_Howe', start, 6 * 48);
      const steps = new Set(all.slice(1).map((at, place) => at - (all[place] as number)));
      expect([...steps]).toEqual([600_000]);
    }
  });
});

describe('nextFirings', () => {
  it('returns the requested number of firings', () => {
    expect(nextFirings('@daily', 'UTC', 0, 0)).toEqual([]);
    expect(nextFirings('@daily', 'UTC', 0, 3)).toEqual([1, 2, 3].map((day) => day * 86_400_000));
  });

  it('starts after the given time, even within a second', () => {
    expect(nextFirings('* * * * * *', 'UTC', 999, 1)).toEqual([1_000]);
    expect(nextFirings('* * * * * *', 'UTC', 1_000, 1)).toEqual([2_000]);
    expect(nextFirings('* * * * * *', 'UTC', 1_001, 1)).toEqual([2_000]);
  });

  it('finds firings that are years away', () => {
    expect(firings('0 9 29 2 +MON', 'Europe/Berlin', '2026-01-01T00:00Z', 2)).toEqual([
      '2044-02-29T09:00:00+01:00',
      '2072-02-29T09:00:00+01:00',
    ]);
  });

  it('does not depend on the start of the search', () => {
    const zone = fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Cairo');
    const cron = fc.constantFrom(
      '*/20 * * * *',
      '30 2 * * *',
      '15,45 1-3 * * *',
      '0 0,23 * * *',
      '10 */2 * * MON,SUN',
    );
    const year = fc.constantFrom(2011, 2024, 2026);
    const day = fc.integer({ min: 0, max: 364 });
    fc.assert(
      fc.property(zone, cron, year, day, (where, expression, inYear, from) => {
        const start = Date.UTC(inYear, 0, 1) + from * 86_400_000;
        const all = nextFirings(expression, where, start, 40);
        for (const place of [0, 7, 21])
          expect(nextFirings(expression, where, all[place] as number, 5)).toEqual(
            all.slice(place + 1, place + 6),
          );
      }),
      { numRuns: 100 },
    );
  });

  it('agrees with a minute-by-minute reading of the wall clock', () => {
    const scene = fc.constantFrom(
      ['Europe/Berlin', '2026-03-28T22:00Z'],
      ['Europe/Berlin', '2026-10-24T22:00Z'],
      ['Australia/Lord_Howe', '2026-10-03T12:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T12:00Z'],
      ['America/Sao_Paulo', '2018-11-04T00:00Z'],
      ['America/Sao_Paulo', '2018-02-17T22:00Z'],
      ['America/St_Johns', '2026-11-01T02:00Z'],
      ['Africa/Cairo', '2026-04-23T20:00Z'],
      ['Pacific/Apia', '2011-12-30T08:00Z'],
    );
    const minutes = fc.constantFrom('0', '30', '45', '*/10', '5,35', '*/7', '15');
    const hours = fc.constantFrom('*', '*/2', '0-3', '1,2', '23,0,1', '2', '12');
    const policy = fc.constantFrom<DstPolicy>('run_after', 'skip');
    fc.assert(
      fc.property(scene, minutes, hours, policy, ([zone, start], minute, hour, dst) => {
        const cron = `${minute} ${hour} * * *`;
        const from = Date.parse(start as string);
        const until = from + 8 * 3_600_000;
        const found = nextFirings(cron, zone as string, from, 500, dst).filter((at) => at <= until);
        expect(found).toEqual(readEveryMinute(cron, zone as string, { from, until, dst }));
      }),
      { numRuns: 40 },
    );
  });
});

/** Reference implementation: applies the documented rules to every minute. */
function readEveryMinute(
  cron: string,
  zone: string,
  stretch: { from: number; until: number; dst: DstPolicy },
): number[] {
  const expression = parseCron(cron);
  const clock = zoneClock(zone);
  const matches = (wall: number): boolean => expression.next(wall - 1_000) === wall;
  const found: number[] = [];
  const shown = new Set<number>();
  for (let at = stretch.from - 86_400_000; at < stretch.from; at += 60_000)
    shown.add(at + clock.offsetAt(at));
  for (let at = stretch.from; at <= stretch.until; at += 60_000) {
    const wall = at + clock.offsetAt(at);
    const moved = clock.offsetAt(at) - clock.offsetAt(at - 60_000);
    let runs = matches(wall);
    if (shown.has(wall)) {
      const back = clock.offsetAt(at - 86_400_000 / 2) - clock.offsetAt(at);
      runs &&= expression.everyHour && expression.minuteMatches(wall + back);
    }
    for (let lost = wall - moved; moved > 0 && lost < wall; lost += 60_000) {
      const made = !expression.everyHour || !expression.minuteMatches(lost + moved);
      if (matches(lost) && made && stretch.dst === 'run_after') runs = true;
    }
    shown.add(wall);
    if (runs && at > stretch.from) found.push(at);
  }
  return found;
}

describe('dueOccurrences', () => {
  const trigger = { cron: '* * * * * *', zone: 'Europe/Berlin' };

  it('returns a few occurrences one by one', () => {
    const due = dueOccurrences(trigger, 'run_after', 0, 3_500);
    expect(due).toEqual({ latest: [{ at: 1_000 }, { at: 2_000 }, { at: 3_000 }] });
  });

  it('counts the oldest of many', () => {
    const due = dueOccurrences(trigger, 'run_after', 0, 1_000_000);
    expect(due.earlier).toEqual({ first: 1_000, until: 800_000, count: 800, more: false });
    expect(due.latest.map(({ at }) => at)).toEqual(
      Array.from({ length: 200 }, (_, i) => 801_000 + i * 1_000),
    );
  });

  it('finds the newest of very many without visiting all of them', () => {
    const [from, until] = [Date.UTC(2020, 0, 1), Date.UTC(2026, 0, 1)];
    const due = dueOccurrences(trigger, 'run_after', from, until);
    expect(due.earlier).toEqual({ first: from + 1_000, until: until - 199_001, count: 10_000, more: true });
    expect(due.latest.at(-1)).toEqual({ at: until });
    expect(due.latest).toHaveLength(200);
  });

  it('finds the newest of very many just after a clock change', () => {
    for (const change of ['2026-03-29T01:00Z', '2026-10-25T01:00Z']) {
      const until = Date.parse(change) + 60_000;
      const due = dueOccurrences(trigger, 'run_after', Date.UTC(2026, 0, 1), until);
      expect(due.latest.map(({ at }) => at)).toEqual(
        Array.from({ length: 200 }, (_, i) => until - 199_000 + i * 1_000),
      );
    }
  });
});
