// Owns: how errors are sent over HTTP, as application/problem+json (RFC 9457).
import { explainSystemError, isOkaError } from '../kernel/index.ts';
import type { ErrorCode } from './error-codes.ts';

/** An error as HTTP clients read it. `detail` ends with the next step. */
export interface Problem {
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** The command or the request that helps, if the error names one. */
  readonly next?: string;
}

const TITLES = {
  400: 'Invalid request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Request too large',
  415: 'Not JSON',
  422: 'Cannot be done',
  500: 'Unexpected error',
  503: 'Not available now',
} as const;
type Status = keyof typeof TITLES;

/** The codes of each status. Other errors of Oka are 422: the request is valid, but cannot be done. */
const CODES: Readonly<Partial<Record<Status, readonly ErrorCode[]>>> = {
  400: [
    'http.bad_request',
    'daemon.bad_call',
    'cli.usage',
    'cli.invalid_json',
    'cli.ambiguous_id',
    'kernel.path_refused',
    'files.invalid_path',
    'files.outside_workspace',
  ],
  401: ['http.unauthorized', 'http.link_expired'],
  403: [
    'http.forbidden',
    'http.browser_only',
    'config.not_trusted',
    'engine.policy_denied',
    'engine.approval_denied',
    'engine.not_remembered',
    'context.not_allowed',
    'vault.not_allowed',
    'vault.passphrase_needed',
    'mcp.not_approved',
    'files.protected',
    'files.denied',
    'system.denied',
  ],
  404: [
    'http.not_found',
    'config.no_workspace',
    'config.no_folder',
    'engine.unknown_run',
    'engine.unknown_approval',
    'engine.unknown_grant',
    'engine.unknown_tool',
    'engine.artifact_missing',
    'graph.unknown',
    'graph.unknown_version',
    'graph.unknown_node',
    'schedule.unknown',
    'memory.unknown',
    'procedures.unknown',
    'chat.unknown',
    'agent.unknown',
    'skills.unknown',
    'eval.unknown',
    'mcp.unknown_server',
    'vault.unknown',
    'backup.not_found',
    'files.not_found',
    'context.node_unknown',
    'context.root_unknown',
    'context.not_scanned',
    'models.unknown_model',
    'system.not_found',
  ],
  405: ['http.method_not_allowed'],
  409: [
    'memory.in_use',
    'config.trust_changed',
    'engine.run_owned',
    'engine.run_interrupted',
    'engine.run_ended',
    'engine.run_archived',
    'engine.run_simulated',
    'engine.ownership_lost',
    'engine.approval_decided',
    'engine.approval_expired',
    'engine.approval_mismatch',
    'engine.approval_ambiguous',
    'engine.binding_changed',
    'engine.apply_asks',
    'engine.pins_changed',
    'engine.undo_conflict',
    'engine.key_reused',
    'engine.not_waiting',
    'graph.exists',
    'graph.changed',
    'chat.exists',
    'agent.exists',
    'mcp.exists',
    'mcp.changed',
    'vault.exists',
    'eval.exists',
    'backup.exists',
    'files.exists',
    'files.changed',
    'ledger.conflict',
  ],
  413: ['http.too_large'],
  415: ['http.not_json'],
  500: [
    'kernel.bug',
    'cli.unexpected',
    'ledger.damaged',
    'ledger.diverged',
    'ledger.older_than_signed',
    'ledger.rewritten',
    'ledger.database_missing',
    'ledger.bad_event',
    'engine.artifact_damaged',
    'context.frame_damaged',
    'vault.damaged',
  ],
  503: [
    'http.too_many_calls',
    'http.too_many_streams',
    'ledger.busy',
    'ledger.unavailable',
    'ledger.closed',
    'ledger.disk_full',
    'ledger.read_only',
    'system.busy',
    'system.disk_full',
    'system.too_many_files',
    'engine.rate_limited',
    'engine.start_unknown',
    'models.rate_limited',
    'models.unreachable',
    'models.timed_out',
  ],
};

const STATUS_BY_CODE: ReadonlyMap<string, Status> = new Map(
  Object.entries(CODES).flatMap(([status, codes]) =>
    codes.map((code) => [code, Number(status) as Status] as const),
  ),
);

/** An error as a problem. Errors without a code are unexpected: 500. */
export function toProblem(error: unknown): Problem {
  const known = isOkaError(error) ? error : explainSystemError(error);
  if (known === undefined) {
    const what = error instanceof Error ? error.message : String(error);
    return problem('cli.unexpected', `Unexpected error: ${what}. See the log of the daemon: oka logs.`);
  }
  return problem(known.code, known.message, known.data);
}

function problem(code: string, detail: string, data: Readonly<Record<string, unknown>> = {}): Problem {
  const status = STATUS_BY_CODE.get(code) ?? 422;
  const { next, ...rest } = data;
  return {
    ...{ status, type: `urn:oka:error:${code}`, title: TITLES[status], detail, code },
    ...(Object.keys(rest).length > 0 ? { data: rest } : {}),
    ...(typeof next === 'string' ? { next } : {}),
  };
}
