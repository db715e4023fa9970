import { isOkaError } from '../kernel/index.ts';
import type { StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import { type BudgetName, NO_AMOUNT, type Spend } from './budgets.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ParkRequest } from './middleware.ts';
import type { RunState } from './run-state.ts';
import type { RunWriter } from './run-writer.ts';
import { RunPools } from './spending-pools.ts';
import { modelReserved } from './step-events.ts';

const MAX_ATTEMPTS = 50;
/** The minimum cost of one model call. */
const MINIMUM_FOR_MODELS = { model_calls: 1, input_tokens: 1, output_tokens: 1, cost_usd: 0.01 } as const;
const MODEL_BUDGETS = Object.keys(MINIMUM_FOR_MODELS) as (keyof typeof MINIMUM_FOR_MODELS)[];

/** Reserves budget for one run from the account of its tree and from the pools that it belongs to. */
export class BudgetReservations {
  readonly account: BudgetAccount;
  readonly #run: RunState;
  readonly #parts: EngineParts;
  readonly #writer: RunWriter;
  readonly #pools: RunPools;
  /** Whether the last step reserved a model call from the tree. */
  #holdsModel = false;

  constructor(run: RunState, account: BudgetAccount, writer: RunWriter, parts: EngineParts) {
    this.account = account;
    this.#writer = writer;
    this.#run = run;
    this.#parts = parts;
    this.#pools = new RunPools(run, parts.pools, parts);
  }

  /**
   * Reads the pools; called when a session begins. Claiming the run has charged it for a model call in which its process died,
   * so the reservation of that call is settled before another one is made.
   */
  async load(): Promise<void> {
    await this.#pools.load();
    if (this.#pools.hasOpen) await this.#pools.settleNow();
  }

  /** What can be reserved of a budget, in the run's own limits, its tree and its pools. */
  left = (name: BudgetName): number => {
    const own = this.account.own(this.#run, name);
    const tree = this.account.shared
      ? Math.min(own, this.balance(name) + this.account.available(this.#run.id, name))
      : own;
    return Math.min(tree, this.#pools.available(name));
  };

  balance = (name: BudgetName): number => this.account.balance(this.#run, name);

  /** Reserves `need`; returns a park request when the budget is too small. */
  async reserve(need: Spend): Promise<ParkRequest | undefined> {
    const short = shortage(need, this.balance);
    if (short !== undefined) {
      // A reservation cannot exceed the run's own limit.
      const forbidden = shortage(need, (name) => this.account.own(this.#run, name));
      const missing =
        forbidden === undefined && this.account.shared
          ? await this.#reserveShared(need, short)
          : this.#exhausted(forbidden ?? short);
      if (missing !== undefined) return missing;
    }
    if (!MODEL_BUDGETS.some((name) => (need[name] ?? 0) > 0)) return undefined;
    this.#holdsModel = this.account.shared;
    const missing = await this.#pools.reserve(need);
    if (missing === undefined) await this.holdForModels(need);
    return missing;
  }

  /** Records what the model calls of this step cost at most. If this process dies, that is charged. */
  holdForModels(amounts: Spend): Promise<void> {
    return this.#writer.commit([modelReserved(this.#run, amounts)], 'normal');
  }

  /** Whether a step has reserved a model call that is not settled. */
  get hasOpenCall(): boolean {
    return this.#holdsModel || this.#pools.hasOpen;
  }

  /**
   * Returns what the last model call did not use. Its spend is recorded already. If it was interrupted, the release of the run
   * will charge what it may have spent.
   */
  async settleCall(): Promise<void> {
    const { events, actor } = this.#parts;
    const { reserved = {} } = this.#run;
    while (this.#holdsModel) {
      const append = this.account.returnUnused(this.#run, reserved, false, MODEL_BUDGETS);
      try {
        if (append !== undefined) await events.commit({ actor, sync: 'normal', appends: [append] });
        this.#holdsModel = false;
      } catch (error) {
        await this.account.refresh();
        if (!isOkaError(error, 'ledger.conflict')) throw error;
      }
    }
    await this.#pools.settleNow(reserved);
  }

  /**
   * The part of a model call that the remaining budget does not cover, regardless of the planner's estimate. A planner that
   * estimates too little is stopped one answer late.
   */
  minimumForModels(): Spend | undefined {
    const { used } = this.#run;
    let least: { [name in BudgetName]?: number } | undefined;
    for (const name of MODEL_BUDGETS) {
      if ((used[name] ?? 0) === 0 || this.account.own(this.#run, name) > 0) continue;
      least ??= {};
      least[name] = MINIMUM_FOR_MODELS[name];
    }
    return least;
  }

  /** Reserves the cost of retries as far as the budget allows. Without it the call is not retried. */
  async reserveRetries(asked = Number.POSITIVE_INFINITY): Promise<void> {
    const possible = (name: BudgetName): number =>
      Math.min(
        this.account.own(this.#run, name),
        this.balance(name) + this.account.available(this.#run.id, name),
      );
    const retries = Math.min(asked, this.#run.limits.node_retries ?? 0, possible('retries'));
    if (retries < 1) return;
    const need = { retries, tool_calls: Math.min(1 + retries, possible('tool_calls')) };
    const short = shortage(need, this.balance);
    if (short !== undefined) await this.#reserveShared(need, short);
  }

  async #reserveShared(need: Spend, first: Spend): Promise<ParkRequest | undefined> {
    let short: Spend | undefined = first;
    for (let attempt = 1; short !== undefined; attempt++) {
      const append = this.account.reserve(this.#run.id, short);
      if (append === undefined)
        return this.#exhausted(
          shortage(short, (name) => this.account.available(this.#run.id, name)) ?? short,
        );
      try {
        await this.#parts.events.commit({ actor: this.#parts.actor, sync: 'normal', appends: [append] });
      } catch (error) {
        await this.account.refresh();
        if (!isOkaError(error, 'ledger.conflict') || attempt > MAX_ATTEMPTS) throw error;
      }
      short = shortage(need, this.balance);
    }
    return undefined;
  }

  #exhausted(short: Spend): ParkRequest {
    const [budget, needed] = Object.entries(short)[0] as [BudgetName, number];
    const used = this.#run.used[budget] ?? 0;
    return { for: 'budget', budget, used, limit: this.#run.limits[budget] ?? used, needed };
  }

  /** The appends that release the budget this run does not need. */
  release(spending: Spend, ended: boolean): StreamAppend[] {
    const append = this.account.returnUnused(this.#run, spending, ended);
    return [...(append ? [append] : []), ...this.#pools.settle(spending)];
  }
}

function shortage(need: Spend, balance: (name: BudgetName) => number): Spend | undefined {
  let short: { [name in BudgetName]?: number } | undefined;
  for (const key in need) {
    const name = key as BudgetName;
    const missing = (need[name] ?? 0) - balance(name);
    if (missing > NO_AMOUNT) {
      short ??= {};
      short[name] = missing;
    }
  }
  return short;
}
