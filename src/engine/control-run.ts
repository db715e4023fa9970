// Owns: control of a run from outside. Each operation is one commit on the run's stream; its owner, if any, reads it at its
// next step.
import { isOkaError, type Json, OkaError } from '../kernel/index.ts';
import type { EventDraft, StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import type { Spend } from './budgets.ts';
import type { EngineParts } from './engine-parts.ts';
import { loadRun } from './load-run.ts';
import { runEvent, runStream } from './run-events.ts';
import { type RunState, statusOf } from './run-state.ts';
import { commitToRun } from './run-writer.ts';

type Verb = (
  run: RunState,
) => { events: readonly EventDraft[]; others?: readonly StreamAppend[] | undefined } | undefined;

async function append(id: string, by: string, parts: EngineParts, verb: Verb): Promise<RunState> {
  for (;;) {
    const run = await loadRun(id, parts);
    const answer = verb(run);
    if (answer === undefined) return run;
    try {
      await commitToRun(run, answer.events, parts, { by, sync: 'full', others: answer.others });
      return run;
    } catch (error) {
      if (!isOkaError(error, 'ledger.conflict')) throw error;
      await (await parts.account(run.lineage.root)).refresh();
    }
  }
}

async function currentAccount(id: string, parts: EngineParts): Promise<BudgetAccount> {
  const { lineage } = await loadRun(id, parts);
  const account = await parts.account(lineage.root);
  // A shared account detects other writers when it commits. Reading it again for each of many children would be quadratic.
  if (!account.shared) await account.refresh();
  return account;
}

function requireLive(run: RunState): void {
  if (!run.ended) return;
  throw new OkaError(
    'engine.run_ended',
    `Run ${run.id} has already ${run.ended.status === 'completed' ? 'completed' : `been ${run.ended.status}`}.`,
    { data: { run: run.id, status: run.ended.status } },
  );
}

function isOwned(run: RunState, parts: EngineParts): boolean {
  return run.owner !== undefined && parts.owners.isAlive(run.owner);
}

/** Stops the run at its next step boundary. */
export function pauseRun(id: string, by: string, parts: EngineParts): Promise<RunState> {
  return append(id, by, parts, (run) => {
    requireLive(run);
    if (run.paused || run.pauseRequestedBy !== undefined) return undefined;
    return {
      events: [
        isOwned(run, parts)
          ? runEvent('run.pause_requested', { by })
          : runEvent('run.paused', { by, status: 'paused' }),
      ],
    };
  });
}

/** Reverts a pause; the run is then ready or waiting as before. */
export function unpauseRun(id: string, by: string, parts: EngineParts): Promise<RunState> {
  return append(id, by, parts, (run) => {
    if (!run.paused) return undefined;
    return { events: [runEvent('run.unpaused', { by, status: run.waiting ? 'waiting' : 'pending' })] };
  });
}

/** Ends the run. A live owner is asked to stop and ends it; otherwise it ends here. */
export async function cancelRun(
  id: string,
  by: string,
  reason: string,
  parts: EngineParts,
): Promise<RunState> {
  const account = await currentAccount(id, parts);
  return append(id, by, parts, (run) => {
    if (run.ended?.status === 'cancelled') return undefined;
    requireLive(run);
    if (isOwned(run, parts) && run.cancelRequested) return undefined;
    if (isOwned(run, parts)) return { events: [runEvent('run.cancel_requested', { by, reason })] };
    const events = [runEvent('run.cancelled', { by, reason, state: run.state, status: 'cancelled' })];
    const returned = account.returnUnused(run, {}, true);
    const others: StreamAppend[] = returned ? [returned] : [];
    if (run.lineage.parent === undefined) return { events, others };
    const failure = { code: 'engine.cancelled', message: reason };
    const ended = runEvent(
      'child.ended',
      { child: run.id, status: 'cancelled', used: run.used },
      { failure },
    );
    return { events, others: [...others, { stream: runStream(run.lineage.parent), events: [ended] }] };
  });
}

/** Delivers an event and stores it until the run waits for it, so that an early event is not lost. */
export function signalRun(
  id: string,
  signal: { event: string; payload: Json },
  by: string,
  parts: EngineParts,
): Promise<RunState> {
  return append(id, by, parts, (run) => {
    requireLive(run);
    return {
      events: [runEvent('run.signalled', { event: signal.event, by }, parts.redactor.json(signal.payload))],
    };
  });
}

/** Raises limits and unparks a run that stopped at one. */
export async function addBudget(
  id: string,
  amounts: Spend,
  by: string,
  parts: EngineParts,
): Promise<RunState> {
  const account = await currentAccount(id, parts);
  return append(id, by, parts, (run) => {
    requireLive(run);
    const waits = run.waiting !== undefined && run.waiting.for !== 'budget';
    const status = run.paused ? 'paused' : waits ? 'waiting' : 'pending';
    const shared = account.add(id, amounts, by);
    return {
      events: [
        runEvent('run.budget_added', {
          amounts,
          by,
          status: run.owner === undefined ? status : statusOf(run),
        }),
      ],
      others: shared && [shared],
    };
  });
}

/** Records a user's correction, for statistics. */
export function correctRun(id: string, text: string, by: string, parts: EngineParts): Promise<RunState> {
  return append(id, by, parts, () => ({
    events: [runEvent('run.corrected', { by }, { text: parts.redactor.text(text) })],
  }));
}
