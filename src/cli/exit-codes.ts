import type { ErrorCode, RunView } from '../api/index.ts';

/** What a command's exit says to scripts. Published in the README. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  invalidInput: 3,
  approval: 4,
  budget: 5,
  model: 6,
  integrity: 7,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const { failed, usage, invalidInput, approval, budget, model, integrity } = EXIT;

const BY_ERROR: Readonly<Record<ErrorCode, ExitCode>> = {
  'cli.usage': usage,
  'cli.invalid_json': invalidInput,
  'cli.unexpected': failed,
  'kernel.not_canonical': invalidInput,
  'kernel.template_invalid': invalidInput,
  'kernel.template_missing': invalidInput,
  'kernel.path_refused': invalidInput,
  'kernel.bug': failed,
  'config.not_trusted': approval,
  'config.no_workspace': invalidInput,
  'config.no_folder': invalidInput,
  'config.link_refused': invalidInput,
  'config.unwritable': failed,
  'config.unreadable': failed,
  'config.malformed': invalidInput,
  'config.invalid': invalidInput,
  'ledger.conflict': failed,
  'ledger.damaged': integrity,
  'ledger.database_missing': integrity,
  'ledger.newer_schema': failed,
  'ledger.unsupported_sqlite': failed,
  'ledger.disk_full': failed,
  'ledger.read_only': failed,
  'ledger.busy': failed,
  'ledger.unavailable': failed,
  'ledger.bad_event': integrity,
  'ledger.closed': failed,
  'engine.unknown_run': invalidInput,
  'engine.unknown_kind': invalidInput,
  'engine.unknown_tool': invalidInput,
  'engine.unknown_approval': invalidInput,
  'engine.run_owned': failed,
  'engine.run_ended': invalidInput,
  'engine.ownership_lost': failed,
  'engine.invalid_graph': invalidInput,
  'engine.invalid_tool': invalidInput,
  'engine.invalid_decision': invalidInput,
  'engine.invalid_transition': failed,
  'engine.tool_not_eligible': failed,
  'engine.tool_input_invalid': invalidInput,
  'engine.tool_output_invalid': failed,
  'engine.tool_failed': failed,
  'engine.tool_timeout': budget,
  'engine.output_too_large': failed,
  'engine.effect_unknown': approval,
  'engine.effect_under_way': failed,
  'engine.key_reused': invalidInput,
  'engine.planner_failed': failed,
  'engine.repeated_call': failed,
  'engine.policy_denied': approval,
  'engine.approval_denied': approval,
  'engine.approval_expired': approval,
  'engine.approval_mismatch': approval,
  'engine.approval_decided': invalidInput,
  'engine.answer_not_offered': invalidInput,
  'engine.budget_exhausted': budget,
  'engine.invalid_budget': invalidInput,
  'engine.rate_limited': budget,
  'engine.middleware_violation': failed,
  'engine.hook_failed': failed,
  'engine.cancelled': failed,
  'engine.child_failed': failed,
  'engine.pins_changed': failed,
  'engine.nothing_to_undo': invalidInput,
  'engine.undo_conflict': failed,
  'engine.content_erased': invalidInput,
  'engine.artifact_missing': integrity,
  'engine.artifact_damaged': integrity,
  'engine.not_waiting': invalidInput,
  'graph.unknown': invalidInput,
  'graph.invalid': invalidInput,
  'graph.input_invalid': invalidInput,
  'graph.exists': invalidInput,
  'graph.patch_refused': invalidInput,
  'graph.condition_type': failed,
  'graph.condition_pattern': failed,
  'graph.expression_failed': failed,
  'graph.unknown_node': failed,
  'graph.missing_value': failed,
  'graph.max_steps': budget,
  'graph.not_a_list': failed,
  'graph.too_many_items': failed,
  'graph.branch_not_offered': failed,
  'graph.build_failed': invalidInput,
  'graph.cannot_place': invalidInput,
  'graph.cannot_promote': invalidInput,
  'graph.too_large_to_draw': invalidInput,
  'models.not_configured': model,
  'models.request_failed': model,
  'models.rate_limited': model,
  'models.context_exceeded': model,
  'models.refused': model,
  'models.malformed': model,
  'models.stream_cut': model,
  'models.script_invalid': model,
  'schedule.invalid_cron': invalidInput,
  'schedule.unknown_zone': invalidInput,
  'schedule.never_fires': invalidInput,
  'schedule.unknown': invalidInput,
  'schedule.invalid': invalidInput,
  'schedule.not_started': failed,
  'files.invalid_path': invalidInput,
  'files.outside_workspace': invalidInput,
  'files.protected': invalidInput,
  'files.not_found': invalidInput,
  'files.not_a_file': invalidInput,
  'files.not_a_folder': invalidInput,
  'files.not_text': invalidInput,
  'files.too_large': invalidInput,
  'files.changed': failed,
  'files.denied': failed,
  'files.disk_full': failed,
  'files.io_failed': failed,
  'agent.goal_not_understood': invalidInput,
  'agent.answer_not_usable': invalidInput,
  'agent.not_confirmed': approval,
  'agent.not_validated': failed,
  'agent.output_too_large': failed,
};

export function exitOfError(code: string): ExitCode {
  return (BY_ERROR as Readonly<Record<string, ExitCode>>)[code] ?? failed;
}

/** How a command ends that answered with a run: by what became of it, or what it waits for. */
export function exitOfRun(run: RunView): ExitCode {
  if (run.status === 'failed')
    return run.failure?.code.startsWith('models.') ? EXIT.model : exitOfFailure(run);
  if (run.status === 'cancelled') return failed;
  switch (run.waitingFor?.what) {
    case 'approval':
    case 'answer':
      return approval;
    case 'budget':
      return budget;
    default:
      return EXIT.ok;
  }
}

/** A failed run is a failure; only approvals and budgets have codes of their own. */
function exitOfFailure(run: RunView): ExitCode {
  const code = exitOfError(run.failure?.code ?? 'engine.tool_failed');
  return code === approval || code === budget ? code : failed;
}
