// Owns: carrying a claimed run forward until it ends or has to wait. Does not own: claiming, or waking it again.
// I1 One decision at a time; nothing is done that was not first ruled on by the whole decision chain.
// I2 An effect happens only between its recorded intent and its recorded outcome.
// I3 The run goes on with what the ledger gave back, never with what a handler left in memory.
import {
  canonicalJson,
  deepFreeze,
  type Failure,
  isOkaError,
  type Json,
  OkaError,
  readOnly,
  toFailure,
  toJson,
} from '../kernel/index.ts';
import type { EventDraft, StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import { BudgetDesk } from './budget-desk.ts';
import { addSpend, type BudgetName, type Spend } from './budgets.ts';
import { problemWithDecision } from './check-decision.ts';
import { startChildren } from './children.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import { parseInput } from './middleware/check-schema.ts';
import { callHooks } from './middleware/run-hooks.ts';
import type { DecisionContext, ParkRequest, Ruling, ToolOutcome } from './middleware.ts';
import { resolvedOutcome } from './pending-outcome.ts';
import { PlanView } from './plan-input.ts';
import { runEvent, runStream } from './run-events.ts';
import type { OpenIntent, RunState } from './run-state.ts';
import { RunWriter } from './run-writer.ts';
import type { StateGraph } from './state-graph.ts';
import {
  type Asking,
  type CallFacts,
  callCompleted,
  callIntended,
  callPending,
  callRefused,
  outcomeRecorded,
  parked,
  questionAsked,
  runCompleted,
  runFailed,
  transitionMade,
  unknownEffectAsked,
} from './step-events.ts';
import { hasEffects, mayRepeat, type Tool, type ToolFace } from './tool.ts';
import { CallInProgress } from './tool-call.ts';
import type { AskHuman, CallTool, Decision, Finish, Pending, Transition } from './types.ts';

const MOST_REPEATS = 2;
const ONE_STEP: Spend = { steps: 1 };
const ONE_CALL: Spend = { steps: 1, tool_calls: 1 };

export class RunSession {
  readonly run: RunState;
  readonly #parts: EngineParts;
  readonly #kind: RunKind;
  readonly #graph: StateGraph;
  readonly #writer: RunWriter;
  readonly #desk: BudgetDesk;
  readonly #stop = new AbortController();
  #released = false;

  constructor(run: RunState, kind: RunKind, graph: StateGraph, account: BudgetAccount, parts: EngineParts) {
    this.run = run;
    this.#parts = parts;
    this.#kind = kind;
    this.#graph = graph;
    this.#desk = new BudgetDesk(run, account, parts);
    this.#writer = new RunWriter(run, parts);
  }

  /** Works until the run ends, waits, is paused, or is released. */
  async work(): Promise<void> {
    try {
      await this.#begin();
      while (this.#mayGoOn()) await this.#next();
      if (this.#released && this.run.owner !== undefined) {
        await this.#writer.commit([runEvent('run.released', { status: 'pending' })], 'full');
      }
    } catch (error) {
      if (isOkaError(error, 'engine.ownership_lost')) return;
      // Where the ledger itself fails nothing can be recorded; anything else ends the run instead of stranding it.
      if (this.run.ended || (isOkaError(error) && error.code.startsWith('ledger.'))) throw error;
      await this.#fail(toFailure(error, 'kernel.bug'), 'something that the run cannot go on after');
    }
  }

  /** Stops at the next boundary and leaves the run for whoever resumes it. */
  release(): void {
    this.#released = true;
    this.#stop.abort(new OkaError('engine.cancelled', 'the process is stopping; the run can be resumed.'));
  }

  #mayGoOn(): boolean {
    const { run } = this;
    if (run.ended || run.paused || this.#released || run.owner === undefined) return false;
    return run.waiting === undefined || run.waiting.for === 'outcome';
  }

  async #begin(): Promise<void> {
    if (this.run.index > 0) return;
    const { hooks, recall } = this.#parts;
    const drafts = await callHooks(hooks, 'before_run', this.#describe());
    const { goal, kind, vars } = this.run;
    const recalled = recall === undefined ? [] : await recall.recall({ goal, kind, vars });
    if (recalled.length > 0) drafts.push(runEvent('evidence.recalled', { count: recalled.length }, recalled));
    if (drafts.length > 0) await this.#writer.commit(drafts, 'normal');
  }

  async #next(): Promise<void> {
    const { run } = this;
    if (run.cancelRequested) return this.#cancel(run.cancelRequested.by, run.cancelRequested.reason);
    if (run.pauseRequestedBy !== undefined) {
      return this.#writer.commit(
        [runEvent('run.paused', { by: run.pauseRequestedBy, status: 'paused' })],
        'full',
      );
    }
    if (run.denied) return this.#failDenied(run.denied.code);
    if (run.intent) return this.#recover(run.intent);
    if (run.waiting?.for === 'outcome') return this.#settlePending();
    if (run.approved) return this.#callTool(run.approved.call, run.approved);
    const planned = this.#plan();
    const decision = planned instanceof Promise ? await planned : planned;
    if (decision !== undefined) await this.#carryOut(decision);
  }

  // --- deciding ---

  /** The planner's answer. Undefined when the run cannot go on. */
  #plan(): Decision | undefined | Promise<Decision | undefined> {
    const { planner } = this.#kind;
    const view = new PlanView(this.run, this.#graph, this.#parts, this.#stop.signal);
    const spent = this.#desk.spentOnModels();
    if (spent) return this.#park(spent).then(() => undefined);
    if (planner.estimate) return this.#planWithin(planner.estimate(view), view);
    try {
      const answer = planner.plan(view);
      if (!(answer instanceof Promise) && problemWithDecision(answer) === undefined) return answer;
      return this.#usable(answer);
    } catch (error) {
      return this.#usable(Promise.reject(error as Error));
    }
  }

  async #planWithin(estimate: Spend, view: PlanView): Promise<Decision | undefined> {
    if (!(await this.#enough(estimate))) return undefined;
    return this.#usable((async () => this.#kind.planner.plan(view))());
  }

  /** An answer that cannot be used may be given once more; then the run fails. */
  async #usable(first: Decision | Promise<Decision>): Promise<Decision | undefined> {
    const { planner } = this.#kind;
    try {
      let decision = await first;
      let problem = problemWithDecision(decision);
      if (problem !== undefined) {
        const repair = { answer: toJson(decision), problem };
        decision = await planner.plan(
          new PlanView(this.run, this.#graph, this.#parts, this.#stop.signal, repair),
        );
        problem = problemWithDecision(decision);
      }
      if (problem === undefined) return decision;
      const message = `the planner ${planner.name} twice gave an answer that cannot be used: ${problem}.`;
      await this.#fail({ code: 'engine.invalid_decision', message }, message);
    } catch (error) {
      if (isOkaError(error, 'engine.ownership_lost')) throw error;
      if (!this.#stop.signal.aborted) {
        await this.#fail(toFailure(error, 'engine.planner_failed'), `the planner ${planner.name} gave up`);
      }
    }
    return undefined;
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
      case 'fail': {
        const failure = { code: decision.code ?? 'engine.planner_failed', message: decision.reason };
        return this.#fail(failure, decision.rationale, decision);
      }
    }
  }

  /** Asks the whole decision chain. */
  #rule(
    decision: Decision,
    extra: Pick<DecisionContext, 'tool' | 'approval' | 'notes'>,
  ): Ruling | Promise<Ruling> {
    const { run } = this;
    const context: DecisionContext = {
      run: readOnly(run),
      graph: this.#graph,
      decision,
      balance: this.#desk.balance,
      activeMs: run.activeMs + (run.claimedAt === undefined ? 0 : this.#parts.clock.now() - run.claimedAt),
      ...extra,
    };
    return caught(() => this.#parts.middleware.decide(Object.freeze(context)));
  }

  #move(to: string): Ruling | Promise<Ruling> {
    const { run } = this;
    const context = Object.freeze({ run: readOnly(run), graph: this.#graph, from: run.state, to });
    return caught(() => this.#parts.middleware.move(context));
  }

  // --- tools ---

  async #callTool(proposed: CallTool, approval?: { id: string; argumentsHash: string }): Promise<void> {
    const parking = this.#desk.setAside(ONE_CALL);
    const short = parking instanceof Promise ? await parking : parking;
    if (short !== undefined) return this.#park(short);
    const notes: DecisionContext['notes'] = {};
    const tool = this.#parts.tools.get(proposed.tool);
    let call = proposed;
    try {
      if (tool === undefined) this.#parts.tools.require(proposed.tool);
      // What a person approved was read by the schema before it was shown; it runs as it was shown.
      else if (approval !== undefined)
        call = Object.freeze({ ...proposed, input: deepFreeze(proposed.input) });
      else {
        const parsed = parseInput(tool.input, tool.name, proposed.input);
        const input = deepFreeze((parsed instanceof Promise ? await parsed : parsed) as Json);
        call = Object.freeze({ ...proposed, input });
      }
    } catch (error) {
      return this.#refuse(call, toFailure(error, 'engine.tool_input_invalid'), { approval: approval?.id });
    }
    if (this.#repeatsTooOften(call)) return this.#failRepeated(call);
    if (tool && mayRepeat(tool) && this.#desk.account.shared) await this.#desk.setAsideRetries();
    const face = this.#parts.tools.face(proposed.tool);
    const asked = this.#rule(call, {
      notes,
      ...(face ? { tool: face } : {}),
      ...(approval ? { approval } : {}),
    });
    const ruling = asked instanceof Promise ? await asked : asked;
    const facts: CallFacts = { step: this.run.step, policy: notes.policy, approval: approval?.id };
    if (ruling.kind === 'refuse') return this.#refuse(call, ruling.failure, facts);
    // A simulation asks nobody; what would need a person is told, not done.
    const pretend = ruling.kind === 'park' && this.#parts.simulate && ruling.waiting.for === 'approval';
    if (ruling.kind === 'park' && !pretend) return this.#park(ruling.waiting, call, tool);
    await this.#execute(call, tool as Tool, facts, pretend);
  }

  async #execute(call: CallTool, tool: Tool, facts: CallFacts, pretend = false): Promise<void> {
    const key = call.idempotencyKey ?? `${this.run.lineage.origin}/${facts.step}`;
    const progress = this.#startCall(call, tool, key, facts.step);
    const effects = hasEffects(tool);
    if (effects) {
      let preimage: Json | undefined;
      try {
        preimage = await tool.preimage?.(call.input, progress);
      } catch (error) {
        return this.#refuse(call, toFailure(error, 'engine.tool_failed'), facts);
      }
      await this.#writer.commit([callIntended(this.run, call, facts, { key, preimage })], 'full');
    }
    const performed = this.#perform(progress, effects, pretend);
    const outcome = performed instanceof Promise ? await performed : performed;
    // A reading call that was cut off left nothing behind; it is simply made again later.
    if (this.#stop.signal.aborted && outcome.kind === 'failure' && !effects) return;
    await this.#record(call, progress, outcome, facts);
  }

  #startCall(decision: CallTool, tool: Tool, key: string, step: number): CallInProgress {
    const { run } = this;
    const { balance } = this.#desk;
    const retriesLeft = Math.min(run.limits.node_retries ?? 0, balance('retries'), balance('tool_calls') - 1);
    return new CallInProgress(this.#parts, {
      run: readOnly(run),
      tool,
      face: this.#parts.tools.face(tool.name) as ToolFace,
      decision,
      key,
      step,
      retriesLeft,
      stop: this.#stop.signal,
      look: this.#look,
    });
  }

  #perform(progress: CallInProgress, effects: boolean, pretend = false): ToolOutcome | Promise<ToolOutcome> {
    if (pretend || (this.#parts.simulate && effects && !progress.tool.simulatable)) {
      return { kind: 'output', output: { simulated: true, tool: progress.tool.name, input: progress.input } };
    }
    const failed = (error: unknown): ToolOutcome => ({
      kind: 'failure',
      failure: toFailure(error, 'engine.tool_failed'),
    });
    try {
      const outcome = this.#parts.middleware.call(progress, progress.runHandler);
      return outcome instanceof Promise ? outcome.catch(failed) : outcome;
    } catch (error) {
      return failed(error);
    }
  }

  /** While a handler takes its time, looks whether somebody wants the run cancelled. */
  #look = (): void => {
    this.#writer.reconcile().then(
      () => {
        const { cancelRequested } = this.run;
        if (cancelRequested) this.#stop.abort(new OkaError('engine.cancelled', cancelRequested.reason));
      },
      (error: unknown) => this.#stop.abort(error as Error),
    );
  };

  async #record(
    call: CallTool,
    progress: CallInProgress,
    outcome: ToolOutcome,
    facts: CallFacts,
  ): Promise<void> {
    const { tool, notes } = progress;
    const effects = hasEffects(tool);
    if (outcome.kind === 'pending') return this.#recordPending(call, tool, outcome.pending, facts);
    if (effects && outcome.kind === 'failure' && outcome.failure.code === 'engine.effect_unknown') {
      return this.#askAboutUnknown(tool, outcome.failure.message);
    }
    const ruled =
      outcome.kind === 'output' && call.then !== undefined ? this.#ruledTransition(call.then) : undefined;
    const to = ruled instanceof Promise ? await ruled : ruled;
    const drafts = [
      ...progress.hookEvents,
      effects
        ? outcomeRecorded({ step: facts.step, tool: tool.name }, outcome, {
            to,
            attempts: progress.handlerRuns,
          })
        : callCompleted(this.run, call, facts, outcome, {
            to,
            attempts: progress.handlerRuns,
            cached: progress.handlerRuns === 0 && outcome.kind === 'output' ? true : undefined,
          }),
    ];
    if (progress.artifacts.length > 0) {
      const about = { step: facts.step, tool: tool.name, count: progress.artifacts.length };
      drafts.push(runEvent('artifacts.emitted', about, progress.artifacts));
    }
    await this.#writer.commit(drafts, effects ? 'full' : 'normal');
    if (notes.hookFailure) await this.#fail(notes.hookFailure, call.rationale);
  }

  async #refuse(call: CallTool, failure: Failure, facts: Omit<CallFacts, 'step'>): Promise<void> {
    if (this.#repeatsTooOften(call, failure)) return this.#failRepeated(call);
    await this.#writer.commit([callRefused(this.run, call, failure, facts)], 'normal');
  }

  async #recordPending(call: CallTool, tool: ToolFace, pending: Pending, facts: CallFacts): Promise<void> {
    const { run } = this;
    if (pending.kind !== 'children') {
      return this.#writer.commit([callPending(run, call, facts, pending, undefined)], 'full');
    }
    const spending: { [name in BudgetName]?: number } = run.intent ? { tool_calls: 1 } : { ...ONE_CALL };
    if (call.model) addSpend(spending, call.model.spend);
    const started = await startChildren(pending, run, spending, this.#desk.account, this.#parts);
    if ('ids' in started) {
      return this.#writer.commit(
        [callPending(run, call, facts, pending, started.ids)],
        'full',
        started.appends,
      );
    }
    const { park, failure } = started.refused;
    return park ? this.#park(park, call, tool) : this.#refuse(call, failure, facts);
  }

  /** The outcome that a timer, an event or the last child has brought. */
  async #settlePending(): Promise<void> {
    const { waiting } = this.run;
    if (waiting?.for !== 'outcome') return;
    const outcome = resolvedOutcome(waiting, this.run, this.#parts.clock.now());
    if (outcome === undefined) {
      return this.#writer.commit([runEvent('run.released', { status: 'waiting' })], 'normal');
    }
    const to =
      outcome.kind === 'output' && waiting.to !== undefined
        ? await this.#ruledTransition(waiting.to)
        : undefined;
    await this.#writer.commit([outcomeRecorded(waiting, outcome, { to })], 'full');
  }

  /** The state to enter after a success, if the transition chain agrees. */
  #ruledTransition(to: string): string | undefined | Promise<string | undefined> {
    const ruling = this.#move(to);
    if (ruling instanceof Promise) return ruling.then((settled) => (settled.kind === 'go' ? to : undefined));
    return ruling.kind === 'go' ? to : undefined;
  }

  // --- after a crash ---

  /** An intent without outcome: made again where that is harmless, else a person is asked. */
  async #recover(intent: OpenIntent): Promise<void> {
    const { step, call, key, answer } = intent;
    const tool = this.#parts.tools.require(call.tool);
    const told = { step, tool: tool.name };
    if (answer === 'done') {
      const to = call.then === undefined ? undefined : await this.#ruledTransition(call.then);
      const done = { kind: 'output', output: null } as const;
      return this.#writer.commit([outcomeRecorded(told, done, { to, by: 'person' })], 'full');
    }
    if (answer === 'fail') {
      const failure = {
        code: 'engine.effect_unknown',
        message: `a person said that ${tool.name} did not succeed.`,
      };
      const failed = outcomeRecorded(told, { kind: 'failure', failure }, { to: undefined, by: 'person' });
      return this.#writer.commit([failed], 'full');
    }
    if (!mayRepeat(tool) && answer !== 'retry') {
      return this.#askAboutUnknown(tool, `the process stopped while ${tool.name} was acting.`);
    }
    const progress = this.#startCall(call, tool, key, step);
    await this.#record(call, progress, await this.#perform(progress, true), {
      step,
      approval: intent.approval,
    });
  }

  #askAboutUnknown(tool: ToolFace, why: string): Promise<void> {
    return this.#writer.commit([unknownEffectAsked(this.run, tool, why, this.#asking())], 'full');
  }

  // --- other decisions ---

  async #transition(decision: Transition): Promise<void> {
    if (!(await this.#enough(ONE_STEP))) return;
    const ruling = await this.#rule(decision, { notes: {} });
    if (ruling.kind === 'park') return this.#park(ruling.waiting);
    const move = ruling.kind === 'go' ? await this.#move(decision.to) : ruling;
    if (move.kind === 'refuse') return this.#fail(move.failure, decision.rationale);
    if (this.#graph.isTerminal(decision.to)) {
      const message = `"${decision.to}" is an end; a run gets there by finishing or failing, not by a transition.`;
      return this.#fail({ code: 'engine.invalid_transition', message }, decision.rationale);
    }
    await this.#writer.commit([transitionMade(this.run, decision)], 'normal');
  }

  async #ask(decision: AskHuman): Promise<void> {
    if (!(await this.#enough(ONE_STEP))) return;
    const ruling = await this.#rule(decision, { notes: {} });
    if (ruling.kind === 'park') return this.#park(ruling.waiting);
    if (ruling.kind === 'refuse') return this.#fail(ruling.failure, decision.rationale);
    const asked = questionAsked(this.run, decision, this.#asking(decision.expiresInMs));
    const spending = { ...ONE_STEP, ...decision.model?.spend };
    await this.#writer.commit([asked], 'full', () => this.#desk.giveBack(spending, false));
  }

  async #finish(decision: Finish): Promise<void> {
    const { run } = this;
    const ruling = await this.#rule(decision, { notes: {} });
    const target = this.#graph.finishFrom(run.state);
    if (ruling.kind !== 'go' || target === undefined) {
      const message = `a run cannot finish from the state "${run.state}".`;
      const failure =
        ruling.kind === 'refuse' ? ruling.failure : { code: 'engine.invalid_transition', message };
      return this.#fail(failure, decision.rationale);
    }
    const move = await this.#move(target);
    if (move.kind === 'refuse') return this.#fail(move.failure, decision.rationale);
    const output = this.#parts.redactor.json(decision.output);
    const drafts = await callHooks(this.#parts.hooks, 'after_run', {
      ...this.#describe(),
      status: 'completed',
      output,
    });
    drafts.push(runCompleted(run, decision, target, output));
    await this.#writer.commit(drafts, 'full', () =>
      this.#endings('completed', { output }, decision.model?.spend),
    );
  }

  async #fail(failure: Failure, rationale: string, planned?: Decision): Promise<void> {
    const { run } = this;
    const clean = { ...failure, message: this.#parts.redactor.text(failure.message) };
    let drafts: EventDraft[] = [];
    try {
      drafts = await callHooks(this.#parts.hooks, 'on_error', {
        ...this.#describe(),
        status: 'failed',
        code: failure.code,
      });
    } catch {
      // The run fails anyway, for its own reason; a failing on_error hook must not hide it.
    }
    const state = this.#graph.failedState ?? run.state;
    drafts.push(runFailed(run, clean, rationale, { state, planned }));
    await this.#writer.commit(drafts, 'full', () =>
      this.#endings('failed', { failure: clean }, planned?.model?.spend),
    );
  }

  #failDenied(code: 'engine.approval_denied' | 'engine.approval_expired'): Promise<void> {
    const denied = code === 'engine.approval_denied';
    const message = denied
      ? 'a person denied what the run asked for.'
      : 'nobody answered in time, which counts as a denial.';
    return this.#fail({ code, message }, 'what was asked for may not be done, so the run ends');
  }

  #failRepeated(call: CallTool): Promise<void> {
    const message = `${call.tool} was called ${MOST_REPEATS} times with the same input and the same result, and the planner wants it again; it would not end.`;
    return this.#fail({ code: 'engine.repeated_call', message }, call.rationale);
  }

  async #cancel(by: string, reason: string): Promise<void> {
    const cancelled = runEvent('run.cancelled', { by, reason, state: this.run.state, status: 'cancelled' });
    const failure = { code: 'engine.cancelled', message: reason };
    await this.#writer.commit([cancelled], 'full', () => this.#endings('cancelled', { failure }));
  }

  // --- shared by the above ---

  /** True when there is enough for `need`; otherwise the run is parked. */
  async #enough(need: Spend): Promise<boolean> {
    const short = await this.#desk.setAside(need);
    if (short !== undefined) await this.#park(short);
    return short === undefined;
  }

  async #park(waiting: ParkRequest, call?: CallTool, tool?: ToolFace): Promise<void> {
    const spending = waiting.for === 'approval' ? { ...ONE_STEP, ...call?.model?.spend } : {};
    const event = parked(this.run, waiting, this.#asking(), call, tool);
    await this.#writer.commit([event], 'full', () => this.#desk.giveBack(spending, false));
  }

  #asking(expiresInMs = this.#parts.approvalExpiresMs): Asking {
    const now = this.#parts.clock.now();
    return { id: this.#parts.ids.next(), now, expiresAt: now + expiresInMs };
  }

  /** What the end of a run means to others: its parent learns of it, its share of the budget is free again. */
  #endings(
    status: 'completed' | 'failed' | 'cancelled',
    result: { output?: Json; failure?: Failure },
    spending: Spend = {},
  ): StreamAppend[] {
    const { id, lineage, used } = this.run;
    const appends = this.#desk.giveBack(spending, true);
    if (lineage.parent === undefined) return appends;
    const total: { [name in BudgetName]?: number } = { ...used };
    addSpend(total, spending);
    const ended = runEvent('child.ended', { child: id, status, used: total }, result);
    return [...appends, { stream: runStream(lineage.parent), events: [ended] }];
  }

  #repeatsTooOften(call: CallTool, failure?: Failure): boolean {
    if (this.run.repeats < MOST_REPEATS) return false;
    const last = this.run.evidence.at(-1);
    return (
      last?.source === 'tool' &&
      last.tool === call.tool &&
      (failure === undefined || last.failure?.code === failure.code) &&
      canonicalJson(last.input ?? null) === canonicalJson(call.input)
    );
  }

  #describe(): { run: string; kind: string; goal: string; state: string; step: number } {
    const { id, kind, goal, state, step } = this.run;
    return { run: id, kind, goal, state, step };
  }
}

/** A middleware that throws has refused. */
function caught(ask: () => Ruling | Promise<Ruling>): Ruling | Promise<Ruling> {
  const refused = (error: unknown): Ruling => ({
    kind: 'refuse',
    failure: toFailure(error, 'engine.middleware_violation'),
  });
  try {
    const ruling = ask();
    return ruling instanceof Promise ? ruling.catch(refused) : ruling;
  } catch (error) {
    return refused(error);
  }
}
