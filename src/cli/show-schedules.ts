import type { ScheduleItem } from '../api/index.ts';
import { showTime, table } from './format.ts';
import { visible } from './printer.ts';

const MINUTE_MS = 60_000;

export function showSchedule({ schedule }: { readonly schedule: ScheduleItem }): string {
  return showSchedules({ schedules: [schedule] });
}

export function showSchedules({ schedules }: { readonly schedules: readonly ScheduleItem[] }): string {
  if (schedules.length === 0)
    return 'No schedules yet. Add one with: oka graph schedule add <graph> "0 9 * * *"';
  const rows = schedules.map((item) => [
    item.id,
    visible(item.graph),
    visible(item.cron ?? `change of ${item.onChange === '' ? '.' : item.onChange}`),
    item.zone ?? '',
    item.lastFiredAt === undefined ? 'never' : showInZone(item.lastFiredAt, item.zone ?? 'UTC'),
    showNext(item),
    showSkipped(item),
  ]);
  return table(['schedule', 'graph', 'when', 'zone', 'fired last', 'next', 'skipped last'], rows);
}

/** A time near now on this machine's clock: "07:00", and with its day if it is not today. */
export function nextLocalTime(at: number, now: number): string {
  const time = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' }).format(at);
  const day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' });
  return day.format(at) === day.format(now) ? time : `${day.format(at)} ${time}`;
}

function showNext({ enabled, onChange, next, zone = 'UTC', problem }: ScheduleItem): string {
  if (!enabled) return 'off';
  if (problem !== undefined) return visible(`never: ${problem.message}`);
  if (onChange !== undefined) return 'on change';
  return next.length === 0 ? 'never' : next.map((at) => showInZone(at, zone)).join(', ');
}

function showSkipped({ lastSkipped, zone = 'UTC' }: ScheduleItem): string {
  if (lastSkipped === undefined) return '';
  const { plannedAt, until, count, more, why, failure } = lastSkipped;
  const reason = failure?.message ?? failure?.code;
  const because = visible(reason === undefined ? why : `${why}: ${reason}`);
  if (count === 1) return `${showInZone(plannedAt, zone)} (${because})`;
  const times = `${count}${more ? '+' : ''} times`;
  return `${times}, ${showInZone(plannedAt, zone)} to ${showInZone(until, zone)} (${because})`;
}

function showInZone(at: number, zone: string): string {
  try {
    const style = { dateStyle: 'short', timeStyle: at % MINUTE_MS === 0 ? 'short' : 'medium' } as const;
    // The Swedish format is close to ISO 8601.
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...style }).format(at);
  } catch {
    // This machine does not know the zone.
    return `${showTime(at)} UTC`;
  }
}
