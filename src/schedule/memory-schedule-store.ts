import type { MemoryTables } from '../ledger/index.ts';
import type { ScheduleStore } from './ports.ts';
import { toFiring, toSchedule } from './schedule-rows.ts';
import type { Firing, Schedule } from './types.ts';

/** Finds schedules in in-memory tables. */
export class MemoryScheduleStore implements ScheduleStore {
  readonly #tables: MemoryTables;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  async list(): Promise<readonly Schedule[]> {
    return this.#tables
      .rows('schedules')
      .map(toSchedule)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async get(schedule: string): Promise<Schedule | undefined> {
    const row = this.#tables.get('schedules', { id: schedule });
    return row && toSchedule(row);
  }

  async firings(schedule: string, limit: number): Promise<readonly Firing[]> {
    return this.#tables
      .rows('schedule_firings')
      .filter((row) => row['schedule'] === schedule)
      .sort((a, b) => (b['idx'] as number) - (a['idx'] as number))
      .slice(0, limit)
      .map(toFiring);
  }

  async lastSkipped(schedule: string): Promise<Firing | undefined> {
    const all = await this.firings(schedule, Number.POSITIVE_INFINITY);
    return all.find(({ status }) => status === 'skipped');
  }

  async firing(firing: string): Promise<Firing | undefined> {
    const row = this.#tables.get('schedule_firings', { id: firing });
    return row && toFiring(row);
  }
}
