import type { Json } from '../kernel/index.ts';
import type { Row } from '../ledger/index.ts';
import type { ApprovalSummary, RunSummary } from './ports.ts';
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

function present(name: string, value: Json | undefined): Record<string, Json> {
  return value === null || value === undefined ? {} : { [name]: value };
}
