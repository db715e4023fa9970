// Owns: what every part of a session shares: the run, its pen and its purse, and the ways in which a run stops.
import { type Failure, type Json, OkaError } from '../kernel/index.ts';
import type { EventDraft, StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import { BudgetDesk } from './budget-desk.ts';
import { addSpend, type BudgetName, type Spend } from './budgets.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import { callHooks } from './middleware/run-hooks.ts';
import type { DecisionContext, ParkRequest, Ruling } from './middleware.ts';
import { PlanView } from './plan-input.ts';
import type { PlanInput } from './planner.ts';
import { runEvent, runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';
import { RunWriter } from './run-writer.ts';
import type { StateGraph } from './state-graph.ts';
import { type Asking, parked, runFailed, spendOf } from './step-events.ts';
import { StopSwitch } from './stop-switch.ts';
import type { ToolFace } from './tool.ts';
import type { CallTool, Decision } from './types.ts';

export const ONE_STEP: Spend = { steps: 1 };
export const ONE_CALL: Spend = { steps: 1, tool_calls: 1 };

export class SessionCore {
  readonly run: RunState;
  readonly kind: RunKind;
  readonly graph: StateGraph;
  readonly parts: EngineParts;
  readonly writer: RunWriter;
  readonly desk: BudgetDesk;
  readonly stop = new StopSwitch();

  constructor(run: RunState, kind: RunKind, graph: StateGraph, account: BudgetAccount, parts: EngineParts) {
    this.run = run;
    this.kind = kind;
    this.graph = graph;
    this.parts = parts;
    this.writer = new RunWriter(run, parts);
    this.desk = new BudgetDesk(run, account, parts);
  }

  view(repair?: PlanInput['repair']): PlanView {
    return new PlanView(this.run, this.graph, this.parts, this.stop, repair && { repair });
  }

  /** Asks the whole decision chain. */
  rule(
    decision: Decision,
    extra: Pick<DecisionContext, 'tool' | 'approval' | 'notes'>,
  ): Ruling | Promise<Ruling> {
    const { run } = this;
    const { tool, approval, notes } = extra;
    return this.parts.middleware.decide({
      run,
      graph: this.graph,
      decision,
      tool,
      approval,
      balance: this.desk.balance,
      activeMs: run.activeMs + (run.claimedAt === undefined ? 0 : this.parts.clock.now() - run.claimedAt),
      notes,
    });
  }

  move(to: string): Ruling | Promise<Ruling> {
    return this.parts.middleware.move({ run: this.run, graph: this.graph, from: this.run.state, to });
  }

  /** The state to enter after a success, if the transition chain agrees. */
  agreed(to: string): string | undefined | Promise<string | undefined> {
    const ruling = this.move(to);
    if (ruling instanceof Promise) return ruling.then((settled) => (settled.kind === 'go' ? to : undefined));
    return ruling.kind === 'go' ? to : undefined;
  }

  /** True when there is enough for `need`; otherwise the run is parked, and what was `lost` so far is charged. */
  async enough(need: Spend, lost?: Spend): Promise<boolean> {
    const short = await this.desk.setAside(need);
    if (short !== undefined) await this.park(short, lost);
    return short === undefined;
  }

  /** Parks the run; `spend` is what the decision that leads here has cost. */
  async park(
    waiting: ParkRequest,
    spend: Spend | undefined,
    asked?: { readonly call: CallTool; readonly tool: ToolFace },
  ): Promise<void> {
    const cost = spend !== undefined && Object.keys(spend).length > 0 ? spend : undefined;
    const spending = waiting.for === 'approval' ? { ...ONE_STEP, ...cost } : (cost ?? {});
    const event = parked(this.run, waiting, this.asking(), cost, asked?.call, asked?.tool);
    await this.writer.commit([event], 'full', () => this.desk.giveBack(spending, false));
  }

  asking(expiresInMs = this.parts.approvalExpiresMs): Asking {
    const now = this.parts.clock.now();
    return { id: this.parts.ids.next(), now, expiresAt: now + expiresInMs };
  }

  async fail(
    failure: Failure,
    rationale: string,
    about: { readonly planned?: Decision; readonly spend?: Spend | undefined } = {},
  ): Promise<void> {
    const { run, parts } = this;
    const { planned } = about;
    const spend = planned ? spendOf(planned) : about.spend;
    const clean = { ...failure, message: parts.redactor.text(failure.message) };
    let drafts: EventDraft[] = [];
    try {
      const event = { ...this.describe(), status: 'failed', code: failure.code };
      drafts = await callHooks(parts.hooks, 'on_error', event);
    } catch {
      // The run fails anyway, for its own reason; a failing on_error hook must not hide it.
    }
    const state = this.graph.failedState ?? run.state;
    drafts.push(runFailed(run, clean, rationale, { state, planned, spend }));
    await this.writer.commit(drafts, 'full', () => this.endings('failed', { failure: clean }, spend));
  }

  /** What the end of a run means to others: its parent learns of it, its share of the budget is free again. */
  endings(
    status: 'completed' | 'failed' | 'cancelled',
    result: { output?: Json; failure?: Failure },
    spending: Spend = {},
  ): StreamAppend[] {
    const { id, lineage, used } = this.run;
    const appends = this.desk.giveBack(spending, true);
    if (lineage.parent === undefined) return appends;
    const total: { [name in BudgetName]?: number } = { ...used };
    addSpend(total, spending);
    const untrusted = this.run.untrusted ? true : undefined;
    const ended = runEvent('child.ended', { child: id, status, used: total, untrusted }, result);
    return [...appends, { stream: runStream(lineage.parent), events: [ended] }];
  }

  describe(): { run: string; kind: string; goal: string; state: string; step: number } {
    const { id, kind, goal, state, step } = this.run;
    return { run: id, kind, goal, state, step };
  }

  /** While a handler takes its time, looks whether somebody wants the run cancelled. */
  look = (): void => {
    this.writer.reconcile().then(
      () => {
        const { cancelRequested } = this.run;
        if (cancelRequested) this.stop.stop(new OkaError('engine.cancelled', cancelRequested.reason));
      },
      (error: unknown) => this.stop.stop(error as Error),
    );
  };
}
