// Owns: carrying a claimed run forward until it ends or has to wait. Does not own: claiming, or waking it again.
// I1 One decision at a time; nothing is done that was not first ruled on by the whole decision chain.
// I2 The run goes on with what the ledger gave back, never with what a planner or a handler left in memory.
import { isOkaError, OkaError, toFailure } from '../kernel/index.ts';
import { type EventDraft, LEDGER_ERROR_CODES } from '../ledger/index.ts';
import { andThen } from './and-then.ts';
import { askPlanner } from './ask-planner.ts';
import type { BudgetAccount } from './budget-account.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import { callHooks, watchesNodes } from './middleware/run-hooks.ts';
import { runEvent } from './run-events.ts';
import type { RunState } from './run-state.ts';
import { ONE_STEP, SessionCore } from './session-core.ts';
import type { StateGraph } from './state-graph.ts';
import { questionAsked, remedyTaken, runCompleted, spendOf, transitionMade } from './step-events.ts';
import { ToolSteps } from './tool-steps.ts';
import type { AskHuman, Decision, Finish, Remedy, Transition } from './types.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

export class RunSession {
  readonly run: RunState;
  readonly #core: SessionCore;
  readonly #tools: ToolSteps;
  #released = false;

  constructor(run: RunState, kind: RunKind, graph: StateGraph, account: BudgetAccount, parts: EngineParts) {
    this.run = run;
    this.#core = new SessionCore(run, kind, graph, account, parts);
    this.#tools = new ToolSteps(this.#core);
  }

  /** Works until the run ends, waits, is paused, or is released. */
  async work(): Promise<void> {
    try {
      await this.#begin();
      while (this.#mayGoOn()) await this.#next();
      if (this.#released && this.run.owner !== undefined) {
        await this.#core.writer.commit([runEvent('run.released', { status: 'pending' })], 'full');
      }
    } catch (error) {
      if (isOkaError(error, 'engine.ownership_lost')) return;
      // Where the ledger itself fails nothing can be recorded; anything else ends the run instead of stranding it.
      if (this.run.ended || isOkaError(error, LEDGER_ERROR_CODES)) throw error;
      await this.#core.fail(toFailure(error, 'kernel.bug'), 'something that the run cannot go on after');
    }
  }

  /** Stops at the next boundary and leaves the run for whoever resumes it. */
  release(): void {
    this.#released = true;
    this.#core.stop.stop(
      new OkaError('engine.cancelled', 'the process is stopping; the run can be resumed.'),
    );
  }

  #mayGoOn(): boolean {
    const { run } = this;
    if (run.ended || run.paused || this.#released || run.owner === undefined) return false;
    return run.waiting === undefined || run.waiting.for === 'outcome' || run.cancelRequested !== undefined;
  }

  async #begin(): Promise<void> {
    if (this.run.begun !== false) return;
    const { hooks, recall } = this.#core.parts;
    const drafts = hooks.has('before_run') ? await callHooks(hooks, 'before_run', this.#core.describe()) : [];
    const { goal, kind, vars, id, lineage } = this.run;
    const run = { id, ...(lineage.parent === undefined ? {} : { parent: lineage.parent }) };
    const recalled = recall === undefined ? [] : await recall.recall({ goal, kind, vars, run });
    const untrusted = recalled.some((fact) => fact.untrusted) ? true : undefined;
    if (recalled.length > 0)
      drafts.push(runEvent('evidence.recalled', { count: recalled.length, untrusted }, recalled));
    if (drafts.length > 0) await this.#core.writer.commit(drafts, 'normal');
  }

  #next(): Promise<void> {
    const { run } = this;
    if (run.cancelRequested) return this.#cancel(run.cancelRequested.by, run.cancelRequested.reason);
    if (run.pauseRequestedBy !== undefined) {
      const paused = runEvent('run.paused', { by: run.pauseRequestedBy, status: 'paused' });
      return this.#core.writer.commit([paused], 'full');
    }
    if (run.denied) return this.#hearDenial(run.denied);
    if (run.intent) return this.#tools.recover(run.intent);
    if (run.waiting?.for === 'outcome') return this.#tools.settlePending();
    if (run.approved) return this.#tools.call(run.approved.call, run.approved);
    return andThen(askPlanner(this.#core), (decision) =>
      decision === undefined ? undefined : this.#carryOut(decision),
    ) as Promise<void>;
  }

  #carryOut(decision: Decision): Promise<void> {
    switch (decision.kind) {
      case 'call_tool':
        return this.#tools.call(decision);
      case 'transition':
        return this.#transition(decision);
      case 'ask_human':
        return this.#ask(decision);
      case 'finish':
        return this.#finish(decision);
      case 'fail': {
        const failure = { code: decision.code ?? 'engine.planner_failed', message: decision.reason };
        return this.#core.fail(failure, decision.rationale, { planned: decision });
      }
    }
  }

  async #transition(decision: Transition): Promise<void> {
    const core = this.#core;
    const spend = spendOf(decision);
    const parking = core.desk.setAside(ONE_STEP);
    const short = parking instanceof Promise ? await parking : parking;
    if (short !== undefined) return core.park(short, spend);
    const asked = core.rule(decision, { notes: {} });
    const ruling = asked instanceof Promise ? await asked : asked;
    if (ruling.kind === 'park') return core.park(ruling.waiting, spend);
    const moving = ruling.kind === 'go' ? core.move(decision.to) : ruling;
    const move = moving instanceof Promise ? await moving : moving;
    if (move.kind === 'refuse') return core.fail(move.failure, decision.rationale, { spend });
    if (core.graph.isTerminal(decision.to)) {
      const message = `"${decision.to}" is an end; a run gets there by finishing or failing, not by a transition.`;
      return core.fail({ code: 'engine.invalid_transition', message }, decision.rationale, { spend });
    }
    const hooked = core.graph.spec.definition !== undefined && watchesNodes(core.parts.hooks);
    const drafts = hooked && decision.remedy === undefined ? await this.#hooksAround(decision) : [];
    // Hooks that were cut off are run again, with the transition, by whoever resumes the run.
    if (drafts === undefined) return;
    if (decision.remedy === undefined) drafts.push(transitionMade(this.run, decision));
    else drafts.push(remedyTaken(this.run, decision, this.#retryAt(decision.remedy)));
    await core.writer.commit(drafts, 'normal');
  }

  /** A state of a graph that only leads on is a node too, to those who attach hooks to nodes. */
  async #hooksAround(decision: Transition): Promise<EventDraft[] | undefined> {
    const { hooks } = this.#core.parts;
    const { signal } = this.#core.stop;
    const event = { ...this.#core.describe(), to: decision.to };
    try {
      const before = await callHooks(hooks, 'before_node', event, signal);
      const after = await callHooks(hooks, 'after_node', { ...event, outcome: 'output' }, signal);
      return signal.aborted ? undefined : [...before, ...after];
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** When to try again: later each time, and never all at once. */
  #retryAt(remedy: Remedy): number {
    const { clock, random } = this.#core.parts;
    const attempt = remedy.kind === 'retry' ? remedy.attempt : 1;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    return clock.now() + Math.round(pause * (0.5 + random.next() / 2));
  }

  async #ask(decision: AskHuman): Promise<void> {
    const core = this.#core;
    const spend = spendOf(decision);
    if (!(await core.enough(ONE_STEP, spend))) return;
    const ruling = await core.rule(decision, { notes: {} });
    if (ruling.kind === 'park') return core.park(ruling.waiting, spend);
    if (ruling.kind === 'refuse') return core.fail(ruling.failure, decision.rationale, { spend });
    const asked = questionAsked(this.run, decision, core.asking(decision.expiresInMs));
    await core.writer.commit([asked], 'full', () => core.desk.giveBack({ ...ONE_STEP, ...spend }, false));
  }

  async #finish(decision: Finish): Promise<void> {
    const core = this.#core;
    const { run } = this;
    const spend = spendOf(decision);
    const ruling = await core.rule(decision, { notes: {} });
    const target = core.graph.finishFrom(run.state);
    if (ruling.kind !== 'go' || target === undefined) {
      const message = `a run cannot finish from the state "${run.state}".`;
      const failure =
        ruling.kind === 'refuse' ? ruling.failure : { code: 'engine.invalid_transition', message };
      return core.fail(failure, decision.rationale, { spend });
    }
    const move = await core.move(target);
    if (move.kind === 'refuse') return core.fail(move.failure, decision.rationale, { spend });
    const { redactor, hooks } = core.parts;
    const output = redactor.json(decision.output);
    const event = { ...core.describe(), status: 'completed', output };
    const drafts = hooks.has('after_run') ? await callHooks(hooks, 'after_run', event) : [];
    drafts.push(runCompleted(run, decision, target, output));
    await core.writer.commit(drafts, 'full', () => core.endings('completed', { output }, spend));
  }

  /** A no ends the run, unless its planner can plan around it; that nobody answered always does. */
  #hearDenial({ id, code, call }: NonNullable<RunState['denied']>): Promise<void> {
    const denied = code === 'engine.approval_denied';
    if (denied && call !== undefined && this.#core.kind.planner.hearsDenials?.(this.#core.view()))
      return this.#tools.recordDenial(call, id);
    const message = denied
      ? 'a person denied what the run asked for.'
      : 'nobody answered in time, which counts as a denial.';
    return this.#core.fail({ code, message }, 'what was asked for may not be done, so the run ends');
  }

  async #cancel(by: string, reason: string): Promise<void> {
    const { writer, endings } = this.#core;
    const cancelled = runEvent('run.cancelled', { by, reason, state: this.run.state, status: 'cancelled' });
    const failure = { code: 'engine.cancelled', message: reason };
    await writer.commit([cancelled], 'full', () => endings.call(this.#core, 'cancelled', { failure }));
  }
}
