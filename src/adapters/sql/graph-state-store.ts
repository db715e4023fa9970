import { type GraphStateStore, type StateValue, toStateValue } from '../../graph/index.ts';
import { RowReader } from './row-reader.ts';

/** Finds the state of graphs in the folded tables. */
export class SqlGraphStateStore extends RowReader implements GraphStateStore {
  async get(graph: string, key: string): Promise<StateValue | undefined> {
    return (await this.#values('SELECT * FROM graph_state WHERE graph = ? AND key = ?', graph, key))[0];
  }

  async list(graph: string): Promise<readonly StateValue[]> {
    return this.#values('SELECT * FROM graph_state WHERE graph = ? ORDER BY key', graph);
  }

  async history(graph: string, key: string, limit: number): Promise<readonly StateValue[]> {
    const sql = `SELECT * FROM graph_state_history
      WHERE graph = ? AND key = ? AND value IS NOT NULL ORDER BY idx DESC LIMIT ?`;
    return this.#values(sql, graph, key, limit);
  }

  async #values(sql: string, ...values: readonly (string | number)[]): Promise<StateValue[]> {
    return (await this.rows(sql, ...values)).flatMap((row) => toStateValue(row) ?? []);
  }
}
