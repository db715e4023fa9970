import { RowReader } from './row-reader.ts';

/** Who wrote untrusted content, and where. */
export interface TaintedContent {
  readonly run: string;
  readonly step: number;
  /** Undefined if the record of it was erased. */
  readonly path?: string;
}

/** Finds untrusted content in the tables of `contentProjection`. */
export class SqliteContentRecords extends RowReader {
  withDigest(digest: string): TaintedContent | undefined {
    const [row] = this.rows('SELECT run, step, path FROM tainted_content WHERE digest = ?', digest);
    if (row === undefined) return undefined;
    const { run, step, path } = row as { run: string; step: number; path: string | null };
    return { run, step, ...(path === null ? {} : { path }) };
  }

  /** The writer of a file that changed at this time, if too many files changed then to list them. */
  changedAt(at: number): TaintedContent | undefined {
    const sql = 'SELECT run, step FROM tainted_intervals WHERE from_at <= ?1 AND until_at >= ?1 LIMIT 1';
    return this.rows(sql, at)[0] as TaintedContent | undefined;
  }

  hasIntervals(): boolean {
    return this.rows('SELECT 1 FROM tainted_intervals LIMIT 1').length > 0;
  }

  /** Whether a run wrote this content to this path with a tool. */
  isWritten(path: string, digest: string): boolean {
    return (
      this.rows('SELECT 1 FROM artifacts WHERE digest = ? AND name = ? LIMIT 1', digest, path).length > 0
    );
  }
}
