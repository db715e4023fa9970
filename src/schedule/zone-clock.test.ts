import { describe, expect, it } from 'vitest';
import { checkZone, formatInZone, zoneClock } from './zone-clock.ts';

const at = (text: string): number => Date.parse(text);

describe('checkZone', () => {
  it('normalizes the capitals of a zone', () => {
    expect(checkZone('europe/berlin')).toBe('Europe/Berlin');
    expect(checkZone('utc')).toBe('UTC');
  });

  it('accepts names that the machine does not list', () => {
    expect(checkZone('Etc/GMT+5')).toBe('Etc/GMT+5');
  });

  it.each([
    ['Europe/Belrin', 'Europe/Berlin'],
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['America/Sao_Paolo', 'America/Sao_Paulo'],
  ])('suggests the nearest zone for %s', (zone, nearest) => {
    expect(() => checkZone(zone)).toThrow(
      expect.objectContaining({ code: 'schedule.unknown_zone', data: { zone, nearest } }) as Error,
    );
  });

  it.each(['', '+02:00', '../etc', 'Nowhere/At_All_In_The_World'])('rejects %s', (zone) => {
    expect(() => checkZone(zone)).toThrow(/is not a time zone. Use an IANA name like/);
  });
});

describe('ZoneClock', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 60, 120],
    ['America/New_York', '2026-11-01T06:00:00Z', -240, -300],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', 630, 660],
    ['America/St_Johns', '2026-03-08T05:30:00Z', -210, -150],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', -600, 840],
    ['Africa/Cairo', '2026-04-23T22:00:00Z', 120, 180],
  ])('finds the clock change of %s', (zone, moment, before, after) => {
    const clock = zoneClock(zone);
    const change = { at: at(moment), before: before * 60_000, after: after * 60_000 };
    expect(clock.firstChange(at(moment) - 86_400_000, at(moment))).toEqual(change);
    expect(clock.firstChange(at(moment), at(moment) + 86_400_000)).toBeUndefined();
    expect(clock.offsetAt(at(moment) - 1)).toBe(change.before);
    expect(clock.offsetAt(at(moment))).toBe(change.after);
  });

  it('detects readings that occur for the second time', () => {
    const clock = zoneClock('Europe/Berlin');
    expect(clock.repeatedBy(at('2026-10-25T00:59:59Z'))).toBe(0);
    expect(clock.repeatedBy(at('2026-10-25T01:00:00Z'))).toBe(3_600_000);
    expect(clock.repeatedBy(at('2026-10-25T01:59:59Z'))).toBe(3_600_000);
    expect(clock.repeatedBy(at('2026-10-25T02:00:00Z'))).toBe(0);
  });
});

describe('formatInZone', () => {
  it('formats the wall clock with its offset', () => {
    expect(formatInZone(at('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toBe('2026-03-29T03:00:00+02:00');
    expect(formatInZone(at('2026-01-01T00:00:00Z'), 'America/St_Johns')).toBe('2025-12-31T20:30:00-03:30');
    expect(formatInZone(at('2026-01-01T00:00:00Z'), 'UTC')).toBe('2026-01-01T00:00:00+00:00');
  });
});
