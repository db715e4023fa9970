import type { EpochMs } from '../../kernel/index.ts';
import type { Row } from '../../ledger/index.ts';
import {
  type DayRun,
  type DayRuns,
  type DaySummary,
  type Episode,
  type Fact,
  type FactChange,
  type FactFilter,
  type FactLikeness,
  type FactUses,
  type MemoryCounts,
  type MemoryRecords,
  type NewestConversation,
  type PruneFilter,
  type QuarantinedFact,
  type QuarantineFilter,
  toEpisodes,
  toFactChange,
  toFacts,
  toQuarantinedFact,
} from '../../memory/index.ts';
import { RowReader } from './row-reader.ts';

const LIVE = 'superseded_by IS NULL AND (expires_at IS NULL OR expires_at > ?)';
const MAX_ROWS = 2 ** 53 - 1;

/** Finds facts, episodes and the runs of a day in the folded tables. */
export class SqlMemoryRecords extends RowReader implements MemoryRecords, DayRuns {
  async fact(id: string): Promise<Fact | undefined> {
    return toFacts(await this.rows('SELECT * FROM facts WHERE id = ? ORDER BY part', id))[0];
  }

  async facts(filter: FactFilter): Promise<readonly Fact[]> {
    const { namespace = null, all = false, now, limit, newestFirst, text = null, after } = filter;
    const order = newestFirst ? 'at DESC, id DESC' : 'importance DESC, at DESC, id';
    const where = `(?1 IS NULL OR namespace = ?1) AND (?2 = 1 OR (superseded_by IS NULL AND
      (expires_at IS NULL OR expires_at > ?3))) AND (?4 IS NULL OR id IN
      (SELECT id FROM facts WHERE ${this.dialect.contains('lower(text)', 'lower(?4)')})) AND (?5 IS NULL OR (at, id) < (?5, ?6))`;
    const place = [after?.at ?? null, after?.id ?? null];
    const values = [namespace, all ? 1 : 0, now, text, ...place, Math.min(limit, MAX_ROWS)];
    return this.#page(where, order, values);
  }

  /** The first parts that meet the condition, joined with their other parts. */
  async #page(
    where: string,
    order: string,
    values: readonly (string | number | null)[],
  ): Promise<readonly Fact[]> {
    const sql = `SELECT * FROM facts WHERE part = 0 AND ${where} ORDER BY ${order} LIMIT ?${values.length}`;
    const first = await this.rows(sql, ...values);
    const ids = JSON.stringify(first.map(({ id }) => id as string));
    const more = `SELECT * FROM facts WHERE part > 0 AND id IN (${this.dialect.listed('?')}) ORDER BY part`;
    // Few facts are longer than one part.
    const hasLong = (await this.rows('SELECT 1 FROM facts WHERE part = 1 LIMIT 1')).length > 0;
    return toFacts([...first, ...(hasLong ? await this.rows(more, ids) : [])]);
  }

  async candidates(filter: Parameters<MemoryRecords['candidates']>[0]): Promise<readonly Fact[]> {
    const { namespace, now, limit } = filter;
    const where = `candidate = 1 AND (?1 IS NULL OR namespace = ?1) AND superseded_by IS NULL
      AND (expires_at IS NULL OR expires_at > ?2)`;
    return this.#page(where, 'at DESC, id DESC', [namespace ?? null, now, Math.min(limit, MAX_ROWS)]);
  }

  async supersededBy(id: string): Promise<readonly Fact[]> {
    const sql = `SELECT facts.* FROM fact_changes AS gone ${this.dialect.orderedJoin} facts ON facts.id = gone.fact AND facts.superseded_by = ?1
      WHERE gone.other = ?1 AND gone.change = 'superseded' ORDER BY facts.idx, part`;
    return toFacts(await this.rows(sql, id));
  }

  async changes(id: string): Promise<readonly FactChange[]> {
    const sql = `WITH RECURSIVE linked (fact) AS (
        SELECT fact FROM fact_changes WHERE fact = ?1 OR other = ?1
        UNION SELECT CASE WHEN c.fact = linked.fact THEN c.other ELSE c.fact END
          FROM linked JOIN fact_changes c ON c.other IS NOT NULL AND (c.fact = linked.fact OR c.other = linked.fact))
      SELECT c.* FROM linked ${this.dialect.orderedJoin} fact_changes c ON c.fact = linked.fact
      ORDER BY c.at, c.namespace, c.idx, CASE WHEN c.change = 'superseded' THEN 1 ELSE 0 END, c.fact`;
    return (await this.rows(sql, id)).map(toFactChange);
  }

  async uses(ids: readonly string[]): Promise<ReadonlyMap<string, FactUses>> {
    const sql = `SELECT fact, count(DISTINCT run) AS uses, count(DISTINCT CASE WHEN outcome = 'completed' THEN run END) AS successes,
      max(at) AS last FROM fact_uses WHERE fact IN (${this.dialect.listed('?')}) GROUP BY fact`;
    return new Map(
      (await this.rows(sql, JSON.stringify(ids))).map((row) => [
        row['fact'] as string,
        { ...numbers(row, ['uses', 'successes']), lastUsedAt: row['last'] as number },
      ]),
    );
  }

  async liveFacts(namespace: string, like: FactLikeness, now: EpochMs): Promise<readonly Fact[]> {
    const { each, orderedJoin } = this.dialect;
    // The ordered join forces one index lookup per value.
    const by = (column: string): string =>
      `SELECT facts.* FROM ${each('?', 'one')} ${orderedJoin} facts ON namespace = ? AND facts.${column} = one.value AND ${LIVE}`;
    const sql = `${by('text_digest')} UNION ${by('key')} UNION ${by('subject')} ORDER BY idx, part`;
    const values = [like.textDigests, like.keys, like.subjects].flatMap((wanted) => [
      JSON.stringify(wanted),
      namespace,
      now,
    ]);
    return toFacts(await this.rows(sql, ...values));
  }

  async prunableFacts(now: EpochMs, { namespace, superseded }: PruneFilter): Promise<readonly Fact[]> {
    const sql = `SELECT * FROM facts WHERE (?1 IS NULL OR namespace = ?1) AND (expires_at <= ?2 OR (?3 = 1 AND superseded_by IS NOT NULL))
      ORDER BY namespace, idx, part`;
    return toFacts(await this.rows(sql, namespace ?? null, now, superseded ? 1 : 0));
  }

  async quarantined(filter: QuarantineFilter): Promise<readonly QuarantinedFact[]> {
    const { id = null, namespace = null, textDigest = null, limit } = filter;
    const sql = `SELECT * FROM quarantined_facts WHERE (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR namespace = ?2)
      AND (?3 IS NULL OR text_digest = ?3) ORDER BY at DESC, id DESC LIMIT ?4`;
    return (await this.rows(sql, id, namespace, textDigest, Math.min(limit, MAX_ROWS))).map(
      toQuarantinedFact,
    );
  }

  async episode(id: string): Promise<Episode | undefined> {
    return toEpisodes(await this.rows('SELECT * FROM episodes WHERE id = ? ORDER BY part', id))[0];
  }

  async episodesAt(namespace: string, times: readonly EpochMs[]): Promise<readonly Episode[]> {
    const { each, orderedJoin, unindexed } = this.dialect;
    // Few episodes share a time, many a namespace: only the index on time may be used.
    const sql = `SELECT episodes.* FROM ${each('?', 'one', 'integer')} ${orderedJoin} episodes
        ON episodes.at = one.value AND ${unindexed('namespace')} = ?
      ORDER BY idx, part`;
    return toEpisodes(await this.rows(sql, JSON.stringify([...new Set(times)]), namespace));
  }

  async turns(namespace: string, conversation: string): Promise<number> {
    const sql = 'SELECT max(turn) AS last FROM episodes WHERE namespace = ? AND conversation = ?';
    const last = (await this.rows(sql, namespace, conversation))[0]?.['last'] as number | null;
    return last === null ? 0 : last + 1;
  }

  async conversation(namespace: string, conversation: string, limit: number): Promise<readonly Episode[]> {
    const sql = `WITH last AS (SELECT turn FROM episodes WHERE namespace = ?1 AND conversation = ?2 AND part = 0
        ORDER BY turn DESC LIMIT ?3)
      SELECT * FROM episodes WHERE namespace = ?1 AND conversation = ?2 AND turn >= (SELECT min(turn) FROM last)
      ORDER BY turn, part`;
    return toEpisodes(await this.rows(sql, namespace, conversation, Math.min(limit, MAX_ROWS)));
  }

  async newestConversation(): Promise<NewestConversation | undefined> {
    const sql = `SELECT namespace, conversation, (SELECT count(*) FROM episodes AS other WHERE part = 0
        AND other.namespace = newest.namespace AND other.conversation = newest.conversation) AS messages
      FROM episodes AS newest WHERE conversation IS NOT NULL ORDER BY at DESC LIMIT 1`;
    const [row] = await this.rows(sql);
    return row as NewestConversation | undefined;
  }

  async episodesAfter(
    place: { readonly namespace: string; readonly index: number },
    limit: number,
  ): Promise<readonly Episode[]> {
    const sql = `WITH page AS (SELECT namespace, idx FROM episodes WHERE (namespace, idx) > (?, ?) AND part = 0
        ORDER BY namespace, idx LIMIT ?)
      SELECT episodes.* FROM page JOIN episodes USING (namespace, idx) ORDER BY namespace, idx, part`;
    return toEpisodes(await this.rows(sql, place.namespace, place.index, limit));
  }

  async days(limit: number): Promise<readonly DaySummary[]> {
    const sql = `SELECT day, sum(episodes) AS episodes, sum(runs) AS runs FROM (
        SELECT ${this.dialect.day('at')} AS day, 1 AS episodes, 0 AS runs FROM episodes WHERE part = 0
        UNION ALL SELECT ${this.dialect.day('started_at')}, 0, 1 FROM runs WHERE parent IS NULL) AS dated
      GROUP BY day ORDER BY day DESC LIMIT ?`;
    return (await this.rows(sql, limit)).map((row) => ({
      day: row['day'] as string,
      episodes: row['episodes'] as number,
      runs: row['runs'] as number,
    }));
  }

  async newest({ day, limit }: Parameters<DayRuns['newest']>[0]): Promise<readonly DayRun[]> {
    const { from = 0, to = Number.MAX_SAFE_INTEGER } = day ?? {};
    // IDs sort by creation time, and they have an index.
    const sql = `SELECT id, goal, status, failure_code, started_at FROM runs
      WHERE parent IS NULL AND started_at >= ? AND started_at < ? ORDER BY id DESC LIMIT ?`;
    return (await this.rows(sql, from, to, limit)).map((row) => ({
      id: row['id'] as string,
      goal: (row['goal'] as string | null) ?? '',
      outcome: [row['status'], row['failure_code']].filter((word) => typeof word === 'string').join(': '),
      at: row['started_at'] as number,
    }));
  }

  async counts(now: EpochMs): Promise<MemoryCounts> {
    const [facts] = await this.rows(
      `SELECT count(*) FILTER (WHERE ${LIVE}) AS live,
       count(*) FILTER (WHERE superseded_by IS NULL AND expires_at <= ?) AS expired,
       count(*) FILTER (WHERE superseded_by IS NOT NULL) AS superseded,
       count(*) FILTER (WHERE candidate = 1 AND ${LIVE}) AS candidates,
       (SELECT count(*) FROM quarantined_facts) AS quarantined FROM facts WHERE part = 0`,
      now,
      now,
      now,
    );
    const [episodes] = await this.rows(
      `SELECT count(*) AS episodes, (SELECT count(*) FROM (SELECT DISTINCT namespace, conversation FROM episodes
       WHERE conversation IS NOT NULL) AS named) AS conversations FROM episodes WHERE part = 0`,
    );
    const namespaces = await this.rows(
      `SELECT namespace, sum(fact) AS facts, sum(1 - fact) AS episodes FROM (
         SELECT namespace, 1 AS fact FROM facts WHERE part = 0 AND ${LIVE} UNION ALL SELECT namespace, 0 FROM episodes WHERE part = 0) AS counted
       GROUP BY namespace ORDER BY namespace`,
      now,
    );
    return {
      facts: numbers(facts, ['live', 'expired', 'superseded', 'candidates', 'quarantined']),
      ...numbers(episodes, ['episodes', 'conversations']),
      namespaces: namespaces.map((row) => ({
        namespace: row['namespace'] as string,
        ...numbers(row, ['facts', 'episodes']),
      })),
    };
  }
}

function numbers<Name extends string>(row: Row | undefined, names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, row?.[name] ?? 0])) as Record<Name, number>;
}
