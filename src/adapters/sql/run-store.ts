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
import type { Fault, Row, SqlDialect, SqlTables, SqlValue } from '../../ledger/index.ts';
import { RowReader } from './row-reader.ts';

/** Snapshots of runs without events here: the engine has this run store and keeps its events elsewhere. */
const SNAPSHOT_ONLY = `SELECT run, idx, state, digest FROM snapshots
  WHERE NOT EXISTS (SELECT 1 FROM streams WHERE name = 'run/' || run)`;
const SAVE_SNAPSHOT = `INSERT INTO snapshots (run, idx, state, digest) VALUES (?, ?, ?, ?)
  ON CONFLICT (run) DO UPDATE SET idx = excluded.idx, state = excluded.state, digest = excluded.digest`;
const APPROVALS = 'SELECT a.*, r.root FROM approvals a LEFT JOIN runs r ON r.id = a.run';

/** Finds runs and approvals in the folded tables, and stores snapshots. */
export class SqlRunStore extends RowReader implements RunStore {
  async list(filter: RunFilter): Promise<readonly RunSummary[]> {
    const rows = await this.rows(...runQuery('runs', filter, this.dialect));
    return withSnapshotRuns(rows.map(toRunSummary), await this.#snapshotOnly(), filter);
  }

  async get(run: string): Promise<RunSummary | undefined> {
    const [row] = await this.rows('SELECT * FROM runs WHERE id = ?', run);
    if (row) return toRunSummary(row);
    const [snapshot] = await this.#snapshotOnly(run);
    return snapshot && summaryOfRun(snapshot);
  }

  async approvals(filter: Parameters<RunStore['approvals']>[0]): Promise<readonly ApprovalSummary[]> {
    const { where, values } = equalities({ 'a.status': filter.status, 'a.run': filter.run });
    const rows = await this.rows(`${APPROVALS} ${where} ORDER BY a.requested_at, a.id`, ...values);
    return withSnapshotApprovals(rows.map(toApproval), await this.#snapshotOnly(), filter);
  }

  async approvalPage(filter: ApprovalPageFilter): Promise<readonly ApprovalSummary[]> {
    const { statuses, runs, now, limit, after } = filter;
    const { listed } = this.dialect;
    const rows = await this.rows(
      `SELECT a.*, r.root FROM approvals a LEFT JOIN runs r ON r.id = a.run
       WHERE (?1 IS NULL OR CASE WHEN a.status = 'pending' AND a.expires_at <= ?2 THEN 'expired' ELSE a.status END
           IN (${listed('?1')}))
         AND (?3 IS NULL OR a.run IN (${listed('?3')}))
         AND (?4 IS NULL OR (a.requested_at, a.id) < (?4, ?5))
       ORDER BY a.requested_at DESC, a.id DESC LIMIT ?6`,
      ...[jsonOrNull(statuses), now, jsonOrNull(runs), after?.at ?? null, after?.id ?? null, limit],
    );
    const snapshots = (await this.#snapshotOnly()).flatMap((run) => approvalOfRun(run) ?? []);
    return cutApprovalPage([...rows.map(toApproval), ...snapshots], filter);
  }

  async approval(id: string): Promise<ApprovalSummary | undefined> {
    const [row] = await this.rows(`${APPROVALS} WHERE a.id = ?`, id);
    if (row) return toApproval(row);
    return (await this.#snapshotOnly())
      .flatMap((run) => approvalOfRun(run) ?? [])
      .find((approval) => approval.id === id);
  }

  async #snapshotOnly(run?: string): Promise<readonly RunState[]> {
    const rows =
      run === undefined
        ? await this.rows(SNAPSHOT_ONLY)
        : await this.rows(`${SNAPSHOT_ONLY} AND run = ?`, run);
    return undamaged(rows);
  }

  async artifacts(root: RunId): ReturnType<RunStore['artifacts']> {
    return (
      await this.rows(
        `SELECT a.* FROM artifacts a JOIN runs r ON r.id = a.run WHERE r.root = ?
       ORDER BY r.started_at, r.id, a.idx, a.place`,
        root,
      )
    ).map(toArtifact);
  }

  async saveSnapshot(run: RunState): Promise<void> {
    const state = JSON.stringify(run);
    await this.tables.change(SAVE_SNAPSHOT, run.id, run.index, state, digestOf(state));
  }

  async loadSnapshot(run: string): Promise<RunState | undefined> {
    const rows = await this.rows('SELECT run, idx, state, digest FROM snapshots WHERE run = ?', run);
    return undamaged(rows)[0];
  }

  async dropSnapshot(run: string): Promise<void> {
    await this.tables.change('DELETE FROM snapshots WHERE run = ?', run);
  }
}

/** The statement and the values that list runs, the newest first. */
export function runQuery(
  table: 'runs' | 'simulations',
  filter: RunFilter,
  { listed, unindexed, contains }: SqlDialect,
): readonly [string, ...SqlValue[]] {
  const { status, parent, root, kind, resumedFrom, subject, statuses, roots, text, since, after } = filter;
  const { where, values } = equalities({ status, parent, root, kind, resumed_from: resumedFrom, subject });
  const conditions: string[] = where === '' ? [] : [where.replace(/^WHERE /, '')];
  const more: SqlValue[] = [...values];
  const add = (condition: string, ...given: readonly SqlValue[]): void => {
    conditions.push(condition);
    more.push(...given);
  };
  if (statuses !== undefined) add(`status IN (${listed('?')})`, JSON.stringify(statuses));
  if (roots !== undefined) add(`root IN (${listed('?')})`, JSON.stringify(roots));
  // Most runs have no parent, so the index on time has to be used.
  if (filter.rootsOnly) add(`${unindexed('parent')} IS NULL`);
  if (text !== undefined) add(contains('lower(goal)', 'lower(?)'), text);
  if (since !== undefined) add('started_at >= ?', since);
  if (after !== undefined) add('(started_at, id) < (?, ?)', after.at, after.id);
  const all = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return [
    `SELECT * FROM ${table} ${all} ORDER BY started_at DESC, id DESC LIMIT ?`,
    ...more,
    filter.limit ?? Number.MAX_SAFE_INTEGER,
  ];
}

/** A damaged snapshot is ignored: the run is folded from its events. */
function undamaged(snapshots: readonly Row[]): readonly RunState[] {
  return snapshots.flatMap(({ run, idx, state, digest }) => {
    if (digestOf(state as string) !== digest) return [];
    const parsed = JSON.parse(state as string) as RunState;
    return parsed.id === run && parsed.index === idx ? [parsed] : [];
  });
}

export async function snapshotFaults(tables: SqlTables): Promise<readonly Fault[]> {
  const rows = await tables.rows('SELECT run, idx, state, digest FROM snapshots');
  return rows
    .filter((row) => undamaged([row]).length === 0)
    .map(({ run }) => ({ where: `table snapshots, row ${run}`, what: 'differs from its digest' }));
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
