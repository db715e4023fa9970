// Owns: control of a run from outside. Each operation is one commit on the run's stream; its owner, if any, reads it at its
// next step.
import { isOkaError, type Json, OkaError } from '../kernel/index.ts';
import type { EventDraft, StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import { type BudgetName, type Spend, sumOf } from './budgets.ts';
import type { EngineParts } from './engine-parts.ts';
import { loadRun } from './load-run.ts';
import { runEvent, runStream } from './run-events.ts';
import { type RunState, statusOf } from './run-state.ts';
import { descendantsOf } from './run-tree.ts';
import { commitToRun } from './run-writer.ts';

interface Change {
  readonly events: readonly EventDraft[];
  readonly others?: readonly StreamAppend[] | undefined;
}

type Verb = (run: RunState) => Change | undefined | Promise<Change | undefined>;

async function append(id: string, by: string, parts: EngineParts, verb: Verb): Promise<RunState> {
  for (;;) {
    const run = await loadRun(id, parts);
    const answer = await verb(run);
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
    // A requested pause is still open if the owner released the run before its next step.
    if (run.paused || (run.pauseRequestedBy !== undefined && isOwned(run, parts))) return undefined;
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
    // The model call in which the run's process died is charged with the end of the run.
    const { reserved = {} } = run;
    const returned = account.returnUnused(run, reserved, true);
    const others: StreamAppend[] = returned ? [returned] : [];
    if (run.lineage.parent === undefined) return { events, others };
    const failure = { code: 'engine.cancelled', message: reason };
    const ended = runEvent(
      'child.ended',
      { child: run.id, status: 'cancelled', used: sumOf(run.used, reserved) },
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

/**
 * Raises the limits of a run and its ancestors, and unparks it. Its descendants that wait for one of these budgets get the
 * same amounts, and continue within the raised limit of the run.
 */
export async function addBudget(
  id: string,
  amounts: Spend,
  by: string,
  parts: EngineParts,
): Promise<RunState> {
  const account = await currentAccount(id, parts);
  return append(id, by, parts, async (run) => {
    requireLive(run);
    const below = await runsToUnpark(run, amounts, parts);
    const above = await ancestorsOf(run, parts);
    const shared = account.add(
      id,
      amounts,
      by,
      below.map((one) => one.id),
    );
    const others = [...above, ...below].map((one) => ({
      stream: runStream(one.id),
      expectedIndex: one.index + 1,
      events: [budgetAdded(one, amounts, by)],
    }));
    return { events: [budgetAdded(run, amounts, by)], others: shared ? [shared, ...others] : others };
  });
}

function budgetAdded(run: RunState, amounts: Spend, by: string): EventDraft {
  const waits = run.waiting !== undefined && run.waiting.for !== 'budget';
  const status = run.paused ? 'paused' : waits ? 'waiting' : 'pending';
  return runEvent('run.budget_added', {
    amounts,
    by,
    status: run.owner === undefined ? status : statusOf(run),
  });
}

async function ancestorsOf({ lineage }: RunState, parts: EngineParts): Promise<readonly RunState[]> {
  const above: RunState[] = [];
  for (let up = lineage.parent; up !== undefined; up = above.at(-1)?.lineage.parent)
    above.push(await loadRun(up, parts));
  return above.filter(({ ended }) => ended === undefined);
}

/** The descendants that wait for one of these budgets, and the runs between them and `run`. */
async function runsToUnpark(run: RunState, amounts: Spend, parts: EngineParts): Promise<readonly RunState[]> {
  if (run.used.children === undefined) return [];
  const below = new Map<string, RunState>();
  for (const { id, endedAt } of await descendantsOf({ id: run.id, root: run.lineage.root }, parts.runs))
    if (endedAt === undefined) below.set(id, await loadRun(id, parts));
  const found = new Set<RunState>();
  for (const one of below.values()) {
    if (one.waiting?.for !== 'budget' || !addsTo(one.waiting.budget, amounts)) continue;
    for (let up: RunState | undefined = one; up !== undefined; up = below.get(up.lineage.parent ?? ''))
      found.add(up);
  }
  return [...found];
}

function addsTo(budget: BudgetName, amounts: Spend): boolean {
  return (amounts[budget] ?? 0) > 0;
}

/** Records a user's correction, for statistics. */
export function correctRun(id: string, text: string, by: string, parts: EngineParts): Promise<RunState> {
  return append(id, by, parts, () => ({
    events: [runEvent('run.corrected', { by }, { text: parts.redactor.text(text) })],
  }));
}
