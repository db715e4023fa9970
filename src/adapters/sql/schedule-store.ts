import { type RunSummary, toRunSummary } from '../../engine/index.ts';
import {
  type Firing,
  type Schedule,
  type ScheduleStore,
  toFiring,
  toSchedule,
} from '../../schedule/index.ts';
import { RowReader } from './row-reader.ts';

/** Finds schedules, their firings and their runs in the folded tables. */
export class SqlScheduleStore extends RowReader implements ScheduleStore {
  async list(): Promise<readonly Schedule[]> {
    return (await this.rows('SELECT * FROM schedules ORDER BY id')).map(toSchedule);
  }

  async get(schedule: string): Promise<Schedule | undefined> {
    return (await this.rows('SELECT * FROM schedules WHERE id = ?', schedule)).map(toSchedule)[0];
  }

  async firings(schedule: string, limit: number): Promise<readonly Firing[]> {
    const sql = 'SELECT * FROM schedule_firings WHERE schedule = ? ORDER BY idx DESC LIMIT ?';
    return (await this.rows(sql, schedule, limit)).map(toFiring);
  }

  async lastSkipped(schedule: string): Promise<Firing | undefined> {
    const sql =
      "SELECT * FROM schedule_firings WHERE schedule = ? AND status = 'skipped' ORDER BY idx DESC LIMIT 1";
    return (await this.rows(sql, schedule)).map(toFiring)[0];
  }

  async firing(firing: string): Promise<Firing | undefined> {
    return (await this.rows('SELECT * FROM schedule_firings WHERE id = ?', firing)).map(toFiring)[0];
  }

  /** Runs started by firings that are pending, running or waiting, oldest first; includes deleted schedules. */
  async openRuns(): Promise<readonly { readonly schedule: string; readonly run: RunSummary }[]> {
    const rows = await this.rows(
      `SELECT runs.*, schedule_firings.schedule AS schedule FROM runs
       JOIN schedule_firings ON schedule_firings.run = runs.id
       WHERE runs.status IN ('pending', 'running', 'waiting') ORDER BY runs.started_at, runs.id`,
    );
    return rows.map((row) => ({ schedule: row['schedule'] as string, run: toRunSummary(row) }));
  }
}
