import type { ErrorCode, RunView } from '../api/index.ts';

/** Documented in the README. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  invalidInput: 3,
  approval: 4,
  budget: 5,
  model: 6,
  integrity: 7,
  partial: 8,
  unproven: 9,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The errors of each exit code. All others exit with 1. */
const ERRORS: Readonly<
  Record<Exclude<keyof typeof EXIT, 'ok' | 'failed' | 'partial' | 'unproven'>, readonly ErrorCode[]>
> = {
  usage: ['cli.usage'],
  invalidInput: [
    'cli.invalid_json',
    'cli.ambiguous_id',
    'kernel.not_canonical',
    'kernel.template_invalid',
    'kernel.template_missing',
    'kernel.path_refused',
    'config.no_workspace',
    'config.no_folder',
    'config.link_refused',
    'config.malformed',
    'config.invalid',
    'daemon.running',
    'cluster.invalid',
    'cluster.mismatch',
    'daemon.bad_call',
    'chat.unknown',
    'chat.exists',
    'chat.invalid',
    'backup.exists',
    'backup.inside_workspace',
    'backup.not_found',
    'backup.workspace_exists',
    'engine.unknown_run',
    'engine.run_archived',
    'engine.run_simulated',
    'engine.unknown_kind',
    'engine.unknown_tool',
    'engine.unknown_approval',
    'engine.unknown_grant',
    'engine.run_ended',
    'engine.invalid_graph',
    'engine.invalid_tool',
    'engine.invalid_decision',
    'engine.tool_input_invalid',
    'engine.redacted_input',
    'engine.key_reused',
    'engine.approval_decided',
    'engine.approval_ambiguous',
    'engine.answer_not_offered',
    'engine.invalid_budget',
    'engine.nothing_to_undo',
    'engine.content_erased',
    'engine.not_waiting',
    'graph.unknown',
    'graph.invalid',
    'graph.input_invalid',
    'graph.exists',
    'graph.patch_refused',
    'graph.build_failed',
    'graph.cannot_place',
    'graph.cannot_promote',
    'graph.too_large_to_draw',
    'schedule.invalid_cron',
    'schedule.unknown_zone',
    'schedule.never_fires',
    'schedule.unknown',
    'schedule.invalid',
    'context.not_scanned',
    'context.node_unknown',
    'context.node_ambiguous',
    'context.not_a_directory',
    'context.invalid',
    'context.policy_unknown',
    'context.policy_refused',
    'context.ordering_unknown',
    'context.frame_immutable',
    'context.root_unknown',
    'context.root_ambiguous',
    'memory.invalid',
    'memory.unknown',
    'memory.superseded',
    'memory.in_use',
    'eval.unknown',
    'eval.invalid',
    'eval.exists',
    'eval.not_ended',
    'eval.erased',
    'eval.link_refused',
    'procedures.unknown',
    'procedures.not_learned',
    'procedures.ambiguous',
    'maintenance.link_refused',
    'replication.not_configured',
    'replication.invalid',
    'files.invalid_path',
    'files.outside_workspace',
    'files.protected',
    'files.not_found',
    'files.not_a_file',
    'files.empty_write',
    'files.not_a_folder',
    'files.not_text',
    'files.too_large',
    'files.exists',
    'files.text_not_found',
    'files.text_ambiguous',
    'files.redacted_write',
    'process.shell_refused',
    'process.git_refused',
    'process.environment_refused',
    'process.secret_missing',
    'http.invalid_url',
    'http.invalid_request',
    'http.header_refused',
    'http.address_refused',
    'http.secret_missing',
    'http.secret_in_clear',
    'environment.invalid_package',
    'environment.invalid_source',
    'environment.package_not_found',
    'environment.link_refused',
    'mcp.unknown_server',
    'mcp.invalid_server',
    'mcp.exists',
    'mcp.off',
    'mcp.missing_value',
    'vault.invalid_name',
    'vault.invalid_scope',
    'vault.invalid_expiry',
    'vault.not_text',
    'vault.too_short',
    'vault.too_long',
    'vault.exists',
    'vault.unknown',
    'vault.key_source',
    'agent.goal_not_understood',
    'agent.answer_not_usable',
    'assistant.invalid_settings',
    'skills.unknown',
    'skills.invalid',
    'skills.file_refused',
    'skills.file_not_found',
    'skills.file_too_large',
    'skills.file_not_text',
    'agent.unknown',
    'agent.invalid',
    'agent.exists',
    'policy.invalid',
    'policy.link_refused',
  ],
  approval: [
    'config.not_trusted',
    'config.trust_changed',
    'cluster.forbidden',
    'engine.effect_unknown',
    'engine.policy_denied',
    'engine.approval_denied',
    'engine.approval_expired',
    'engine.approval_mismatch',
    'engine.binding_changed',
    'engine.apply_asks',
    'engine.not_remembered',
    'context.not_allowed',
    'environment.install_needed',
    'mcp.not_approved',
    'mcp.changed',
    'vault.not_allowed',
    'vault.passphrase_needed',
    'agent.not_confirmed',
    'assistant.denied',
    'assistant.handed_off',
  ],
  budget: [
    'engine.tool_timeout',
    'engine.budget_exhausted',
    'engine.rate_limited',
    'graph.max_steps',
    'process.timed_out',
    'http.timed_out',
    'environment.install_timed_out',
    'mcp.timeout',
    'assistant.budget',
    'eval.not_run',
  ],
  model: [
    'models.not_configured',
    'models.key_rejected',
    'models.unknown_model',
    'models.unreachable',
    'models.silent',
    'models.tools_unsupported',
    'models.request_failed',
    'models.rate_limited',
    'models.context_exceeded',
    'models.refused',
    'models.malformed',
    'models.stream_cut',
    'models.timed_out',
    'models.answer_too_large',
    'models.script_invalid',
    'models.answer_cut',
    'models.answer_empty',
  ],
  integrity: [
    'ledger.damaged',
    'ledger.diverged',
    'ledger.older_than_signed',
    'ledger.rewritten',
    'ledger.database_missing',
    'ledger.bad_event',
    'backup.damaged',
    'backup.source_damaged',
    'engine.artifact_missing',
    'engine.artifact_damaged',
    'context.frame_damaged',
    'context.frame_missing',
    'context.delta_missing',
    'replication.diverged',
    'environment.unverified',
    'vault.damaged',
  ],
};

const EXIT_BY_ERROR: ReadonlyMap<string, ExitCode> = new Map(
  Object.entries(ERRORS).flatMap(([name, codes]) =>
    codes.map((code) => [code, EXIT[name as keyof typeof ERRORS]] as const),
  ),
);

export function exitOfError(code: string): ExitCode {
  return EXIT_BY_ERROR.get(code) ?? EXIT.failed;
}

export function exitOfCheck({ valid }: { readonly valid: boolean }): ExitCode {
  return valid ? EXIT.ok : EXIT.invalidInput;
}

export function exitOfVerification({ ok }: { readonly ok: boolean }): ExitCode {
  return ok ? EXIT.ok : EXIT.integrity;
}

/** The exit code of a command that returns a run: by its status, or what it waits for. */
export function exitOfRun(run: RunView): ExitCode {
  if (run.status === 'failed') return exitOfFailure(run);
  if (run.status === 'cancelled') return EXIT.failed;
  if (run.outcome === 'partial') return EXIT.partial;
  if (run.outcome === 'unproven') return EXIT.unproven;
  switch (run.waitingFor?.what) {
    case 'approval':
    case 'answer':
      return EXIT.approval;
    case 'budget':
      return EXIT.budget;
    default:
      return EXIT.ok;
  }
}

/** A failed run exits with 1, except for approvals, budgets and models. */
function exitOfFailure({ failure }: RunView): ExitCode {
  const code = exitOfError(failure?.code ?? 'engine.tool_failed');
  return code === EXIT.approval || code === EXIT.budget || code === EXIT.model ? code : EXIT.failed;
}
