import { RowReader } from './row-reader.ts';

/** The tables of labels, with the column that has the digest. */
const LABELS = {
  contents: 'tainted_content.digest',
  paths: 'tainted_paths.path',
  names: 'tainted_names.name',
} as const;

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

  /** The writer of a path that stays untrusted, unless this trusted content was there before. */
  async atPath(path: string, digest: string): Promise<TaintedContent | undefined> {
    const sql = `SELECT run, step FROM tainted_paths t WHERE path = ?1 AND NOT EXISTS
      (SELECT 1 FROM trusted_versions v WHERE v.path = t.path AND v.digest = ?2)`;
    return (await this.rows(sql, path, digest))[0] as TaintedContent | undefined;
  }

  /** Whether anything of the workspace is untrusted. */
  async hasAny(): Promise<boolean> {
    for (const table of ['tainted_content', 'tainted_paths', 'tainted_names', 'tainted_intervals'])
      if ((await this.rows(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0) return true;
    return false;
  }

  async hasNames(): Promise<boolean> {
    return (await this.rows('SELECT 1 FROM tainted_names LIMIT 1')).length > 0;
  }

  /** The writers of those of these names that are untrusted, by the digest of the name. */
  async withNames(digests: readonly string[]): Promise<ReadonlyMap<string, TaintedContent>> {
    const sql = `SELECT name, run, step FROM tainted_names WHERE name IN (${this.dialect.listed('?')})`;
    const rows = (await this.rows(sql, JSON.stringify(digests))) as unknown as (TaintedContent & {
      readonly name: string;
    })[];
    return new Map(rows.map(({ name, run, step }) => [name, { run, step }]));
  }

  /** Those of these digests that have a label. */
  async labelled(kind: keyof typeof LABELS, digests: readonly string[]): Promise<readonly string[]> {
    if (digests.length === 0) return [];
    const [table, column] = LABELS[kind].split('.');
    const sql = `SELECT ${column} AS digest FROM ${table} WHERE ${column} IN (${this.dialect.listed('?')}) ORDER BY 1`;
    return (await this.rows(sql, JSON.stringify(digests))).map(({ digest }) => digest as string);
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
