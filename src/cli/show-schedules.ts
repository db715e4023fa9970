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

export function showNextFirings(schedules: readonly ScheduleItem[]): string {
  const rows = schedules.map((item) => [
    item.id,
    showNext({ ...item, next: item.next.slice(0, 1) }),
    showSkipped(item),
  ]);
  return table(['schedule', 'next', 'skipped last'], rows);
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
