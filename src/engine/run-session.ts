// Owns: carrying a claimed run forward until it ends or has to wait. Does not own: claiming, or waking it again.
// I1 One decision at a time; nothing is done that was not first ruled on by the whole decision chain.
// I2 An effect happens only between its recorded intent and its recorded outcome.
// I3 The run goes on with what the ledger gave back, never with what a handler left in memory.
import { canonicalJson, type Failure, isOkaError, type Json, OkaError, toFailure } from '../kernel/index.ts';
import type { EventDraft, StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import { addSpend, type BudgetName, type Spend } from './budgets.ts';
import { problemWithDecision } from './check-decision.ts';
import { startChildren } from './children.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import type { DecisionContext, Ruling, ToolOutcome } from './middleware.ts';
import { parseInput } from './middleware/check-schema.ts';
import { callHooks } from './middleware/run-hooks.ts';
import { resolvedOutcome } from './pending-outcome.ts';
import { PlanView } from './plan-input.ts';
import { runEvent, runStream } from './run-events.ts';
import type { OpenIntent, RunState } from './run-state.ts';
import { RunWriter } from './run-writer.ts';
import type { StateGraph } from './state-graph.ts';
import { CallInProgress } from './tool-call.ts';
import { hasEffects, mayRepeat, type Tool } from './tool.ts';
import type { AskHuman, CallTool, Decision, Fail, Finish, Transition } from './types.ts';

const MOST_REPEATS = 2;
const UNKNOWN_EFFECT_OPTIONS = ['retry', 'done', 'fail'] as const;
/** How many steps are set aside at a time when a tree of runs shares a budget. */
const STEP_NEED: Spend = { steps: 1, tool_calls: 1 };

export class RunSession {
  readonly run: RunState;
  readonly #parts: EngineParts;
  readonly #kind: RunKind;
  readonly #graph: StateGraph;
  readonly #writer: RunWriter;
  readonly #account: BudgetAccount;
  readonly #stop = new AbortController();
  #stopReason: 'cancel' | 'release' | undefined;

  constructor(run: RunState, kind: RunKind, graph: StateGraph, account: BudgetAccount, parts: EngineParts) {
    this.run = run;
    this.#parts = parts;
    this.#kind = kind;
    this.#graph = graph;
    this.#account = account;
    this.#writer = new RunWriter(run, parts);
  }

  /** Works until the run ends, waits, is paused, or is released. */
  async work(): Promise<void> {
    try {
      await this.#begin();
      while (this.#mayGoOn()) await this.#next();
      if (this.#stopReason === 'release' && this.run.owner !== undefined) {
        await this.#writer.commit([runEvent('run.released', { status: 'pending' })], 'full');
      }
    } catch (error) {
      if (isOkaError(error, 'engine.ownership_lost')) return;
      if (isOkaError(error, 'engine.hook_failed') && !this.run.ended) await this.#fail(toFailure(error, error.code), '');
      else throw error;
    }
  }

  /** Stops at the next boundary and leaves the run for whoever resumes it. */
  release(): void {
    this.#stopReason = 'release';
    this.#stop.abort(new OkaError('engine.cancelled', 'the process is stopping; the run can be resumed.'));
  }

  #mayGoOn(): boolean {
    const { run } = this;
    if (run.ended || run.paused || this.#stopReason === 'release' || run.owner === undefined) return false;
    return run.waiting === undefined || run.waiting.for === 'outcome';
  }

  async #begin(): Promise<void> {
    if (this.run.index > 0) return;
    const drafts = await callHooks(this.#parts.hooks, 'before_run', this.#describe());
    const recalled = (await this.#parts.recall?.recall({ goal: this.run.goal, kind: this.run.kind, vars: this.run.vars })) ?? [];
    if (recalled.length > 0) drafts.push(runEvent('evidence.recalled', { count: recalled.length }, recalled));
    if (drafts.length > 0) await this.#writer.commit(drafts, 'normal');
  }

  async #next(): Promise<void> {
    const { run } = this;
    if (run.cancelRequested) return this.#cancel(run.cancelRequested.by, run.cancelRequested.reason);
    if (run.pauseRequestedBy !== undefined) {
      return this.#writer.commit([runEvent('run.paused', { by: run.pauseRequestedBy, status: 'paused' })], 'full');
    }
    if (run.denied) return this.#failDenied(run.denied.code);
    if (run.intent) return this.#recover(run.intent);
    if (run.waiting?.for === 'outcome') return this.#settlePending();
    if (run.approved) return this.#callTool(run.approved.call, run.approved);
    const decision = await this.#plan();
    if (decision !== undefined) await this.#carryOut(decision);
  }

  // --- deciding ---

  async #plan(): Promise<Decision | undefined> {
    const { planner } = this.#kind;
    let view = new PlanView(this.run, this.#graph, this.#parts, this.#stop.signal);
    const estimate = planner.estimate?.(view);
    if (estimate !== undefined && !(await this.#setAside(estimate))) return undefined;
    for (let attempt = 1; ; attempt++) {
      let decision: Decision;
      try {
        const answer = planner.plan(view);
        decision = answer instanceof Promise ? await answer : answer;
      } catch (error) {
        if (this.#stop.signal.aborted) return undefined;
        await this.#fail(toFailure(error, 'engine.planner_failed'), `the planner ${planner.name} gave up`);
        return undefined;
      }
      const problem = problemWithDecision(decision);
      if (problem === undefined) return decision;
      if (attempt === 2) {
        const message = `the planner ${planner.name} twice gave an answer that cannot be used: ${problem}.`;
        await this.#fail({ code: 'engine.invalid_decision', message }, message);
        return undefined;
      }
      view = new PlanView(this.run, this.#graph, this.#parts, this.#stop.signal, { answer: toJson(decision), problem });
    }
  }

  #carryOut(decision: Decision): Promise<void> {
    switch (decision.kind) {
      case 'call_tool':
        return this.#callTool(decision);
      case 'transition':
        return this.#transition(decision);
      case 'ask_human':
        return this.#ask(decision);
      case 'finish':
        return this.#finish(decision);
      case 'fail':
        return this.#failPlanned(decision);
    }
  }

  /** Asks the whole decision chain. */
  #rule(decision: Decision, extra: Pick<DecisionContext, 'tool' | 'approval' | 'notes'>): Ruling | Promise<Ruling> {
    const { run } = this;
    const context: DecisionContext = {
      run,
      graph: this.#graph,
      decision,
      balance: (name) => this.#account.balance(run, name),
      activeMs: run.activeMs + (run.claimedAt === undefined ? 0 : this.#parts.clock.now() - run.claimedAt),
      ...extra,
    };
    try {
      const ruling = this.#parts.middleware.decide(context);
      return ruling instanceof Promise ? ruling.catch(refuse) : ruling;
    } catch (error) {
      return refuse(error);
    }
  }

  // --- tools ---

  async #callTool(proposed: CallTool, approval?: { id: string; argumentsHash: string }): Promise<void> {
    const { run } = this;
    const tool = this.#parts.tools.get(proposed.tool);
    const notes: DecisionContext['notes'] = {};
    let call = proposed;
    try {
      if (tool === undefined) this.#parts.tools.require(proposed.tool);
      else {
        const parsed = parseInput(tool.input, tool.name, proposed.input);
        call = { ...proposed, input: freeze((parsed instanceof Promise ? await parsed : parsed) as Json) };
        if (this.#repeatsTooOften(call)) return this.#failRepeated(call);
      }
    } catch (error) {
      return this.#recordRefusal(call, toFailure(error, 'engine.tool_input_invalid'), notes, approval);
    }
    if (!(await this.#setAside(STEP_NEED))) return;
    const asked = this.#rule(call, { ...(tool ? { tool } : {}), ...(approval ? { approval } : {}), notes });
    const ruling = asked instanceof Promise ? await asked : asked;
    if (ruling.kind === 'refuse') return this.#recordRefusal(call, ruling.failure, notes, approval);
    if (ruling.kind === 'park' && !(this.#parts.simulate && ruling.waiting.for === 'approval')) {
      return this.#park(ruling.waiting, call, tool as Tool);
    }
    await this.#execute(call, tool as Tool, notes, approval?.id);
  }

  async #execute(call: CallTool, tool: Tool, notes: DecisionContext['notes'], approval: string | undefined): Promise<void> {
    const { run } = this;
    const step = run.step;
    const key = call.idempotencyKey ?? `${run.lineage.origin}/${step}`;
    const progress = this.#startCall(call, tool, key, step);
    const effects = hasEffects(tool);
    if (effects) {
      let preimage: Json | undefined;
      try {
        preimage = await tool.preimage?.(call.input, progress);
      } catch (error) {
        return this.#recordRefusal(call, toFailure(error, 'engine.tool_failed'), notes, approval ? { id: approval } : undefined);
      }
      const intended = runEvent(
        'tool.intended',
        {
          step,
          state: run.state,
          tool: tool.name,
          key,
          ...(call.then === undefined ? {} : { to: call.then }),
          ...(notes.policy === undefined ? {} : { policy: notes.policy }),
          ...(approval === undefined ? {} : { approval }),
          ...spendOf(call),
        },
        { rationale: call.rationale, input: call.input, ...(preimage === undefined ? {} : { preimage }), ...modelOf(call) },
      );
      await this.#writer.commit([intended], 'full');
    }
    const outcome = await this.#perform(progress, effects);
    if (this.#stop.signal.aborted && outcome.kind === 'failure' && !effects) return;
    await this.#record(call, tool, progress, outcome, { effects, step, notes, approval });
  }

  #startCall(decision: CallTool, tool: Tool, key: string, step: number): CallInProgress {
    const { run } = this;
    const retriesLeft = Math.min(run.limits.node_retries ?? 0, this.#account.balance(run, 'retries'), this.#account.balance(run, 'tool_calls') - 1);
    return new CallInProgress(this.#parts, { run, tool, decision, key, step, retriesLeft, stop: this.#stop.signal, look: this.#look });
  }

  async #perform(progress: CallInProgress, effects: boolean): Promise<ToolOutcome> {
    if (this.#parts.simulate && effects && !progress.tool.simulatable) {
      return { kind: 'output', output: { simulated: true, tool: progress.tool.name, input: progress.input } };
    }
    try {
      const outcome = this.#parts.middleware.call(progress, progress.runHandler);
      return outcome instanceof Promise ? await outcome : outcome;
    } catch (error) {
      return { kind: 'failure', failure: toFailure(error, 'engine.tool_failed') };
    }
  }

  /** While a handler takes its time, looks whether somebody wants the run cancelled. */
  #look = (): void => {
    this.#writer.reconcile().then(
      () => {
        if (this.run.cancelRequested) this.#stop.abort(new OkaError('engine.cancelled', this.run.cancelRequested.reason));
      },
      (error: unknown) => this.#stop.abort(error as Error),
    );
  };

  async #record(
    call: CallTool,
    tool: Tool,
    progress: CallInProgress,
    outcome: ToolOutcome,
    about: { effects: boolean; step: number; notes: DecisionContext['notes']; approval: string | undefined },
  ): Promise<void> {
    if (outcome.kind === 'pending') return this.#recordPending(call, tool, outcome.pending, about);
    if (outcome.kind === 'failure' && outcome.failure.code === 'engine.effect_unknown' && about.effects) {
      return this.#askAboutUnknown(tool, outcome.failure.message);
    }
    const { notes } = progress;
    const to = outcome.kind === 'output' ? await this.#ruledTransition(call.then) : undefined;
    const attempts = notes.attempts > 1 ? { attempts: notes.attempts } : {};
    let recorded: EventDraft;
    if (about.effects) {
      const data = { step: about.step, tool: tool.name, ...attempts };
      recorded =
        outcome.kind === 'output'
          ? runEvent('tool.completed', { ...data, ...(to === undefined ? {} : { to }) }, { output: outcome.output })
          : runEvent('tool.failed', data, { failure: outcome.failure });
    } else {
      recorded = runEvent(
        'step.completed',
        {
          step: about.step,
          state: this.run.state,
          kind: 'call_tool',
          outcome: outcome.kind === 'output' ? 'ok' : 'failed',
          tool: tool.name,
          ...(to === undefined ? {} : { to }),
          ...(about.notes.policy === undefined ? {} : { policy: about.notes.policy }),
          ...(about.approval === undefined ? {} : { approval: about.approval }),
          ...(call.idempotencyKey === undefined ? {} : { key: call.idempotencyKey }),
          ...(notes.cached ? { cached: true as const } : {}),
          ...attempts,
          ...spendOf(call),
        },
        {
          rationale: call.rationale,
          input: call.input,
          ...(outcome.kind === 'output' ? { output: outcome.output } : { failure: outcome.failure }),
          ...modelOf(call),
        },
      );
    }
    const drafts = notes.events.length === 0 ? [recorded] : [...notes.events, recorded];
    if (notes.artifacts.length > 0) {
      drafts.push(runEvent('artifacts.emitted', { step: about.step, tool: tool.name, count: notes.artifacts.length }, notes.artifacts));
    }
    await this.#writer.commit(drafts, about.effects ? 'full' : 'normal');
    if (notes.hookFailure) await this.#fail(notes.hookFailure, call.rationale);
  }

  async #recordRefusal(
    call: CallTool,
    failure: Failure,
    notes: DecisionContext['notes'],
    approval?: { id: string },
  ): Promise<void> {
    if (this.#repeatsTooOften(call, failure)) return this.#failRepeated(call);
    const refused = runEvent(
      'step.completed',
      {
        step: this.run.step,
        state: this.run.state,
        kind: 'call_tool',
        outcome: 'refused',
        tool: call.tool,
        ...(notes.policy === undefined ? {} : { policy: notes.policy }),
        ...(approval === undefined ? {} : { approval: approval.id }),
        ...spendOf(call),
      },
      { rationale: call.rationale, input: call.input, failure, ...modelOf(call) },
    );
    await this.#writer.commit([refused], 'normal');
  }

  async #recordPending(
    call: CallTool,
    tool: Tool,
    pending: Extract<ToolOutcome, { kind: 'pending' }>['pending'],
    about: { step: number; notes: DecisionContext['notes']; approval: string | undefined },
  ): Promise<void> {
    const { run } = this;
    const spending: { [name in BudgetName]?: number } = run.intent ? { tool_calls: 1 } : { ...STEP_NEED };
    if (call.model) addSpend(spending, call.model.spend);
    const children = pending.kind === 'children' ? await startChildren(pending, run, spending, this.#account, this.#parts) : undefined;
    if (children !== undefined && 'refused' in children) {
      if (children.refused.park) return this.#park(children.refused.park, call, tool);
      return this.#recordRefusal(call, children.refused.failure, about.notes);
    }
    const spend: { [name in BudgetName]?: number } = { ...call.model?.spend };
    if (children) addSpend(spend, { children: children.ids.length });
    const recorded = runEvent(
      'tool.pending',
      {
        step: about.step,
        state: run.state,
        tool: tool.name,
        kind: pending.kind,
        status: 'waiting',
        ...(call.then === undefined ? {} : { to: call.then }),
        ...(about.notes.policy === undefined ? {} : { policy: about.notes.policy }),
        ...(about.approval === undefined ? {} : { approval: about.approval }),
        ...(pending.kind === 'timer' ? { at: pending.at } : {}),
        ...(pending.kind === 'event' ? { event: pending.event } : {}),
        ...(pending.kind === 'event' && pending.timeoutAt !== undefined ? { at: pending.timeoutAt } : {}),
        ...(children ? { children: children.ids } : {}),
        ...(pending.kind === 'children' && pending.concurrency !== undefined ? { concurrency: pending.concurrency } : {}),
        ...(pending.kind === 'children' ? { onError: pending.onError ?? 'fail' } : {}),
        ...(Object.keys(spend).length > 0 ? { spend } : {}),
      },
      { rationale: call.rationale, input: call.input, ...modelOf(call) },
    );
    await this.#writer.commit([recorded], 'full', children?.appends);
  }

  /** The outcome that a timer, an event or the last child has brought. */
  async #settlePending(): Promise<void> {
    const { waiting } = this.run;
    if (waiting?.for !== 'outcome') return;
    const outcome = resolvedOutcome(waiting, this.run, this.#parts.clock.now());
    if (outcome === undefined) {
      await this.#writer.commit([runEvent('run.released', { status: 'waiting' })], 'normal');
      return;
    }
    const data = { step: waiting.step, tool: waiting.tool };
    const to = outcome.kind === 'output' ? await this.#ruledTransition(waiting.to) : undefined;
    const recorded =
      outcome.kind === 'output'
        ? runEvent('tool.completed', { ...data, ...(to === undefined ? {} : { to }) }, { output: outcome.output })
        : runEvent('tool.failed', data, { failure: outcome.failure });
    await this.#writer.commit([recorded], 'full');
  }

  // --- after a crash ---

  /** An intent without outcome: made again where that is harmless, else a person is asked. */
  async #recover(intent: OpenIntent): Promise<void> {
    const tool = this.#parts.tools.require(intent.call.tool);
    if (intent.answer === 'done') {
      const done = runEvent('tool.completed', {
        step: intent.step,
        tool: tool.name,
        by: 'person',
        ...(intent.call.then === undefined ? {} : { to: intent.call.then }),
      }, { output: null });
      return this.#writer.commit([done], 'full');
    }
    if (intent.answer === 'fail') {
      const failure = { code: 'engine.effect_unknown', message: `a person said that ${tool.name} did not succeed.` };
      return this.#writer.commit([runEvent('tool.failed', { step: intent.step, tool: tool.name, by: 'person' }, { failure })], 'full');
    }
    if (!mayRepeat(tool) && intent.answer !== 'retry') {
      return this.#askAboutUnknown(tool, `the process stopped while ${tool.name} was acting.`);
    }
    const progress = this.#startCall(intent.call, tool, intent.key, intent.step);
    const outcome = await this.#perform(progress, true);
    await this.#record(intent.call, tool, progress, outcome, {
      effects: true,
      step: intent.step,
      notes: {},
      approval: intent.approval,
    });
  }

  #askAboutUnknown(tool: Tool, why: string): Promise<void> {
    const now = this.#parts.clock.now();
    const asked = runEvent(
      'question.asked',
      {
        id: this.#parts.ids.next(),
        step: this.run.intent?.step ?? this.run.step,
        state: this.run.state,
        about: 'unknown_effect',
        tool: tool.name,
        requestedAt: now,
        expiresAt: now + this.#parts.approvalExpiresMs,
        status: 'waiting',
      },
      {
        question: `${why} Did it act? "retry" runs it again, "done" takes it as done, "fail" takes it as failed.`,
        options: UNKNOWN_EFFECT_OPTIONS,
        rationale: 'an effect that may not be repeated is never repeated without asking',
      },
    );
    return this.#writer.commit([asked], 'full');
  }

  // --- other decisions ---

  async #transition(decision: Transition): Promise<void> {
    const { run } = this;
    if (!(await this.#setAside({ steps: 1 }))) return;
    const ruling = await this.#rule(decision, { notes: {} });
    if (ruling.kind === 'park') return this.#park(ruling.waiting);
    const move = ruling.kind === 'go' ? await this.#move(decision.to) : ruling;
    if (move.kind === 'refuse') {
      const code = 'engine.invalid_transition';
      return this.#fail({ ...move.failure, code: move.failure.code || code }, decision.rationale);
    }
    if (this.#graph.isTerminal(decision.to)) {
      const message = `"${decision.to}" is an end; a run gets there by finishing or failing, not by a transition.`;
      return this.#fail({ code: 'engine.invalid_transition', message }, decision.rationale);
    }
    const moved = runEvent(
      'step.completed',
      { step: run.step, state: run.state, kind: 'transition', outcome: 'ok', to: decision.to, ...spendOf(decision) },
      { rationale: decision.rationale, ...modelOf(decision) },
    );
    await this.#writer.commit([moved], 'normal');
  }

  async #ask(decision: AskHuman): Promise<void> {
    if (!(await this.#setAside({ steps: 1 }))) return;
    const ruling = await this.#rule(decision, { notes: {} });
    if (ruling.kind === 'park') return this.#park(ruling.waiting);
    if (ruling.kind === 'refuse') return this.#fail(ruling.failure, decision.rationale);
    const now = this.#parts.clock.now();
    const asked = runEvent(
      'question.asked',
      {
        id: this.#parts.ids.next(),
        step: this.run.step,
        state: this.run.state,
        about: 'question',
        requestedAt: now,
        expiresAt: now + (decision.expiresInMs ?? this.#parts.approvalExpiresMs),
        status: 'waiting',
        ...spendOf(decision),
      },
      {
        question: decision.question,
        rationale: decision.rationale,
        ...(decision.options === undefined ? {} : { options: decision.options }),
        ...modelOf(decision),
      },
    );
    await this.#writer.commit([asked], 'full', () => this.#givenBack(false, { steps: 1, ...decision.model?.spend }));
  }

  async #finish(decision: Finish): Promise<void> {
    const { run } = this;
    const ruling = await this.#rule(decision, { notes: {} });
    const target = this.#graph.finishFrom(run.state);
    if (ruling.kind !== 'go' || target === undefined) {
      const message = `a run cannot finish from the state "${run.state}".`;
      return this.#fail(ruling.kind === 'refuse' ? ruling.failure : { code: 'engine.invalid_transition', message }, decision.rationale);
    }
    const move = await this.#move(target);
    if (move.kind === 'refuse') return this.#fail(move.failure, decision.rationale);
    const output = this.#parts.redactor.json(decision.output);
    const drafts = await callHooks(this.#parts.hooks, 'after_run', { ...this.#describe(), status: 'completed', output });
    drafts.push(
      runEvent(
        'run.completed',
        { step: run.step, from: run.state, state: target, status: 'completed', ...spendOf(decision) },
        { output, rationale: decision.rationale, ...modelOf(decision) },
      ),
    );
    await this.#writer.commit(drafts, 'full', () => this.#endings('completed', { output }, decision.model?.spend));
  }

  #failPlanned(decision: Fail): Promise<void> {
    const failure = { code: decision.code ?? 'engine.planner_failed', message: decision.reason };
    return this.#fail(failure, decision.rationale, decision);
  }

  async #fail(failure: Failure, rationale: string, planned?: Decision): Promise<void> {
    const { run } = this;
    const clean = { ...failure, message: this.#parts.redactor.text(failure.message) };
    let drafts: EventDraft[] = [];
    try {
      drafts = await callHooks(this.#parts.hooks, 'on_error', { ...this.#describe(), status: 'failed', code: failure.code });
    } catch {
      // The run fails anyway, for its own reason; a failing on_error hook must not hide it.
    }
    drafts.push(
      runEvent(
        'run.failed',
        {
          step: run.step,
          from: run.state,
          state: this.#graph.failedState ?? run.state,
          code: clean.code,
          status: 'failed',
          ...(planned ? { planned: true as const, ...spendOf(planned) } : {}),
        },
        { failure: clean, rationale, ...(planned ? modelOf(planned) : {}) },
      ),
    );
    await this.#writer.commit(drafts, 'full', () => this.#endings('failed', { failure: clean }, planned?.model?.spend));
  }

  #failDenied(code: 'engine.approval_denied' | 'engine.approval_expired'): Promise<void> {
    const message = code === 'engine.approval_denied' ? 'a person denied what the run asked for.' : 'nobody answered in time, which counts as a denial.';
    return this.#fail({ code, message }, 'what was asked for may not be done, so the run ends');
  }

  #failRepeated(call: CallTool): Promise<void> {
    const message = `${call.tool} was called ${MOST_REPEATS} times with the same input and the same result, and the planner wants it again; it would not end.`;
    return this.#fail({ code: 'engine.repeated_call', message }, call.rationale);
  }

  async #cancel(by: string, reason: string): Promise<void> {
    const cancelled = runEvent('run.cancelled', { by, reason, state: this.run.state, status: 'cancelled' });
    await this.#writer.commit([cancelled], 'full', () => this.#endings('cancelled', { failure: { code: 'engine.cancelled', message: reason } }));
  }

  async #park(waiting: Extract<Ruling, { kind: 'park' }>['waiting'], call?: CallTool, tool?: Tool): Promise<void> {
    const { run } = this;
    const now = this.#parts.clock.now();
    let parked: EventDraft;
    switch (waiting.for) {
      case 'budget':
        parked = runEvent('budget.exhausted', {
          budget: waiting.budget,
          used: waiting.used,
          limit: waiting.limit,
          needed: waiting.needed,
          status: 'waiting',
        });
        break;
      case 'time':
        parked = runEvent('run.deferred', { at: waiting.at, why: waiting.why, status: 'waiting' });
        break;
      case 'approval':
        parked = runEvent(
          'approval.requested',
          {
            id: this.#parts.ids.next(),
            step: run.step,
            state: run.state,
            tool: (tool as Tool).name,
            argumentsHash: waiting.argumentsHash,
            risk: (tool as Tool).annotations.risk,
            why: waiting.why,
            requestedAt: now,
            expiresAt: now + this.#parts.approvalExpiresMs,
            status: 'waiting',
            ...(call?.then === undefined ? {} : { to: call.then }),
            ...(call?.idempotencyKey === undefined ? {} : { key: call.idempotencyKey }),
            ...(call ? spendOf(call) : {}),
          },
          { rationale: call?.rationale ?? '', arguments: call?.input ?? null, ...(call ? modelOf(call) : {}) },
        );
    }
    const spending = waiting.for === 'approval' ? { steps: 1, ...call?.model?.spend } : {};
    await this.#writer.commit([parked], 'full', () => this.#givenBack(false, spending));
  }

  // --- shared by the above ---

  #move(to: string): Ruling | Promise<Ruling> {
    try {
      const ruling = this.#parts.middleware.move({ run: this.run, graph: this.#graph, from: this.run.state, to });
      return ruling instanceof Promise ? ruling.catch(refuse) : ruling;
    } catch (error) {
      return refuse(error);
    }
  }

  /** The state to enter after a success, if the transition chain agrees. */
  async #ruledTransition(to: string | undefined): Promise<string | undefined> {
    if (to === undefined) return undefined;
    const ruling = this.#move(to);
    return (ruling instanceof Promise ? await ruling : ruling).kind === 'go' ? to : undefined;
  }

  /** Makes sure that the account holds enough for what comes next; parks the run when it does not. */
  async #setAside(need: Spend): Promise<boolean> {
    const account = this.#account;
    for (let attempt = 1; ; attempt++) {
      const short = shortage(need, (name) => account.balance(this.run, name));
      if (short === undefined) return true;
      const append = account.shared ? account.reserve(this.run.id, short) : undefined;
      if (append === undefined) break;
      try {
        await this.#parts.events.commit({ actor: this.#parts.actor, sync: 'normal', appends: [append] });
      } catch (error) {
        if (!isOkaError(error, 'ledger.conflict') || attempt > 50) throw error;
        await account.refresh();
      }
    }
    const [name, needed] = Object.entries(shortage(need, (budget) => account.balance(this.run, budget)) ?? {})[0] as [BudgetName, number];
    const used = this.run.used[name] ?? 0;
    await this.#park({ for: 'budget', budget: name, used, limit: this.run.limits[name] ?? used, needed });
    return false;
  }

  #givenBack(ended: boolean, spending: Spend = {}): StreamAppend[] {
    const append = this.#account.giveBack(this.run, spending, ended);
    return append ? [append] : [];
  }

  /** What the end of a run means to others: its parent learns of it, its share of the budget is free again. */
  #endings(
    status: 'completed' | 'failed' | 'cancelled',
    result: { output?: Json; failure?: Failure },
    spending: Spend = {},
  ): StreamAppend[] {
    const { run } = this;
    const appends = this.#givenBack(true, spending);
    if (run.lineage.parent === undefined) return appends;
    const used: { [name in BudgetName]?: number } = { ...run.used };
    addSpend(used, spending);
    const ended = runEvent('child.ended', { child: run.id, status, used }, result);
    return [...appends, { stream: runStream(run.lineage.parent), events: [ended] }];
  }

  #repeatsTooOften(call: CallTool, failure?: Failure): boolean {
    const last = this.run.evidence.at(-1);
    return (
      this.run.repeats >= MOST_REPEATS &&
      last?.source === 'tool' &&
      last.tool === call.tool &&
      (failure === undefined || last.failure?.code === failure.code) &&
      canonicalJson(last.input ?? null) === canonicalJson(call.input)
    );
  }

  #describe(): { run: string; kind: string; goal: string; state: string; step: number } {
    const { run } = this;
    return { run: run.id, kind: run.kind, goal: run.goal, state: run.state, step: run.step };
  }
}

function refuse(error: unknown): Ruling {
  return { kind: 'refuse', failure: toFailure(error, 'engine.middleware_violation') };
}

function shortage(need: Spend, balance: (name: BudgetName) => number): Spend | undefined {
  let short: { [name in BudgetName]?: number } | undefined;
  for (const key in need) {
    const name = key as BudgetName;
    const missing = (need[name] ?? 0) - balance(name);
    if (missing > 0) {
      short ??= {};
      short[name] = missing;
    }
  }
  return short;
}

function spendOf(decision: Decision): { spend?: Spend } {
  return decision.model === undefined ? {} : { spend: decision.model.spend };
}

function modelOf(decision: Decision): { model?: NonNullable<Decision['model']> } {
  return decision.model === undefined ? {} : { model: decision.model };
}

/** Whoever gets the input cannot change what is recorded. */
function freeze(value: Json): Json {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  for (const key in value) freeze((value as Record<string, Json>)[key] as Json);
  return Object.freeze(value);
}

function toJson(value: unknown): Json {
  try {
    return JSON.parse(canonicalJson(value)) as Json;
  } catch {
    return String(value);
  }
}
