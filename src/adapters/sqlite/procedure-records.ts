import {
  type GoalRun,
  type GoalRuns,
  type LearnedProcedure,
  type ProcedureRecords,
  toLearnedProcedure,
} from '../../memory/index.ts';
import type { Database } from './driver.ts';
import { RowReader } from './row-reader.ts';

/** Finds learned procedures, and the goals they are learned from, in the folded tables. */
export class SqliteProcedureRecords implements ProcedureRecords, GoalRuns {
  readonly #rows: RowReader;

  constructor(database: Database, file: string) {
    this.#rows = new RowReader(database, file);
  }

  async get(id: string): Promise<LearnedProcedure | undefined> {
    return this.#rows.all('SELECT * FROM procedures WHERE id = ?', id).map(toLearnedProcedure)[0];
  }

  async all(): Promise<readonly LearnedProcedure[]> {
    return this.#rows.all('SELECT * FROM procedures ORDER BY proposed_at, id').map(toLearnedProcedure);
  }

  async finished(limit: number): Promise<readonly GoalRun[]> {
    const sql = `SELECT id, goal, started_at FROM runs
      WHERE parent IS NULL AND kind IN ('agent', 'assistant') AND ended_at IS NOT NULL AND goal IS NOT NULL
      ORDER BY started_at DESC, id DESC LIMIT ?`;
    return this.#rows.all(sql, limit).map((row) => ({
      id: row['id'] as string,
      goal: row['goal'] as string,
      startedAt: row['started_at'] as number,
    }));
  }

  async members(run: string): Promise<readonly string[]> {
    return this.#rows
      .all('SELECT id FROM runs WHERE root = ? ORDER BY started_at, id', run)
      .map(({ id }) => id as string);
  }

  async erased(runs: readonly string[]): Promise<readonly string[]> {
    const sql = 'SELECT id FROM runs WHERE goal IS NULL AND id IN (SELECT value FROM json_each(?))';
    return this.#rows.all(sql, JSON.stringify(runs)).map(({ id }) => id as string);
  }
}
