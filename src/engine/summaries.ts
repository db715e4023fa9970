import type { Json } from '../kernel/index.ts';
import type { Row } from '../ledger/index.ts';
import type { ApprovalSummary, RunSummary } from './ports.ts';

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
    ...edited(row),
    ...(row['destructive'] === 1 ? { destructive: true } : {}),
  } as ApprovalSummary;
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
