import {
  type GoalRun,
  type GoalRuns,
  type LearnedProcedure,
  type ProcedureRecords,
  toLearnedProcedure,
} from '../../memory/index.ts';
import { RowReader } from './row-reader.ts';

/** Finds learned procedures, and the goals they are learned from, in the folded tables. */
export class SqlProcedureRecords extends RowReader implements ProcedureRecords, GoalRuns {
  async get(id: string): Promise<LearnedProcedure | undefined> {
    return (await this.rows('SELECT * FROM procedures WHERE id = ?', id)).map(toLearnedProcedure)[0];
  }

  async all(): Promise<readonly LearnedProcedure[]> {
    return (await this.rows('SELECT * FROM procedures ORDER BY proposed_at, id')).map(toLearnedProcedure);
  }

  async finished(limit: number): Promise<readonly GoalRun[]> {
    const sql = `SELECT id, goal, started_at FROM runs
      WHERE parent IS NULL AND kind IN ('agent', 'assistant') AND ended_at IS NOT NULL AND goal IS NOT NULL
      ORDER BY started_at DESC, id DESC LIMIT ?`;
    return (await this.rows(sql, limit)).map((row) => ({
      id: row['id'] as string,
      goal: row['goal'] as string,
      startedAt: row['started_at'] as number,
    }));
  }

  async members(run: string): Promise<readonly string[]> {
    return (await this.rows('SELECT id FROM runs WHERE root = ? ORDER BY started_at, id', run)).map(
      ({ id }) => id as string,
    );
  }

  async erased(runs: readonly string[]): Promise<readonly string[]> {
    const sql = `SELECT id FROM runs WHERE goal IS NULL AND id IN (${this.dialect.listed('?')})`;
    return (await this.rows(sql, JSON.stringify(runs))).map(({ id }) => id as string);
  }
}
