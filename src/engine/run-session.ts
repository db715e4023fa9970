// Owns: working on a claimed run until it ends or has to wait. Does not own: claiming it, or waking it.
// I1 One decision at a time; nothing is done before the whole decision chain has ruled on it.
// I2 The run continues from what the ledger stored, never from what a planner or a handler left in memory.
import { backoffMs, isOkaError, OkaError, toFailure } from '../kernel/index.ts';
import { type EventDraft, LEDGER_ERROR_CODES } from '../ledger/index.ts';
import { askPlanner } from './ask-planner.ts';
import type { BudgetAccount } from './budget-account.ts';
import type { Spend } from './budgets.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import { judgeEnd } from './judge-end.ts';
import { callHooks, hasNodeHooks } from './middleware/run-hooks.ts';
import { settlePending } from './pending-calls.ts';
import { recoverIntent } from './recover-intent.ts';
import { runEvent } from './run-events.ts';
import type { RunState } from './run-state.ts';
import { ONE_STEP, Session } from './session.ts';
import type { StateGraph } from './state-graph.ts';
import {
  questionAsked,
  remedyTaken,
  retriesOf,
  runCompleted,
  spendOf,
  transitionMade,
} from './step-events.ts';
import { callTool } from './tool-step.ts';
import type { AskHuman, CallTool, Decision, Finish, Remedy, Transition } from './types.ts';

const PAUSES = { firstMs: 500, longestMs: 60_000 };

export interface ReleaseOptions {
  /** Lets the current step finish. */
  readonly afterStep?: boolean;
}

export class RunSession {
  readonly run: RunState;
  readonly #session: Session;
  #released = false;
  #underWay: { readonly step: number; readonly decision: Decision } | undefined;

  constructor(run: RunState, kind: RunKind, graph: StateGraph, account: BudgetAccount, parts: EngineParts) {
    this.run = run;
    this.#session = new Session(run, kind, graph, account, parts);
  }

  /** Works until the run ends, waits, is paused, or is released. */
  async work(): Promise<void> {
    try {
      await this.#session.budgets.load();
      await this.#begin();
      while (this.#canContinue()) {
        await this.#next();
        if (this.#session.budgets.hasOpenCall) await this.#session.budgets.settleCall();
      }
      if (this.#released && this.run.owner !== undefined) {
        await this.#session.writer.commit([runEvent('run.released', { status: 'pending' })], 'full');
      }
    } catch (error) {
      if (isOkaError(error, 'engine.ownership_lost')) return;
      // When the ledger fails nothing can be recorded; any other error ends the run instead of leaving it stranded.
      if (this.run.ended || isOkaError(error, LEDGER_ERROR_CODES)) throw error;
      const spend = this.#unrecordedSpend();
      const rationale = 'an error that the run cannot continue after';
      await this.#session.fail(toFailure(error, 'kernel.bug'), rationale, { spend });
      // The commit above settles everything but pools in another ledger.
      if (this.#session.budgets.hasOpenCall) await this.#session.budgets.settleCall();
    }
  }

  /**
   * Stops after the current step and releases the run, so that any process can resume it. The step is interrupted where its
   * tool allows it, unless `afterStep` is set.
   */
  release({ afterStep = false }: ReleaseOptions = {}): void {
    this.#released = true;
    if (afterStep) return;
    this.#session.stop.stop(
      new OkaError('engine.cancelled', 'The process is stopping. The run can be resumed.'),
    );
  }

  #canContinue(): boolean {
    const { run } = this;
    if (run.ended || run.paused || this.#released || run.owner === undefined) return false;
    return run.waiting === undefined || run.waiting.for === 'outcome' || run.cancelRequested !== undefined;
  }

  async #begin(): Promise<void> {
    if (this.run.begun !== false) return;
    const { hooks, recall } = this.#session.parts;
    const drafts = await callHooks(hooks, 'before_run', this.#session.describe());
    const { goal, kind, vars, id, lineage } = this.run;
    const run = { id, ...(lineage.parent === undefined ? {} : { parent: lineage.parent }) };
    const recalled = recall === undefined ? [] : await recall.recall({ goal, kind, vars, run });
    if (recalled.length > 0) {
      const about = {
        count: recalled.length,
        untrusted: recalled.some((fact) => fact.untrusted) ? (true as const) : undefined,
      };
      drafts.push(runEvent('evidence.recalled', about, recalled));
    }
    if (drafts.length > 0) await this.#session.writer.commit(drafts, 'normal');
  }

  async #next(): Promise<void> {
    const { run } = this;
    const session = this.#session;
    if (run.cancelRequested) return this.#cancel(run.cancelRequested.by, run.cancelRequested.reason);
    if (run.pauseRequestedBy !== undefined) {
      const paused = runEvent('run.paused', { by: run.pauseRequestedBy, status: 'paused' });
      return session.writer.commit([paused], 'full');
    }
    if (run.denied) return this.#handleDenial(run.denied);
    if (run.intent) return recoverIntent(session, run.intent);
    if (run.waiting?.for === 'outcome') return settlePending(session);
    if (run.approved) return callTool(session, run.approved.call, run.approved);
    const decision = await askPlanner(session);
    if (decision === undefined) return;
    this.#underWay = { step: run.step, decision };
    await this.#carryOut(decision);
    this.#underWay = undefined;
  }

  /** What the decision that was being carried out has cost, unless an event of its step has charged it. */
  #unrecordedSpend(): Spend | undefined {
    const underWay = this.#underWay;
    return underWay?.step === this.run.step ? spendOf(underWay.decision) : undefined;
  }

  #carryOut(decision: Decision): Promise<void> {
    switch (decision.kind) {
      case 'call_tool':
        return callTool(this.#session, decision);
      case 'transition':
        return this.#transition(decision);
      case 'ask_human':
        return this.#ask(decision);
      case 'finish':
        return this.#finish(decision);
      case 'fail': {
        const failure = { code: decision.code ?? 'engine.planner_failed', message: decision.reason };
        return this.#session.fail(failure, decision.rationale, { planned: decision });
      }
    }
  }

  async #transition(decision: Transition): Promise<void> {
    const session = this.#session;
    const spend = spendOf(decision);
    const retries = retriesOf(decision);
    const need = retries === 0 ? ONE_STEP : { ...ONE_STEP, retries };
    if (!(await session.reserveOrPark(need, decision.model?.spend))) return;
    const ruling = await session.rule(decision);
    if (ruling.kind === 'park') return session.park(ruling.waiting, decision.model?.spend);
    const move = ruling.kind === 'go' ? await session.move(decision.to) : ruling;
    if (move.kind === 'refuse') return session.fail(move.failure, decision.rationale, { spend });
    if (session.graph.isTerminal(decision.to)) {
      const message = `"${decision.to}" is an end; a run gets there by finishing or failing, not by a transition.`;
      return session.fail({ code: 'engine.invalid_transition', message }, decision.rationale, { spend });
    }
    const hooked = session.graph.spec.definition !== undefined && hasNodeHooks(session.parts.hooks);
    const drafts = hooked && decision.remedy === undefined ? await this.#hooksAround(decision) : [];
    // Hooks that were cancelled run again, with the transition, when the run resumes.
    if (drafts === undefined) return;
    if (decision.remedy === undefined) drafts.push(transitionMade(this.run, decision));
    else drafts.push(remedyTaken(this.run, decision, this.#retryAt(decision.remedy)));
    await session.writer.commit(drafts, 'normal');
  }

  /** Hooks attached to nodes also run around a state that only makes a transition. */
  async #hooksAround(decision: Transition): Promise<EventDraft[] | undefined> {
    const { hooks } = this.#session.parts;
    const { signal } = this.#session.stop;
    const event = { ...this.#session.describe(), to: decision.to };
    try {
      const before = await callHooks(hooks, 'before_node', event, signal);
      const after = await callHooks(hooks, 'after_node', { ...event, outcome: 'output' }, signal);
      return signal.aborted ? undefined : [...before, ...after];
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** When to retry: exponential backoff with jitter. */
  #retryAt(remedy: Remedy): number {
    const { clock, random } = this.#session.parts;
    const attempt = remedy.kind === 'retry' ? remedy.attempt : 1;
    return clock.now() + backoffMs(attempt, PAUSES, random);
  }

  async #ask(decision: AskHuman): Promise<void> {
    const session = this.#session;
    const spend = spendOf(decision);
    if (!(await session.reserveOrPark(ONE_STEP, spend))) return;
    const ruling = await session.rule(decision);
    if (ruling.kind === 'park') return session.park(ruling.waiting, spend);
    if (ruling.kind === 'refuse') return session.fail(ruling.failure, decision.rationale, { spend });
    const asked = questionAsked(this.run, decision, session.asking(decision.expiresInMs));
    await session.writer.commit([asked], 'full', () =>
      session.budgets.release({ ...ONE_STEP, ...spend }, false),
    );
  }

  async #finish(decision: Finish): Promise<void> {
    const session = this.#session;
    const { run } = this;
    const spend = spendOf(decision);
    const ruling = await session.rule(decision);
    const target = session.graph.finishFrom(run.state);
    if (ruling.kind !== 'go' || target === undefined) {
      const message = `A run cannot finish from the state "${run.state}".`;
      const failure =
        ruling.kind === 'refuse' ? ruling.failure : { code: 'engine.invalid_transition', message };
      return session.fail(failure, decision.rationale, { spend });
    }
    const move = await session.move(target);
    if (move.kind === 'refuse') return session.fail(move.failure, decision.rationale, { spend });
    const { redactor, hooks } = session.parts;
    const output = redactor.json(decision.output);
    const event = { ...session.describe(), status: 'completed', output };
    const drafts = await callHooks(hooks, 'after_run', event);
    const outcome = await judgeEnd(session, decision);
    drafts.push(runCompleted(run, decision, target, { output, outcome }));
    await session.writer.commit(drafts, 'full', () => session.endings('completed', { output }, spend));
  }

  /** A denial ends the run unless its planner handles denials; an expired approval always ends it. */
  #handleDenial({ id, code, call, reason }: NonNullable<RunState['denied']>): Promise<void> {
    const denied = code === 'engine.approval_denied';
    if (denied && call !== undefined && this.#session.kind.planner.handlesDenials?.(this.#session.view()))
      return this.#recordDenial(call, id, reason);
    const message = denied
      ? `A person denied the request of the run${because(reason)}`
      : 'The request expired, which counts as a denial.';
    return this.#session.fail({ code, message }, 'the request was denied, so the run ends');
  }

  /** Records the denial as evidence, for the planner to continue from. */
  #recordDenial(call: CallTool, approval: string, reason: string | undefined): Promise<void> {
    const message = `A person denied ${call.tool} with these arguments${because(reason)}`;
    return this.#session.refuse(call, { code: 'engine.approval_denied', message }, { approval });
  }

  async #cancel(by: string, reason: string): Promise<void> {
    const session = this.#session;
    const cancelled = runEvent('run.cancelled', { by, reason, state: this.run.state, status: 'cancelled' });
    const failure = { code: 'engine.cancelled', message: reason };
    await session.writer.commit([cancelled], 'full', () =>
      session.endings('cancelled', { failure }, this.run.reserved),
    );
  }
}

/** The end of a sentence about a denial. */
function because(reason: string | undefined): string {
  if (reason === undefined) return '.';
  return `: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;
}
