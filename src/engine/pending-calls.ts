// Owns: calls whose outcome comes later, from a timer, an event or child runs. Does not own: making calls.
import type { StreamAppend } from '../ledger/index.ts';
import { sumOf } from './budgets.ts';
import { type ChildrenRefusal, ChildrenRefused, startChildren } from './children.ts';
import { isLongerThan, MAX_OUTPUT_BYTES } from './output-size.ts';
import { resolvedOutcome } from './pending-outcome.ts';
import { runEvent, runStream } from './run-events.ts';
import type { PendingOutcome, Waiting } from './run-state.ts';
import { ONE_CALL, type Session } from './session.ts';
import { type CallFacts, callPending, outcomeRecorded, type ReadMarks, spendOf } from './step-events.ts';
import type { ToolFace } from './tool.ts';
import type { CallTool, Pending, RecoveryNote } from './types.ts';

/** Records what the outcome waits for, and starts the child runs where it waits for them. */
export async function recordPending(
  session: Session,
  call: CallTool,
  tool: ToolFace,
  pending: Pending,
  facts: CallFacts,
  read: ReadMarks,
): Promise<void> {
  const { run, writer, budgets, parts } = session;
  // An intent has already charged what the decision cost.
  const { model: _, spend: __, ...charged } = call;
  const recorded = run.intent ? charged : call;
  const spending = sumOf(run.intent ? { tool_calls: 1 } : ONE_CALL, spendOf(recorded) ?? {});
  if (pending.kind !== 'children') {
    const event = callPending(run, recorded, facts, pending, undefined, read);
    return writer.commit([event], 'full', () => budgets.release(spending, false));
  }
  try {
    const started = await startChildren(pending, { run, call, read }, spending, budgets.account, parts);
    const event = callPending(run, recorded, facts, pending, started.ids, read);
    await writer.commit([event], 'full', started.appends);
  } catch (error) {
    if (!(error instanceof ChildrenRefused)) throw error;
    await refuseChildren(session, call, tool, facts, error.refused);
  }
}

function refuseChildren(
  session: Session,
  call: CallTool,
  tool: ToolFace,
  facts: CallFacts,
  { park, failure }: ChildrenRefusal,
): Promise<void> {
  if (session.run.intent) {
    const event = outcomeRecorded({ step: facts.step, tool: tool.name }, { kind: 'failure', failure }, {});
    return session.writer.commit([event], 'full');
  }
  return park ? session.park(park, spendOf(call)) : session.refuse(call, failure, facts);
}

/** Records the outcome that a timer, an event or the last child run has brought. */
export async function settlePending(session: Session): Promise<void> {
  const { run, writer, parts } = session;
  const { waiting } = run;
  if (waiting?.for !== 'outcome') return;
  const outcome = limited(resolvedOutcome(waiting, run, parts.clock.now()), waiting);
  if (outcome === undefined)
    return writer.commit([runEvent('run.released', { status: 'waiting' })], 'normal');
  const to = outcome.kind === 'output' ? await session.allowedTarget(waiting.to) : undefined;
  const event = outcomeRecorded(waiting, outcome, { to, recovered: leftOut(waiting.pending) });
  await writer.commit([event], 'full', () => cancelChildren(waiting.pending, parts.actor));
}

/** Refuses the joined output of child runs that is larger than the output of a tool may be. */
function limited(
  outcome: ReturnType<typeof resolvedOutcome>,
  { tool, pending }: Extract<Waiting, { for: 'outcome' }>,
): ReturnType<typeof resolvedOutcome> {
  if (outcome?.kind !== 'output' || pending.kind !== 'children') return outcome;
  if (!isLongerThan(outcome.output, MAX_OUTPUT_BYTES)) return outcome;
  const children = pending.children.length;
  const message = `The outputs of the ${children} child runs of ${tool} have more than ${MAX_OUTPUT_BYTES} bytes together. Let each child run return less, for example the name of a file that it writes, or start fewer of them at once.`;
  const data = { tool, children, limit: MAX_OUTPUT_BYTES };
  return { kind: 'failure', failure: { code: 'engine.output_too_large', message, data } };
}

/** The failed children that the outcome leaves out or collects. */
function leftOut(pending: PendingOutcome): readonly RecoveryNote[] | undefined {
  if (pending.kind !== 'children' || pending.onError === 'fail') return undefined;
  const notes = Object.entries(pending.ended).flatMap(([subject, { status, failure }]): RecoveryNote[] =>
    status === 'completed'
      ? []
      : [
          {
            kind: 'skipped',
            subject,
            message: failure?.message ?? status,
            ...(failure && { code: failure.code }),
          },
        ],
  );
  return notes.length === 0 ? undefined : notes;
}

/** Requests to cancel the children that are no longer awaited, in the commit that continues without them. */
function cancelChildren(pending: PendingOutcome, by: string): StreamAppend[] {
  if (pending.kind !== 'children') return [];
  const event = runEvent('run.cancel_requested', { by, reason: 'its parent continued without it' });
  return pending.children
    .filter((child) => pending.ended[child] === undefined)
    .map((child) => ({ stream: runStream(child), events: [event] }));
}
