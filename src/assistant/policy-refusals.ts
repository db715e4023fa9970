import type { Failure, JsonObject } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';

const REFUSALS = ['engine.policy_denied', 'engine.approval_denied', 'engine.approval_expired'];

/** Something that a run tried and was refused. */
export interface PolicyRefusal {
  readonly run: string;
  readonly tool: string;
  readonly code: string;
  readonly message: string;
}

/** What policy or a person refused in the events of a run, oldest first. */
export function policyRefusals(events: Iterable<LedgerEvent>): readonly PolicyRefusal[] {
  const refused: PolicyRefusal[] = [];
  for (const { type, stream, data, body } of events) {
    // A refused approval ends the run that asked for it; a refused call is a step of its own.
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
