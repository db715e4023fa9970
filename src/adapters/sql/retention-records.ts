import { type FinishedTree, MAINTENANCE, type RetentionRecords } from '../../assistant/index.ts';
import {
  type CleanupReason,
  type EventAddress,
  namedAddresses,
  type Row,
  SYSTEM_STREAM,
} from '../../ledger/index.ts';
import { memoryStream } from '../../memory/index.ts';
import { RowReader } from './row-reader.ts';

const REASON: CleanupReason = 'retention';

/** A scheduled run, and every run that continues it, has the ID of the firing as its origin. */
const IS_SCHEDULED = 'EXISTS (SELECT 1 FROM schedule_firings f WHERE f.id = r.origin)';

/** Finds expired data in the folded tables, and what still depends on it. */
export class SqlRetentionRecords extends RowReader implements RetentionRecords {
  async finishedTrees(endedUntil: number): Promise<readonly FinishedTree[]> {
    const sql = `WITH trees AS (SELECT root, max(ended_at) AS ended_at FROM runs GROUP BY root
        HAVING count(*) = count(ended_at) AND max(ended_at) <= ?)
      SELECT r.id, r.kind, trees.ended_at, CASE WHEN ${IS_SCHEDULED} THEN 1 ELSE 0 END AS scheduled
      FROM trees JOIN runs r ON r.id = trees.root ORDER BY trees.ended_at, r.id`;
    return (await this.rows(sql, endedUntil)).map((row) => ({
      root: row['id'] as string,
      kind: row['kind'] as string,
      endedAt: row['ended_at'] as number,
      scheduled: row['scheduled'] === 1,
    }));
  }

  async neededRoots(now: number): Promise<readonly string[]> {
    const { eachIn, member } = this.dialect;
    const sql = `WITH named (run) AS (
        SELECT substr(source, 5) FROM facts
          WHERE lower(substr(source, 1, 4)) IN ('run/', 'run ') AND superseded_by IS NULL AND (expires_at IS NULL OR expires_at > ?1)
        UNION SELECT j.value FROM procedures p, ${eachIn('p.precedents', 'j')} WHERE p.status IN ('candidate', 'promoted')
        UNION SELECT j.value FROM procedures p, ${eachIn('p.evidence', 'j', 'with.runs')}
          WHERE p.status IN ('candidate', 'promoted')
        UNION SELECT j.value FROM procedures p, ${eachIn('p.evidence', 'j', 'without.runs')}
          WHERE p.status IN ('candidate', 'promoted')
        UNION SELECT run FROM notifications WHERE status IN ('queued', 'claimed') AND run IS NOT NULL
        UNION SELECT ${member('e.data', 'run')} FROM streams s
          JOIN events e ON e.stream_id = s.id AND e.idx = (SELECT max(idx) FROM events WHERE stream_id = s.id)
          WHERE s.name >= 'effect/' AND s.name < 'effect0' AND e.type = 'effect.claimed')
      SELECT DISTINCT runs.root AS root FROM named JOIN runs ON runs.id = named.run`;
    return (await this.rows(sql, now)).map(({ root }) => root as string);
  }

  async newestRoots(count: number): Promise<readonly string[]> {
    if (count === 0) return [];
    const newest = (condition: string): Promise<Row[]> =>
      this.rows(
        `SELECT r.id FROM runs r WHERE r.id = r.root AND r.kind <> ? AND ${condition}
           ORDER BY r.started_at DESC, r.id DESC LIMIT ?`,
        MAINTENANCE,
        count,
      );
    const found = [...(await newest(`NOT ${IS_SCHEDULED}`)), ...(await newest(IS_SCHEDULED))];
    return found.map(({ id }) => id as string);
  }

  async continuations(): Promise<readonly (readonly [string, string])[]> {
    const forkedFrom = this.dialect.member('e.data', 'lineage.forkedFrom.run');
    const sql = `WITH links (later, earlier) AS (
        SELECT root, resumed_from FROM runs WHERE resumed_from IS NOT NULL
        UNION SELECT r.root, ${forkedFrom} FROM runs r
          JOIN streams s ON s.name = 'run/' || r.id JOIN events e ON e.stream_id = s.id AND e.idx = 0
          WHERE r.id = r.root AND ${forkedFrom} IS NOT NULL)
      SELECT links.later, runs.root AS earlier FROM links JOIN runs ON runs.id = links.earlier`;
    return (await this.rows(sql)).map(({ later, earlier }) => [later as string, earlier as string]);
  }

  /** Excludes conversations, whose messages have their own retention. */
  async oldEpisodes(until: number): Promise<readonly EventAddress[]> {
    const sql = `SELECT p.namespace, p.idx FROM episodes p JOIN streams s ON s.name = ?2 || p.namespace
        JOIN events e ON e.stream_id = s.id AND e.idx = p.idx
      WHERE p.at <= ?1 AND p.part = 0 AND e.at <= ?1 AND e.type = 'episode.recorded' ORDER BY e.seq`;
    return (await this.rows(sql, until, memoryStream(''))).map((row) => ({
      stream: memoryStream(row['namespace'] as string),
      index: row['idx'] as number,
    }));
  }

  async removedSinceMark(): Promise<{ readonly runs: number; readonly episodes: number }> {
    const sql = `SELECT e.type, e.data FROM streams s JOIN events e ON e.stream_id = s.id
      WHERE s.name = ? AND e.seq > coalesce((SELECT through FROM maintenance_marks WHERE name = 'retained'), 0)
        AND e.actor = ? AND ${this.dialect.member('e.data', 'reason')} = ?`;
    let [runs, episodes] = [0, 0];
    for (const row of await this.rows(sql, SYSTEM_STREAM, MAINTENANCE, REASON)) {
      const data = JSON.parse(row['data'] as string);
      if (row['type'] === 'body.erased') episodes += namedAddresses(data).length;
      else if (String(data.stream).startsWith('run/')) runs += 1;
    }
    return { runs, episodes };
  }
}
