// Owns: how much of a tree's budget is spoken for. Does not own: what a run has used (its own fold knows).
// I1 The sum of what runs hold never exceeds a limit: a reservation is checked here and appended with the expected
//    index of the budget stream, so that a second process cannot reserve on a stale view.
// I2 A run that is alone draws on its limits directly; the stream begins with its first child.
import type { EventStore, LedgerEvent, StreamAppend } from '../ledger/index.ts';
import { type BudgetLimits, type BudgetName, SHARED_BUDGETS, type Spend } from './budgets.ts';
import { budgetStream } from './run-events.ts';
import type { RunState } from './run-state.ts';

type Amounts = { [name in BudgetName]?: number };

const LARGEST_SLICE = 64;

export class BudgetAccount {
  readonly root: string;
  readonly #events: EventStore;
  readonly #held = new Map<string, Amounts>();
  readonly #ended = new Set<string>();
  #limits: Amounts = {};
  #index = -1;

  private constructor(root: string, events: EventStore) {
    this.root = root;
    this.#events = events;
  }

  static async load(root: string, events: EventStore): Promise<BudgetAccount> {
    const account = new BudgetAccount(root, events);
    await account.refresh();
    return account;
  }

  /** Whether several runs draw on it. */
  get shared(): boolean {
    return this.#index >= 0;
  }

  /** Folds in what others have appended, and takes back what was never stored. */
  async refresh(): Promise<void> {
    this.#held.clear();
    this.#ended.clear();
    this.#limits = {};
    this.#index = -1;
    for (const event of await this.#events.read(budgetStream(this.root))) this.#apply(event.type, event.data);
  }

  /** What the run's own limit leaves it. Infinity where there is no limit. */
  own(run: RunState, name: BudgetName): number {
    return (run.limits[name] ?? Number.POSITIVE_INFINITY) - (run.used[name] ?? 0);
  }

  /** What is left for `run` to use without reserving more. */
  balance(run: RunState, name: BudgetName): number {
    const own = this.own(run, name);
    if (!this.shared || this.#limits[name] === undefined) return own;
    return Math.min(own, (this.#held.get(run.id)?.[name] ?? 0) - this.#ownUse(run, name));
  }

  /** What nobody holds yet. */
  available(name: BudgetName): number {
    const limit = this.#limits[name];
    if (limit === undefined) return Number.POSITIVE_INFINITY;
    let held = 0;
    for (const amounts of this.#held.values()) held += amounts[name] ?? 0;
    return limit - held;
  }

  /** The append that opens the account for a run that is about to have children, `spending` included. */
  open(run: RunState, spending: Spend): StreamAppend {
    const held: Amounts = {};
    for (const name of SHARED_BUDGETS) {
      const used = (run.used[name] ?? 0) + (spending[name] ?? 0);
      if (used > 0) held[name] = used;
    }
    const limits: Amounts = {};
    for (const name of SHARED_BUDGETS) if (run.limits[name] !== undefined) limits[name] = run.limits[name];
    return this.#append('budget.opened', { limits, run: run.id, held });
  }

  /**
   * The append that sets aside `need` for `run`, and a little more where there is plenty; undefined when something is
   * missing. What it reserves counts at once; if the commit is refused, `refresh` takes it back.
   */
  reserve(run: string, need: Spend): StreamAppend | undefined {
    const amounts: Amounts = {};
    const live = Math.max(1, this.#held.size - this.#ended.size);
    for (const name of Object.keys(need) as BudgetName[]) {
      const wanted = need[name] ?? 0;
      if (this.#limits[name] === undefined || wanted <= 0) continue;
      const available = this.available(name);
      if (available < wanted) return undefined;
      const sliced = name === 'steps' || name === 'tool_calls';
      amounts[name] = sliced
        ? Math.max(wanted, Math.min(LARGEST_SLICE, Math.floor(available / (4 * live))))
        : wanted;
    }
    return Object.keys(amounts).length === 0 ? undefined : this.#append('budget.reserved', { run, amounts });
  }

  /** The append that gives back what an ending or parking run does not need beyond what it is just `spending`. */
  giveBack(run: RunState, spending: Spend, ended: boolean): StreamAppend | undefined {
    if (!this.shared) return undefined;
    const held = this.#held.get(run.id);
    const amounts: Amounts = {};
    for (const name of SHARED_BUDGETS) {
      const rest = (held?.[name] ?? 0) - this.#ownUse(run, name) - (spending[name] ?? 0);
      if (rest > 0) amounts[name] = rest;
    }
    if (!ended && Object.keys(amounts).length === 0) return undefined;
    return this.#append('budget.returned', { run: run.id, amounts, ended });
  }

  add(amounts: Spend, by: string): StreamAppend | undefined {
    return this.shared ? this.#append('budget.added', { amounts, by }) : undefined;
  }

  /** A run's own use: children's use is in `used` too, but they hold their own share. */
  #ownUse(run: RunState, name: BudgetName): number {
    return (run.used[name] ?? 0) - (run.childrenUsed[name] ?? 0);
  }

  #append(type: string, data: object): StreamAppend {
    const expectedIndex = this.#index + 1;
    this.#apply(type, data as LedgerEvent['data']);
    return {
      stream: budgetStream(this.root),
      expectedIndex,
      events: [{ type, data: data as LedgerEvent['data'] }],
    };
  }

  #apply(type: string, data: LedgerEvent['data']): void {
    this.#index += 1;
    const { run, amounts, limits, held, ended } = data as {
      run: string;
      amounts?: Amounts;
      limits?: BudgetLimits;
      held?: Amounts;
      ended?: boolean;
    };
    switch (type) {
      case 'budget.opened':
        this.#limits = { ...limits };
        this.#held.set(run, { ...held });
        return;
      case 'budget.reserved':
        this.#change(run, amounts ?? {}, 1);
        return;
      case 'budget.returned':
        this.#change(run, amounts ?? {}, -1);
        if (ended) this.#ended.add(run);
        return;
      case 'budget.added':
        for (const name in amounts) {
          const limit = this.#limits[name as BudgetName];
          if (limit !== undefined)
            this.#limits[name as BudgetName] = limit + (amounts[name as BudgetName] ?? 0);
        }
    }
  }

  #change(run: string, amounts: Amounts, sign: 1 | -1): void {
    const held = this.#held.get(run) ?? {};
    for (const name in amounts) {
      const key = name as BudgetName;
      held[key] = (held[key] ?? 0) + sign * (amounts[key] ?? 0);
    }
    this.#held.set(run, held);
  }
}
