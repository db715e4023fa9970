import { type GraphStateStore, type StateValue, toStateValue } from '../../graph/index.ts';
import type { Row } from '../../ledger/index.ts';
import type { Database } from './driver.ts';
import { translateSqliteError } from './sqlite-error.ts';

/** Finds the state of graphs in the folded tables. */
export class SqliteGraphStateStore implements GraphStateStore {
  readonly #database: Database;
  readonly #file: string;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  async get(graph: string, key: string): Promise<StateValue | undefined> {
    return this.#values('SELECT * FROM graph_state WHERE graph = ? AND key = ?', graph, key)[0];
  }

  async list(graph: string): Promise<readonly StateValue[]> {
    return this.#values('SELECT * FROM graph_state WHERE graph = ? ORDER BY key', graph);
  }

  async history(graph: string, key: string, limit: number): Promise<readonly StateValue[]> {
    const sql = `SELECT * FROM graph_state_history
      WHERE graph = ? AND key = ? AND value IS NOT NULL ORDER BY idx DESC LIMIT ?`;
    return this.#values(sql, graph, key, limit);
  }

  #values(sql: string, ...given: readonly (string | number)[]): StateValue[] {
    try {
      const rows = this.#database.prepare(sql).all(...given) as Row[];
      return rows.map(toStateValue).filter((value) => value !== undefined);
    } catch (error) {
      throw translateSqliteError(error, this.#file);
    }
  }
}
