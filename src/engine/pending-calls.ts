// Owns: calls whose outcome comes later, from a timer, an event or children. Does not own: the calls themselves.
import type { Failure } from '../kernel/index.ts';
import type { StreamAppend } from '../ledger/index.ts';
import { addSpend, type BudgetName } from './budgets.ts';
import { NoRoom, type RefusedChildren, startChildren } from './children.ts';
import { resolvedOutcome } from './pending-outcome.ts';
import { runEvent, runStream } from './run-events.ts';
import type { PendingOutcome, RunState } from './run-state.ts';
import { ONE_CALL, type SessionCore } from './session-core.ts';
import { type CallFacts, callPending, outcomeRecorded, spendOf } from './step-events.ts';
import type { ToolFace } from './tool.ts';
import type { CallTool, Pending } from './types.ts';

type Refuse = (call: CallTool, failure: Failure, facts: CallFacts) => Promise<void>;

export class PendingCalls {
  readonly #core: SessionCore;
  readonly #run: RunState;
  readonly #refuse: Refuse;

  constructor(core: SessionCore, refuse: Refuse) {
    this.#core = core;
    this.#run = core.run;
    this.#refuse = refuse;
  }

  /** Puts on record what the outcome hangs on, and starts the children where it hangs on them. */
  async record(call: CallTool, tool: ToolFace, pending: Pending, facts: CallFacts): Promise<void> {
    const run = this.#run;
    const { writer, desk, parts } = this.#core;
    // What the decision cost was charged with the intent, where there is one.
    const { model: _, spend: __, ...charged } = call;
    const told = run.intent ? charged : call;
    const spending: { [name in BudgetName]?: number } = run.intent ? { tool_calls: 1 } : { ...ONE_CALL };
    addSpend(spending, spendOf(told) ?? {});
    if (pending.kind !== 'children') {
      const event = callPending(run, told, facts, pending, undefined);
      return writer.commit([event], 'full', () => desk.giveBack(spending, false));
    }
    try {
      const started = await startChildren(pending, run, spending, desk.account, parts);
      const event = callPending(run, told, facts, pending, started.ids);
      return await writer.commit([event], 'full', started.appends);
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      return this.#refuseChildren(call, tool, facts, error.refused);
    }
  }

  #refuseChildren(
    call: CallTool,
    tool: ToolFace,
    facts: CallFacts,
    { park, failure }: RefusedChildren,
  ): Promise<void> {
    if (this.#run.intent) {
      const told = { step: facts.step, tool: tool.name };
      const event = outcomeRecorded(told, { kind: 'failure', failure }, { to: undefined });
      return this.#core.writer.commit([event], 'full');
    }
    return park ? this.#core.park(park, spendOf(call)) : this.#refuse(call, failure, facts);
  }

  /** Records the outcome that a timer, an event or the last child has brought. */
  async settle(): Promise<void> {
    const { writer, parts } = this.#core;
    const { waiting } = this.#run;
    if (waiting?.for !== 'outcome') return;
    const outcome = resolvedOutcome(waiting, this.#run, parts.clock.now());
    if (outcome === undefined)
      return writer.commit([runEvent('run.released', { status: 'waiting' })], 'normal');
    const to =
      outcome.kind === 'output' && waiting.to !== undefined ? await this.#core.agreed(waiting.to) : undefined;
    const event = outcomeRecorded(waiting, outcome, { to });
    await writer.commit([event], 'full', () => this.#callOff(waiting.pending));
  }

  /** Children that nobody waits for any more are to stop, in the commit that goes on without them. */
  #callOff(pending: PendingOutcome): StreamAppend[] {
    if (pending.kind !== 'children') return [];
    const reason = 'its parent goes on without it';
    const event = runEvent('run.cancel_requested', { by: this.#core.parts.actor, reason });
    return pending.children
      .filter((child) => pending.ended[child] === undefined)
      .map((child) => ({ stream: runStream(child), events: [event] }));
  }
}
