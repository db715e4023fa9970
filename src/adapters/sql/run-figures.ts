import { type Figure, type LearnedFacts, MAINTENANCE, type RunFigures } from '../../assistant/index.ts';
import type { Json, JsonObject } from '../../kernel/index.ts';
import type { SqlDialect } from '../../ledger/index.ts';
import { RowReader } from './row-reader.ts';

const RUN_PREFIX = 'run/';
const BATCH = 5_000;
const DAY_MS = 86_400_000;

/** Events that always count; of the many steps only those with a cost or from the critic. */
const TYPES = [
  ...['run.started', 'run.completed', 'run.failed', 'run.cancelled', 'run.corrected', 'run.undone'],
  ...['run.paused', 'run.unpaused', 'budget.exhausted', 'run.budget_added'],
  ...['approval.requested', 'approval.granted', 'approval.denied', 'approval.expired'],
  ...['question.asked', 'question.answered', 'tool.intended', 'tool.pending'],
];

const figures = ({
  member,
  contains,
}: SqlDialect): string => `SELECT e.seq AS seq, s.name AS stream, e.type AS type, e.at AS at, e.data AS data,
    CASE WHEN e.type = 'run.started' THEN ${member('e.body', 'goal')} END AS goal,
    CASE WHEN ${contains('e.data', `'"spend"'`)} THEN ${member('e.body', 'model.manifest')} END AS manifest
  FROM events e JOIN streams s ON s.id = e.stream_id
  WHERE e.seq > ? AND e.at >= ? AND (e.type IN (${TYPES.map((type) => `'${type}'`).join(', ')})
    OR (e.type = 'step.completed' AND (${contains('e.data', `'"spend"'`)} OR ${contains('e.data', `'"critique"'`)})))
  ORDER BY e.seq LIMIT ${BATCH}`;

interface FigureRow {
  readonly seq: number;
  readonly stream: string;
  readonly type: string;
  readonly at: number;
  readonly data: string;
  readonly goal: string | null;
  readonly manifest: string | null;
}

/** Reads the input of statistics directly from the events. */
export class SqlRunFigures extends RowReader implements RunFigures {
  read(since: number): AsyncGenerator<Figure> {
    return this.#read(since, 0);
  }

  /** As `read`, but skips old events without reading them. Assumes that the clock was never more than a day ahead. */
  async *readRecent(since: number): AsyncGenerator<Figure> {
    yield* this.#read(since, await this.#lastBefore(since - DAY_MS));
  }

  /** What runs have cost by run: a root with its whole tree. Missing if nothing was spent. */
  async costs(runs: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { contains, each, numberIn } = this.dialect;
    const sql = `SELECT listed.value AS run, sum(${numberIn('e.data', 'spend.cost_usd')}) AS usd
      FROM ${each('?', 'listed')} JOIN runs r ON r.root = listed.value OR r.id = listed.value
      JOIN streams s ON s.name = '${RUN_PREFIX}' || r.id JOIN events e ON e.stream_id = s.id
      WHERE ${contains('e.data', `'"cost_usd"'`)} GROUP BY listed.value`;
    const rows = (await this.rows(sql, JSON.stringify(runs))).filter((row) => row['usd'] !== null);
    return new Map(rows.map((row) => [row['run'] as string, row['usd'] as number]));
  }

  /** The number of runs without a parent by status. */
  async runsByStatus(): Promise<Record<string, number>> {
    const rows = await this.rows(
      'SELECT status, count(*) AS runs FROM runs WHERE parent IS NULL GROUP BY status',
    );
    return Object.fromEntries(rows.map((row) => [row['status'] as string, row['runs'] as number]));
  }

  /** The runs without a parent that started since then, and how many of them failed. */
  async startedSince(since: number): Promise<{ readonly runs: number; readonly failed: number }> {
    const sql = `SELECT count(*) AS runs, count(*) FILTER (WHERE status = 'failed') AS failed
      FROM runs WHERE parent IS NULL AND started_at >= ?`;
    return (await this.rows(sql, since))[0] as { runs: number; failed: number };
  }

  async openApprovals(now: number): Promise<number> {
    const sql = "SELECT count(*) AS n FROM approvals WHERE status = 'pending' AND expires_at > ?";
    return (await this.rows(sql, now))[0]?.['n'] as number;
  }

  async facts(since: number): Promise<LearnedFacts> {
    const sql = `WITH learned AS (SELECT DISTINCT fact FROM fact_changes WHERE change = 'added' AND at >= ?1),
      rejected AS (SELECT DISTINCT fact FROM fact_changes WHERE change = 'rejected' AND at >= ?1
        UNION SELECT fact FROM fact_changes WHERE change = 'deleted' AND actor <> '${MAINTENANCE}' AND fact IN (SELECT fact FROM learned)),
      superseded AS (SELECT id AS fact FROM facts WHERE part = 0 AND superseded_by IS NOT NULL AND id IN (SELECT fact FROM learned)),
      unused AS (SELECT id AS fact FROM facts WHERE part = 0 AND superseded_by IS NULL AND id IN (SELECT fact FROM learned)
        AND id NOT IN (SELECT fact FROM fact_uses))
      SELECT (SELECT count(*) FROM (SELECT fact FROM learned UNION SELECT fact FROM rejected) AS judged) AS learned,
        (SELECT count(*) FROM rejected) AS rejected, (SELECT count(*) FROM superseded) AS superseded,
        (SELECT count(*) FROM unused) AS unused`;
    return (await this.rows(sql, since))[0] as unknown as LearnedFacts;
  }

  async runsWithFacts(): Promise<ReadonlySet<string>> {
    return new Set((await this.rows('SELECT DISTINCT run FROM fact_uses')).map(({ run }) => run as string));
  }

  async quarantinedFacts(): Promise<number> {
    return (await this.rows('SELECT count(*) AS n FROM quarantined_facts'))[0]?.['n'] as number;
  }

  /** The position of an event before which all events are older than this. Found by halving. */
  async #lastBefore(at: number): Promise<number> {
    let low = 0;
    let high =
      ((await this.rows('SELECT coalesce(max(seq), 0) AS last FROM events'))[0]?.['last'] as number) + 1;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      // Archived events leave gaps.
      const [row] = await this.rows('SELECT at FROM events WHERE seq >= ? ORDER BY seq LIMIT 1', middle);
      if (row !== undefined && (row['at'] as number) < at) low = middle;
      else high = middle;
    }
    return low;
  }

  async *#read(since: number, after: number): AsyncGenerator<Figure> {
    const sql = figures(this.dialect);
    let rows: readonly FigureRow[];
    let seq = after;
    do {
      rows = (await this.rows(sql, seq, since)) as unknown as FigureRow[];
      for (const row of rows) if (row.stream.startsWith(RUN_PREFIX)) yield toFigure(row);
      seq = rows.at(-1)?.seq ?? seq;
    } while (rows.length === BATCH);
  }
}

function toFigure({ stream, type, at, data, goal, manifest }: FigureRow): Figure {
  return {
    run: stream.slice(RUN_PREFIX.length),
    type,
    at,
    data: JSON.parse(data) as JsonObject,
    ...(goal === null ? {} : { goal }),
    ...(manifest === null ? {} : { manifest: JSON.parse(manifest) as Json }),
  };
}
