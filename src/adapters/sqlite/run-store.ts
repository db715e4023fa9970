import {
  type ApprovalPageFilter,
  type ApprovalSummary,
  approvalOfRun,
  cutApprovalPage,
  type RunFilter,
  type RunId,
  type RunState,
  type RunStore,
  type RunSummary,
  summaryOfRun,
  toApproval,
  toArtifact,
  toRunSummary,
  withSnapshotApprovals,
  withSnapshotRuns,
} from '../../engine/index.ts';
import { digestOf } from '../../kernel/index.ts';
import type { Statement, Value } from './driver.ts';
import { RowReader } from './row-reader.ts';

/** Snapshots of runs without events here: the engine has this run store and keeps its events elsewhere. */
const SNAPSHOT_ONLY = `SELECT state, digest FROM snapshots
  WHERE NOT EXISTS (SELECT 1 FROM streams WHERE name = 'run/' || run)`;
const APPROVALS = 'SELECT a.*, r.root FROM approvals a LEFT JOIN runs r ON r.id = a.run';

/** Finds runs and approvals in the folded tables, and stores snapshots. */
export class SqliteRunStore extends RowReader implements RunStore {
  #save: Statement | undefined;
  #load: Statement | undefined;

  async list(filter: RunFilter): Promise<readonly RunSummary[]> {
    const rows = this.rows(...runQuery('runs', filter));
    return withSnapshotRuns(rows.map(toRunSummary), this.#snapshotOnly(), filter);
  }

  async get(run: string): Promise<RunSummary | undefined> {
    const [row] = this.rows('SELECT * FROM runs WHERE id = ?', run);
    if (row) return toRunSummary(row);
    const [snapshot] = this.#snapshotOnly(run);
    return snapshot && summaryOfRun(snapshot);
  }

  async approvals(filter: Parameters<RunStore['approvals']>[0]): Promise<readonly ApprovalSummary[]> {
    const { where, values } = equalities({ 'a.status': filter.status, 'a.run': filter.run });
    const rows = this.rows(`${APPROVALS} ${where} ORDER BY a.requested_at, a.id`, ...values);
    return withSnapshotApprovals(rows.map(toApproval), this.#snapshotOnly(), filter);
  }

  async approvalPage(filter: ApprovalPageFilter): Promise<readonly ApprovalSummary[]> {
    const { statuses, runs, now, limit, after } = filter;
    const rows = this.rows(
      `SELECT a.*, r.root FROM approvals a LEFT JOIN runs r ON r.id = a.run
       WHERE (?1 IS NULL OR CASE WHEN a.status = 'pending' AND a.expires_at <= ?2 THEN 'expired' ELSE a.status END
           IN (SELECT value FROM json_each(?1)))
         AND (?3 IS NULL OR a.run IN (SELECT value FROM json_each(?3)))
         AND (?4 IS NULL OR (a.requested_at, a.id) < (?4, ?5))
       ORDER BY a.requested_at DESC, a.id DESC LIMIT ?6`,
      ...[jsonOrNull(statuses), now, jsonOrNull(runs), after?.at ?? null, after?.id ?? null, limit],
    );
    const snapshots = this.#snapshotOnly().flatMap((run) => approvalOfRun(run) ?? []);
    return cutApprovalPage([...rows.map(toApproval), ...snapshots], filter);
  }

  async approval(id: string): Promise<ApprovalSummary | undefined> {
    const [row] = this.rows(`${APPROVALS} WHERE a.id = ?`, id);
    if (row) return toApproval(row);
    return this.#snapshotOnly()
      .flatMap((run) => approvalOfRun(run) ?? [])
      .find((approval) => approval.id === id);
  }

  #snapshotOnly(run?: string): readonly RunState[] {
    const rows =
      run === undefined ? this.rows(SNAPSHOT_ONLY) : this.rows(`${SNAPSHOT_ONLY} AND run = ?`, run);
    return rows.flatMap(({ state, digest }) =>
      digestOf(state as string) === digest ? [JSON.parse(state as string) as RunState] : [],
    );
  }

  async artifacts(root: RunId): ReturnType<RunStore['artifacts']> {
    return this.rows(
      `SELECT a.* FROM artifacts a JOIN runs r ON r.id = a.run WHERE r.root = ?
       ORDER BY r.started_at, r.id, a.idx, a.place`,
      root,
    ).map(toArtifact);
  }

  async saveSnapshot(run: RunState): Promise<void> {
    this.#save ??= this.database.prepare(
      'INSERT OR REPLACE INTO snapshots (run, idx, state, digest) VALUES (?, ?, ?, ?)',
    );
    const state = JSON.stringify(run);
    this.#save.run(run.id, run.index, state, digestOf(state));
  }

  async loadSnapshot(run: string): Promise<RunState | undefined> {
    this.#load ??= this.database.prepare('SELECT state, digest FROM snapshots WHERE run = ?');
    const row = this.#load.get(run) as { state: string; digest: string } | undefined;
    // A damaged snapshot is ignored: the run is folded from its events.
    if (row === undefined || digestOf(row.state) !== row.digest) return undefined;
    return JSON.parse(row.state) as RunState;
  }

  async dropSnapshot(run: string): Promise<void> {
    this.database.prepare('DELETE FROM snapshots WHERE run = ?').run(run);
  }
}

/** The statement and the values that list runs, the newest first. */
export function runQuery(table: 'runs' | 'simulations', filter: RunFilter): readonly [string, ...Value[]] {
  const { status, parent, root, kind, resumedFrom, subject, statuses, roots, text, since, after } = filter;
  const { where, values } = equalities({ status, parent, root, kind, resumed_from: resumedFrom, subject });
  const conditions: string[] = where === '' ? [] : [where.replace(/^WHERE /, '')];
  const more: Value[] = [...values];
  const add = (condition: string, ...given: readonly Value[]): void => {
    conditions.push(condition);
    more.push(...given);
  };
  if (statuses !== undefined) add('status IN (SELECT value FROM json_each(?))', JSON.stringify(statuses));
  if (roots !== undefined) add('root IN (SELECT value FROM json_each(?))', JSON.stringify(roots));
  // The plus sign keeps the index on time: most runs have no parent.
  if (filter.rootsOnly) add('+parent IS NULL');
  if (text !== undefined) add('instr(lower(goal), lower(?)) > 0', text);
  if (since !== undefined) add('started_at >= ?', since);
  if (after !== undefined) add('(started_at, id) < (?, ?)', after.at, after.id);
  const all = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return [
    `SELECT * FROM ${table} ${all} ORDER BY started_at DESC, id DESC LIMIT ?`,
    ...more,
    filter.limit ?? -1,
  ];
}

function jsonOrNull(values: readonly string[] | undefined): string | null {
  return values === undefined ? null : JSON.stringify(values);
}

function equalities(columns: Readonly<Record<string, string | undefined>>): {
  where: string;
  values: string[];
} {
  const given = Object.entries(columns).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const where = given.length === 0 ? '' : `WHERE ${given.map(([column]) => `${column} = ?`).join(' AND ')}`;
  return { where, values: given.map(([, value]) => value) };
}
