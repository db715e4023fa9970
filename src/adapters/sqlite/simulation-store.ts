import { type RunFilter, type RunSummary, toRunSummary } from '../../engine/index.ts';
import { RowReader } from './row-reader.ts';

/** Finds simulated runs in their folded table. */
export class SqliteSimulationStore extends RowReader {
  async list(filter: Pick<RunFilter, 'status' | 'subject' | 'limit'>): Promise<readonly RunSummary[]> {
    const { status = null, subject = null, limit = -1 } = filter;
    const sql = `SELECT * FROM simulations WHERE (?1 IS NULL OR status = ?1) AND (?2 IS NULL OR subject = ?2)
      ORDER BY started_at DESC, id DESC LIMIT ?3`;
    return this.rows(sql, status, subject, limit).map(toRunSummary);
  }

  /** The runs of each tree that was recorded until then, tree by tree. */
  async recordedUntil(at: number): Promise<readonly (readonly string[])[]> {
    const sql = 'SELECT root, id FROM simulations WHERE recorded_at <= ? ORDER BY recorded_at, root, id';
    const trees = new Map<string, string[]>();
    for (const { root, id } of this.rows(sql, at)) {
      const tree = trees.get(root as string);
      if (tree) tree.push(id as string);
      else trees.set(root as string, [id as string]);
    }
    return [...trees.values()];
  }
}
