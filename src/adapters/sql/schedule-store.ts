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
}
