import { RowReader } from './row-reader.ts';

/** Who wrote untrusted content, and where. */
export interface TaintedContent {
  readonly run: string;
  readonly step: number;
  /** Undefined if the record of it was erased. */
  readonly path?: string;
}

/** Finds untrusted content in the tables of `contentProjection`. */
export class SqlContentRecords extends RowReader {
  async withDigest(digest: string): Promise<TaintedContent | undefined> {
    const [row] = await this.rows('SELECT run, step, path FROM tainted_content WHERE digest = ?', digest);
    if (row === undefined) return undefined;
    const { run, step, path } = row as { run: string; step: number; path: string | null };
    return { run, step, ...(path === null ? {} : { path }) };
  }

  /** The writer of a file that changed at this time, if too many files changed then to list them. */
  async changedAt(at: number): Promise<TaintedContent | undefined> {
    const sql = 'SELECT run, step FROM tainted_intervals WHERE from_at <= ?1 AND until_at >= ?1 LIMIT 1';
    return (await this.rows(sql, at))[0] as TaintedContent | undefined;
  }

  async hasIntervals(): Promise<boolean> {
    return (await this.rows('SELECT 1 FROM tainted_intervals LIMIT 1')).length > 0;
  }

  /** Whether a run wrote this content to this path with a tool. */
  async isWritten(path: string, digest: string): Promise<boolean> {
    return (
      (await this.rows('SELECT 1 FROM artifacts WHERE digest = ? AND name = ? LIMIT 1', digest, path))
        .length > 0
    );
  }
}
