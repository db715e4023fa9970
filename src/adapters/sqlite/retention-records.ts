import { type FinishedTree, MAINTENANCE, type RetentionRecords } from '../../assistant/index.ts';
import { type CleanupReason, type EventAddress, erasedAddresses, SYSTEM_STREAM } from '../../ledger/index.ts';
import { memoryStream } from '../../memory/index.ts';
import { RowReader } from './row-reader.ts';

const REASON: CleanupReason = 'retention';

/** A scheduled run, and every run that continues it, has the ID of the firing as its origin. */
const IS_SCHEDULED = 'EXISTS (SELECT 1 FROM schedule_firings f WHERE f.id = r.origin)';

/** Finds expired data in the folded tables, and what still depends on it. */
export class SqliteRetentionRecords extends RowReader implements RetentionRecords {
  async finishedTrees(endedUntil: number): Promise<readonly FinishedTree[]> {
    const sql = `WITH trees AS (SELECT root, max(ended_at) AS ended_at FROM runs GROUP BY root
        HAVING count(*) = count(ended_at) AND max(ended_at) <= ?)
      SELECT r.id, r.kind, trees.ended_at, ${IS_SCHEDULED} AS scheduled
      FROM trees JOIN runs r ON r.id = trees.root ORDER BY trees.ended_at, r.id`;
    return this.rows(sql, endedUntil).map((row) => ({
      root: row['id'] as string,
      kind: row['kind'] as string,
      endedAt: row['ended_at'] as number,
      scheduled: row['scheduled'] === 1,
    }));
  }

  async neededRoots(now: number): Promise<readonly string[]> {
    const sql = `WITH named (run) AS (
        SELECT substr(source, 5) FROM facts
          WHERE (source LIKE 'run/%' OR source LIKE 'run %') AND superseded_by IS NULL AND (expires_at IS NULL OR expires_at > ?1)
        UNION SELECT j.value FROM procedures p, json_each(p.precedents) j WHERE p.status IN ('candidate', 'promoted')
        UNION SELECT j.value FROM procedures p, json_each(p.evidence, '$.with.runs') j
          WHERE p.status IN ('candidate', 'promoted')
        UNION SELECT j.value FROM procedures p, json_each(p.evidence, '$.without.runs') j
          WHERE p.status IN ('candidate', 'promoted')
        UNION SELECT run FROM notifications WHERE status IN ('queued', 'claimed') AND run IS NOT NULL
        UNION SELECT json_extract(e.data, '$.run') FROM streams s
          JOIN events e ON e.stream_id = s.id AND e.idx = (SELECT max(idx) FROM events WHERE stream_id = s.id)
          WHERE s.name >= 'effect/' AND s.name < 'effect0' AND e.type = 'effect.claimed')
      SELECT DISTINCT runs.root AS root FROM named JOIN runs ON runs.id = named.run`;
    return this.rows(sql, now).map(({ root }) => root as string);
  }

  async newestRoots(count: number): Promise<readonly string[]> {
    if (count === 0) return [];
    const newest = (scheduled: 0 | 1): readonly string[] =>
      this.rows(
        `SELECT r.id FROM runs r WHERE r.id = r.root AND r.kind <> ? AND ${IS_SCHEDULED} = ?
           ORDER BY r.started_at DESC, r.id DESC LIMIT ?`,
        MAINTENANCE,
        scheduled,
        count,
      ).map(({ id }) => id as string);
    return [...newest(0), ...newest(1)];
  }

  async continuations(): Promise<readonly (readonly [string, string])[]> {
    const sql = `WITH links (later, earlier) AS (
        SELECT root, resumed_from FROM runs WHERE resumed_from IS NOT NULL
        UNION SELECT r.root, json_extract(e.data, '$.lineage.forkedFrom.run') FROM runs r
          JOIN streams s ON s.name = 'run/' || r.id JOIN events e ON e.stream_id = s.id AND e.idx = 0
          WHERE r.id = r.root AND json_extract(e.data, '$.lineage.forkedFrom.run') IS NOT NULL)
      SELECT links.later, runs.root AS earlier FROM links JOIN runs ON runs.id = links.earlier`;
    return this.rows(sql).map(({ later, earlier }) => [later as string, earlier as string]);
  }

  /** Excludes conversations, whose messages have their own retention. */
  async oldEpisodes(until: number): Promise<readonly EventAddress[]> {
    const sql = `SELECT p.namespace, p.idx FROM episodes p JOIN streams s ON s.name = ?2 || p.namespace
        JOIN events e ON e.stream_id = s.id AND e.idx = p.idx
      WHERE p.at <= ?1 AND p.part = 0 AND e.at <= ?1 AND e.type = 'episode.recorded' ORDER BY e.seq`;
    return this.rows(sql, until, memoryStream('')).map((row) => ({
      stream: memoryStream(row['namespace'] as string),
      index: row['idx'] as number,
    }));
  }

  async removedSinceMark(): Promise<{ readonly runs: number; readonly episodes: number }> {
    const sql = `SELECT e.type, e.data FROM streams s JOIN events e ON e.stream_id = s.id
      WHERE s.name = ? AND e.seq > coalesce((SELECT through FROM maintenance_marks WHERE name = 'retained'), 0)
        AND e.actor = ? AND json_extract(e.data, '$.reason') = ?`;
    let [runs, episodes] = [0, 0];
    for (const row of this.rows(sql, SYSTEM_STREAM, MAINTENANCE, REASON)) {
      const data = JSON.parse(row['data'] as string);
      if (row['type'] === 'body.erased') episodes += erasedAddresses(data).length;
      else if (String(data.stream).startsWith('run/')) runs += 1;
    }
    return { runs, episodes };
  }
}
