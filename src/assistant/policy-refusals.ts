import type { Failure, JsonObject } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';

const REFUSALS = ['engine.policy_denied', 'engine.approval_denied', 'engine.approval_expired'];

/** A refused call of a run. */
export interface PolicyRefusal {
  readonly run: string;
  readonly tool: string;
  readonly code: string;
  readonly message: string;
}

/** The calls that policy or a person refused in a run, oldest first. */
export function policyRefusals(events: Iterable<LedgerEvent>): readonly PolicyRefusal[] {
  const refused: PolicyRefusal[] = [];
  for (const { type, stream, data, body } of events) {
    // A denied approval fails the run that requested it; a denied call is a step of its own.
    if (type !== 'step.completed' && type !== 'run.failed') continue;
    const { failure } = (body ?? {}) as { readonly failure?: Failure };
    if (failure === undefined || !REFUSALS.includes(failure.code)) continue;
    const tool = (data as JsonObject)['tool'];
    refused.push({
      run: stream.slice('run/'.length),
      tool: typeof tool === 'string' ? tool : '',
      code: failure.code,
      message: failure.message,
    });
  }
  return refused;
}
