import type { Json } from '../kernel/index.ts';
import type { Row } from '../ledger/index.ts';
import type {
  ApprovalFilter,
  ApprovalPageFilter,
  ApprovalSummary,
  ListPlace,
  RunFilter,
  RunSummary,
} from './ports.ts';
import { type RunState, statusOf } from './run-state.ts';
import type { ArtifactRef, RunId } from './types.ts';

function fromJson(column: Json | undefined): Json | undefined {
  return typeof column === 'string' ? (JSON.parse(column) as Json) : undefined;
}

/** Converts a row of the folded table `runs`. */
export function toRunSummary(row: Row): RunSummary {
  return {
    id: row['id'],
    kind: row['kind'],
    goal: row['goal'] ?? '',
    status: row['status'],
    root: row['root'],
    startedAt: row['started_at'],
    ...present('parent', row['parent']),
    ...present('resumedFrom', row['resumed_from']),
    ...present('subject', row['subject']),
    ...present('owner', row['owner']),
    ...present('failureCode', row['failure_code']),
    ...present('endedAt', row['ended_at']),
    ...present('waitsFor', row['waits_for']),
    ...(row['status'] === 'waiting' ? present('waitsUntil', row['waits_until']) : {}),
    ...present('outcome', row['outcome']),
  } as RunSummary;
}

/** Converts a row of the folded table `approvals`. */
export function toApproval(row: Row): ApprovalSummary {
  return {
    id: row['id'],
    run: row['run'],
    kind: row['kind'],
    requestedAt: row['requested_at'],
    expiresAt: row['expires_at'],
    status: row['status'],
    ...present('tool', row['tool']),
    ...present('arguments', fromJson(row['arguments'])),
    ...present('argumentsHash', row['arguments_hash']),
    ...present('risk', row['risk']),
    ...present('why', row['why']),
    ...present('question', row['question']),
    ...present('options', fromJson(row['options'])),
    ...present('decidedBy', row['decided_by']),
    ...present('decidedAt', row['decided_at']),
    ...present('root', row['root']),
    ...present('step', row['step']),
    ...present('rule', row['rule']),
    ...present('sideEffect', row['side_effect']),
    ...present('effect', row['effect']),
    ...present('rationale', row['rationale']),
    ...present('known', fromJson(row['known'])),
    ...present('answers', fromJson(row['answers'])),
    ...present('answer', row['answer']),
    ...present('reason', row['reason']),
    ...edited(row),
    ...(row['destructive'] === 1 ? { destructive: true } : {}),
  } as ApprovalSummary;
}

/** Converts a row of the folded table `artifacts`. */
export function toArtifact(row: Row): ArtifactRef & { readonly run: RunId } {
  return {
    run: row['run'],
    digest: row['digest'],
    bytes: row['bytes'],
    mediaType: row['media_type'],
    ...(row['name'] === '' ? {} : { name: row['name'] }),
  } as ArtifactRef & { readonly run: RunId };
}

/** A person's edit replaces the arguments; the requested ones stay visible. */
function edited(row: Row): Record<string, Json> {
  const approved = fromJson(row['approved']);
  if (approved === undefined) return {};
  return { arguments: approved, ...present('requestedArguments', fromJson(row['arguments'])) };
}

function present(name: string, value: Json | undefined): Record<string, Json> {
  return value === null || value === undefined ? {} : { [name]: value };
}

/** The summary of a run of which only a snapshot is stored. */
export function summaryOfRun(run: RunState): RunSummary {
  const { id, kind, goal, lineage, startedAt, subject, owner, failure, ended } = run;
  return {
    ...{ id, kind, goal, startedAt, root: lineage.root, status: statusOf(run) },
    ...present('parent', lineage.parent),
    ...present('resumedFrom', lineage.resumedFrom),
    ...present('subject', subject),
    ...present('owner', owner),
    ...present('failureCode', failure?.code),
    ...present('endedAt', ended?.at),
  };
}

/** The request that a run of which only a snapshot is stored waits for. */
export function approvalOfRun(run: RunState): ApprovalSummary | undefined {
  const { waiting } = run;
  if (waiting?.for !== 'approval' && waiting?.for !== 'answer') return undefined;
  const { id, expiresAt } = waiting;
  const request = { id, run: run.id, requestedAt: run.lastAt, expiresAt, status: 'pending' as const };
  if (waiting.for === 'approval') {
    const { call, argumentsHash, known } = waiting;
    const about = { kind: 'tool', tool: call.tool, arguments: call.input, argumentsHash } as const;
    return { ...request, ...about, ...(known === undefined ? {} : { known }) };
  }
  const { about, question, options } = waiting;
  return { ...request, kind: about, question, ...(options === undefined ? {} : { options }) };
}

/** Whether a run belongs into the list that a filter asks for. */
export function matchesRun(run: RunSummary, filter: RunFilter): boolean {
  const { statuses, roots, rootsOnly, text, since, after } = filter;
  return (
    (['status', 'parent', 'root', 'kind', 'resumedFrom', 'subject'] as const).every(
      (name) => filter[name] === undefined || run[name] === filter[name],
    ) &&
    (statuses === undefined || statuses.includes(run.status)) &&
    (roots === undefined || roots.includes(run.root)) &&
    (!rootsOnly || run.parent === undefined) &&
    (text === undefined || asciiLower(run.goal).includes(asciiLower(text))) &&
    (since === undefined || run.startedAt >= since) &&
    (after === undefined || newestFirst(after, placeOfRun(run)) < 0)
  );
}

/** Lower case for ASCII letters only, as SQLite does it. */
function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function placeOfRun(run: RunSummary): ListPlace {
  return { at: run.startedAt, id: run.id };
}

export function placeOfApproval(approval: ApprovalSummary): ListPlace {
  return { at: approval.requestedAt, id: approval.id };
}

/** Sorts the newest first. */
export function newestFirst(a: ListPlace, b: ListPlace): number {
  return b.at - a.at || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1);
}

/** Adds runs of which only snapshots are stored to those of the folded table. */
export function withSnapshotRuns(
  found: readonly RunSummary[],
  snapshots: readonly RunState[],
  filter: RunFilter,
): readonly RunSummary[] {
  const matching = snapshots.map(summaryOfRun).filter((run) => matchesRun(run, filter));
  if (matching.length === 0) return found;
  return [...found, ...matching]
    .sort((a, b) => newestFirst(placeOfRun(a), placeOfRun(b)))
    .slice(0, filter.limit ?? Number.POSITIVE_INFINITY);
}

/** Whether a request belongs onto the page that a filter asks for. */
function matchesApproval(approval: ApprovalSummary, filter: ApprovalPageFilter): boolean {
  const { statuses, runs, now, after } = filter;
  const isOver = approval.status === 'pending' && approval.expiresAt <= now;
  return (
    (statuses === undefined || statuses.includes(isOver ? 'expired' : approval.status)) &&
    (runs === undefined || runs.includes(approval.run)) &&
    (after === undefined || newestFirst(after, placeOfApproval(approval)) < 0)
  );
}

/** Sorts and cuts a page of requests. */
export function cutApprovalPage(
  approvals: readonly ApprovalSummary[],
  filter: ApprovalPageFilter,
): readonly ApprovalSummary[] {
  return approvals
    .filter((approval) => matchesApproval(approval, filter))
    .sort((a, b) => newestFirst(placeOfApproval(a), placeOfApproval(b)))
    .slice(0, filter.limit);
}

/** Adds requests of runs of which only snapshots are stored to those of the folded table. */
export function withSnapshotApprovals(
  found: readonly ApprovalSummary[],
  snapshots: readonly RunState[],
  filter: ApprovalFilter,
): readonly ApprovalSummary[] {
  const matching = snapshots
    .flatMap((run) => approvalOfRun(run) ?? [])
    .filter(({ status }) => filter.status === undefined || filter.status === status)
    .filter(({ run }) => filter.run === undefined || filter.run === run);
  if (matching.length === 0) return found;
  return [...found, ...matching].sort((a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1));
}
