import type { Figure, RunFigures } from '../../assistant/index.ts';
import type { Json, JsonObject } from '../../kernel/index.ts';
import { RowReader } from './row-reader.ts';

const RUN_PREFIX = 'run/';
const BATCH = 5_000;

/** Events that always count; of the many steps only those with a cost or from the critic. */
const TYPES = [
  ...['run.started', 'run.completed', 'run.failed', 'run.cancelled', 'run.corrected', 'run.undone'],
  ...['run.paused', 'run.unpaused', 'budget.exhausted', 'run.budget_added'],
  ...['approval.requested', 'approval.granted', 'approval.denied', 'approval.expired'],
  ...['question.asked', 'question.answered', 'tool.intended', 'tool.pending'],
];

const SQL = `SELECT e.seq AS seq, s.name AS stream, e.type AS type, e.at AS at, e.data AS data,
    CASE WHEN instr(e.data, '"spend"') > 0 THEN json_extract(e.body, '$.model.manifest') END AS manifest
  FROM events e JOIN streams s ON s.id = e.stream_id
  WHERE e.seq > ? AND e.at >= ? AND (e.type IN (${TYPES.map((type) => `'${type}'`).join(', ')})
    OR (e.type = 'step.completed' AND (instr(e.data, '"spend"') > 0 OR instr(e.data, '"critique"') > 0)))
  ORDER BY e.seq LIMIT ${BATCH}`;

interface FigureRow {
  readonly seq: number;
  readonly stream: string;
  readonly type: string;
  readonly at: number;
  readonly data: string;
  readonly manifest: string | null;
}

/** Reads the input of statistics directly from the events. */
export class SqliteRunFigures extends RowReader implements RunFigures {
  *read(since: number): Generator<Figure> {
    let rows: readonly FigureRow[];
    let seq = 0;
    do {
      rows = this.rows(SQL, seq, since) as unknown as FigureRow[];
      for (const row of rows) if (row.stream.startsWith(RUN_PREFIX)) yield toFigure(row);
      seq = rows.at(-1)?.seq ?? seq;
    } while (rows.length === BATCH);
  }
}

function toFigure({ stream, type, at, data, manifest }: FigureRow): Figure {
  return {
    run: stream.slice(RUN_PREFIX.length),
    type,
    at,
    data: JSON.parse(data) as JsonObject,
    ...(manifest === null ? {} : { manifest: JSON.parse(manifest) as Json }),
  };
}
