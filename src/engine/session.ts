// Owns: what the steps of a session share: the run, its writer and its budgets, and the ways in which a run stops.
import { canonicalJson, type Failure, type Json, OkaError } from '../kernel/index.ts';
import type { EventDraft, StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import { BudgetReservations } from './budget-reservations.ts';
import { type Spend, sumOf } from './budgets.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import { callHooks } from './middleware/run-hooks.ts';
import type { DecisionContext, ParkRequest, Ruling, ToolOutcome } from './middleware.ts';
import { PlanView } from './plan-input.ts';
import type { PlanInput } from './planner.ts';
import { runEvent, runStream } from './run-events.ts';
import { lastFact, type RunState } from './run-state.ts';
import { RunWriter } from './run-writer.ts';
import type { StateGraph } from './state-graph.ts';
import {
  type Asking,
  artifactsKept,
  type CallFacts,
  callRefused,
  parked,
  runFailed,
  spendOf,
  unknownEffectAsked,
} from './step-events.ts';
import { StopSwitch } from './stop-switch.ts';
import { needsIntent, type ToolFace } from './tool.ts';
import type { ArtifactRef, CallTool, Decision, RecoveryNote } from './types.ts';

export const ONE_STEP: Spend = { steps: 1 };
export const ONE_CALL: Spend = { steps: 1, tool_calls: 1 };

const MAX_REPEATS = 2;

export class Session {
  readonly run: RunState;
  readonly kind: RunKind;
  readonly graph: StateGraph;
  readonly parts: EngineParts;
  readonly writer: RunWriter;
  readonly budgets: BudgetReservations;
  readonly stop = new StopSwitch();

  constructor(run: RunState, kind: RunKind, graph: StateGraph, account: BudgetAccount, parts: EngineParts) {
    this.run = run;
    this.kind = kind;
    this.graph = graph;
    this.parts = parts;
    this.writer = new RunWriter(run, parts);
    this.budgets = new BudgetReservations(run, account, this.writer, parts);
  }

  view(repair?: PlanInput['repair']): PlanView {
    const again = repair && { repair };
    return new PlanView(this.run, this.graph, this.parts, this.stop, again);
  }

  /** Asks the whole decision chain. */
  rule(
    decision: Decision,
    about: Pick<DecisionContext, 'tool' | 'approval' | 'notes' | 'bind'> = { notes: {} },
  ): Promise<Ruling> {
    const { run, graph, parts } = this;
    const activeMs = run.activeMs + (run.claimedAt === undefined ? 0 : parts.clock.now() - run.claimedAt);
    const { balance } = this.budgets;
    return parts.middleware.decide({ run, graph, decision, balance, activeMs, ...about });
  }

  /** Asks the whole transition chain. */
  move(to: string): Promise<Ruling> {
    return this.parts.middleware.move({ run: this.run, graph: this.graph, from: this.run.state, to });
  }

  /** The state to enter after a successful call, where the transition chain allows it. */
  async allowedTarget(to: string | undefined): Promise<string | undefined> {
    if (to === undefined) return undefined;
    return (await this.move(to)).kind === 'go' ? to : undefined;
  }

  /** Reserves `need`. Where the budget is too small it parks the run, charges `spent`, and answers false. */
  async reserveOrPark(need: Spend, spent?: Spend): Promise<boolean> {
    const missing = await this.budgets.reserve(need);
    if (missing !== undefined) await this.park(missing, spent);
    return missing === undefined;
  }

  /** Parks the run; `spend` is what the decision that leads here has cost. */
  async park(
    waiting: ParkRequest,
    spend: Spend | undefined,
    asked?: { readonly call: CallTool; readonly tool: ToolFace },
    recovered?: readonly RecoveryNote[],
  ): Promise<void> {
    const cost = spend !== undefined && Object.keys(spend).length > 0 ? spend : undefined;
    const spending = waiting.for === 'approval' ? { ...ONE_STEP, ...cost } : (cost ?? {});
    const event = parked(this.run, waiting, this.asking(), cost, { ...asked, recovered });
    await this.writer.commit([event], 'full', () => this.budgets.release(spending, false));
  }

  asking(expiresInMs = this.parts.approvalExpiresMs): Asking {
    const now = this.parts.clock.now();
    return { id: this.parts.ids.next(), now, expiresAt: now + expiresInMs };
  }

  /** Records that a call was not made, and why. */
  async refuse(call: CallTool, failure: Failure, facts: Omit<CallFacts, 'step'>): Promise<void> {
    if (this.repeatsTooOften(call, failure)) return this.failRepeated(call);
    await this.writer.commit([callRefused(this.run, call, failure, facts)], 'normal');
  }

  /** Whether the planner repeats a call that had the same result several times in a row. */
  repeatsTooOften(call: CallTool, failure?: Failure): boolean {
    if (this.run.repeats < MAX_REPEATS || this.graph.spec.repeats) return false;
    const last = lastFact(this.run);
    return (
      last?.source === 'tool' &&
      last.tool === call.tool &&
      (failure === undefined || last.failure?.code === failure.code) &&
      canonicalJson(last.input ?? null) === canonicalJson(call.input)
    );
  }

  failRepeated(call: CallTool): Promise<void> {
    const message = `${call.tool} was called ${MAX_REPEATS} times with the same input and the same result, and the planner repeats it. The run would not end.`;
    const spend = spendOf(call);
    return this.fail({ code: 'engine.repeated_call', message }, call.rationale, { spend });
  }

  /**
   * Whether the call ended because the session stopped. The resumed run makes it again, or asks about it if it may not be
   * repeated. A cancelled run does not resume, so the outcome of its effect is recorded.
   */
  async wasInterrupted(tool: ToolFace, { kind }: ToolOutcome): Promise<boolean> {
    if (!this.stop.stopped || kind !== 'failure') return false;
    if (!needsIntent(tool)) return true;
    await this.writer.reconcile();
    return this.run.cancelRequested === undefined;
  }

  /** Asks a person whether an effect with an unknown outcome happened. */
  askAboutUnknown(tool: ToolFace, why: string): Promise<void> {
    return this.writer.commit([unknownEffectAsked(this.run, tool, why, this.asking())], 'full');
  }

  async fail(
    failure: Failure,
    rationale: string,
    about: {
      readonly planned?: Decision;
      readonly spend?: Spend | undefined;
      readonly recovered?: readonly RecoveryNote[] | undefined;
      readonly artifacts?: readonly ArtifactRef[];
    } = {},
  ): Promise<void> {
    const { run, parts } = this;
    const { planned, recovered, artifacts = [] } = about;
    const spend = planned ? spendOf(planned) : about.spend;
    const clean = { ...failure, message: parts.redactor.text(failure.message) };
    let drafts: EventDraft[] = [];
    try {
      const event = { ...this.describe(), status: 'failed', code: failure.code };
      drafts = await callHooks(parts.hooks, 'on_error', event);
    } catch {
      // A failing on_error hook must not hide why the run fails.
    }
    const state = this.graph.failedState ?? run.state;
    if (artifacts.length > 0) drafts.push(artifactsKept(run.step, artifacts));
    drafts.push(runFailed(run, clean, rationale, { state, planned, spend, recovered }));
    await this.writer.commit(drafts, 'full', () => this.endings('failed', { failure: clean }, spend));
  }

  /** What to append when a run ends: the end for its parent, and the budget that it releases. */
  endings(
    status: 'completed' | 'failed' | 'cancelled',
    result: { output?: Json; failure?: Failure },
    spending: Spend = {},
  ): StreamAppend[] {
    const { id, lineage, used } = this.run;
    const appends = this.budgets.release(spending, true);
    if (lineage.parent === undefined) return appends;
    const ended = runEvent(
      'child.ended',
      {
        child: id,
        status,
        used: sumOf(used, spending),
        untrusted: this.run.untrusted ? true : undefined,
      },
      { ...result, namedHosts: this.run.namedHosts },
    );
    return [...appends, { stream: runStream(lineage.parent), events: [ended] }];
  }

  describe(): { run: string; kind: string; goal: string; state: string; step: number } {
    const { id, kind, goal, state, step } = this.run;
    return { run: id, kind, goal, state, step };
  }

  /** Stops the session when the run was cancelled. Called periodically while a handler runs. */
  readonly checkCancelled = (): void => {
    this.writer.reconcile().then(
      () => {
        const { cancelRequested } = this.run;
        if (cancelRequested) this.stop.stop(new OkaError('engine.cancelled', cancelRequested.reason));
      },
      (error: unknown) => this.stop.stop(error as Error),
    );
  };
}
