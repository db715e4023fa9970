import { isOkaError } from '../kernel/index.ts';
import type { StreamAppend } from '../ledger/index.ts';
import type { BudgetAccount } from './budget-account.ts';
import type { BudgetName, Spend } from './budgets.ts';
import type { EngineParts } from './engine-parts.ts';
import type { ParkRequest } from './middleware.ts';
import type { RunState } from './run-state.ts';

const MOST_ATTEMPTS = 50;
const MODEL_BUDGETS = [
  'model_calls',
  'input_tokens',
  'output_tokens',
  'cost_usd',
] as const satisfies readonly BudgetName[];

/** A run's dealings with the account of its tree. */
export class BudgetDesk {
  readonly account: BudgetAccount;
  readonly #run: RunState;
  readonly #parts: EngineParts;

  constructor(run: RunState, account: BudgetAccount, parts: EngineParts) {
    this.account = account;
    this.#run = run;
    this.#parts = parts;
  }

  balance = (name: BudgetName): number => this.account.balance(this.#run, name);

  /** Undefined when there is enough for `need`, set aside where it is shared; else why the run has to stop. */
  setAside(need: Spend): ParkRequest | undefined | Promise<ParkRequest | undefined> {
    const short = shortage(need, this.balance);
    if (short === undefined) return undefined;
    // What the run's own limit forbids, no reservation can bring.
    const forbidden = shortage(need, (name) => this.account.own(this.#run, name));
    return forbidden === undefined && this.account.shared
      ? this.#reserve(need, short)
      : this.#exhausted(forbidden ?? short);
  }

  /** Why the run has to stop before a model is asked again: a planner that does not estimate is stopped one answer late. */
  spentOnModels(): ParkRequest | undefined {
    const { used, limits } = this.#run;
    const name = MODEL_BUDGETS.find(
      (budget) =>
        (used[budget] ?? 0) > 0 && (used[budget] ?? 0) >= (limits[budget] ?? Number.POSITIVE_INFINITY),
    );
    return name && this.#exhausted({ [name]: 1 });
  }

  /** Sets aside what trying again may cost, as far as there is any; without it there is no second try. */
  async setAsideRetries(): Promise<void> {
    const retries = Math.min(this.#run.limits.node_retries ?? 0, this.account.own(this.#run, 'retries'));
    if (retries < 1) return;
    const need = { retries, tool_calls: 1 + retries };
    const short = shortage(need, this.balance);
    const possible = shortage(need, (name) => this.account.own(this.#run, name)) === undefined;
    if (short !== undefined && possible) await this.#reserve(need, short);
  }

  async #reserve(need: Spend, first: Spend): Promise<ParkRequest | undefined> {
    let short: Spend | undefined = first;
    for (let attempt = 1; short !== undefined; attempt++) {
      const append = this.account.reserve(this.#run.id, short);
      if (append === undefined)
        return this.#exhausted(shortage(short, (name) => this.account.available(name)) ?? short);
      try {
        await this.#parts.events.commit({ actor: this.#parts.actor, sync: 'normal', appends: [append] });
      } catch (error) {
        await this.account.refresh();
        if (!isOkaError(error, 'ledger.conflict') || attempt > MOST_ATTEMPTS) throw error;
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

  /** What to append so that others can have what this run does not need. */
  giveBack(spending: Spend, ended: boolean): StreamAppend[] {
    const append = this.account.giveBack(this.#run, spending, ended);
    return append ? [append] : [];
  }
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
