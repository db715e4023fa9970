import { type RunFilter, type RunSummary, toRunSummary } from '../../engine/index.ts';
import { RowReader } from './row-reader.ts';
import { runQuery } from './run-store.ts';

/** Finds simulated runs in their folded table. */
export class SqlSimulationStore extends RowReader {
  async list(filter: RunFilter): Promise<readonly RunSummary[]> {
    return (await this.rows(...runQuery('simulations', filter, this.dialect))).map(toRunSummary);
  }

  /** The runs of each tree that was recorded until then, tree by tree. */
  async recordedUntil(at: number): Promise<readonly (readonly string[])[]> {
    const sql = 'SELECT root, id FROM simulations WHERE recorded_at <= ? ORDER BY recorded_at, root, id';
    const trees = new Map<string, string[]>();
    for (const { root, id } of await this.rows(sql, at)) {
      const tree = trees.get(root as string);
      if (tree) tree.push(id as string);
      else trees.set(root as string, [id as string]);
    }
    return [...trees.values()];
  }
}
