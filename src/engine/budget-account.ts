// Owns: the reservations on a tree's budget. Does not own: what a run has used (see its fold).
// I1 The sum of all reservations never exceeds a limit: a reservation is checked here and appended with the expected
//    index of the budget stream, so that a second process cannot reserve on a stale view.
// I2 A run with children and all its descendants together never hold more than its limits.
// I3 A run without children draws on its limits directly; the stream starts with its first child.
import type { EventStore, LedgerEvent, StreamAppend } from '../ledger/index.ts';
import { type BudgetName, NO_AMOUNT, SHARED_BUDGETS, type Spend } from './budgets.ts';
import { budgetStream } from './run-events.ts';
import type { RunState } from './run-state.ts';

type Amounts = { [name in BudgetName]?: number };

const MAX_SLICE = 64;

interface AccountState {
  readonly held: Map<string, Amounts>;
  readonly ended: Set<string>;
  readonly parents: Map<string, string>;
  /** The limits of runs with children, and what each of them and its descendants hold. Includes the root. */
  readonly branches: Map<string, { readonly limits: Amounts; readonly held: Amounts }>;
}

export class BudgetAccount {
  readonly root: string;
  readonly #events: EventStore;
  /** Created with the first child; a run without children does not need it. */
  #loadedState: AccountState | undefined;
  #index = -1;

  private constructor(root: string, events: EventStore) {
    this.root = root;
    this.#events = events;
  }

  /** The account of a new run, which has no children yet. */
  static empty(root: string, events: EventStore): BudgetAccount {
    return new BudgetAccount(root, events);
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

  /** Folds in events of other processes and drops reservations that were never stored. */
  async refresh(): Promise<void> {
    const events = await this.#events.read(budgetStream(this.root));
    this.#loadedState = undefined;
    this.#index = -1;
    for (const event of events) this.#apply(event.type, event.data);
  }

  /** What the run's own limit leaves. Infinity without a limit. */
  own(run: RunState, name: BudgetName): number {
    return (run.limits[name] ?? Number.POSITIVE_INFINITY) - (run.used[name] ?? 0);
  }

  /** What `run` can use without another reservation. */
  balance(run: RunState, name: BudgetName): number {
    const own = this.own(run, name);
    // A limit of any run above is shared, also where the root has none.
    if (!this.shared || this.available(run.id, name) === Number.POSITIVE_INFINITY) return own;
    return Math.min(own, (this.#state.held.get(run.id)?.[name] ?? 0) - this.#ownUse(run, name));
  }

  /** What `run` can still reserve: the minimum over it and its ancestors. */
  available(run: string, name: BudgetName): number {
    let left = Number.POSITIVE_INFINITY;
    for (let up: string | undefined = run; up !== undefined; up = this.#state.parents.get(up)) {
      const branch = this.#state.branches.get(up);
      const limit = branch?.limits[name];
      if (limit !== undefined) left = Math.min(left, limit - (branch?.held[name] ?? 0));
    }
    return left;
  }

  /** The append that opens the account for a run that is about to start children, including `spending`. */
  open(run: RunState, spending: Spend): StreamAppend {
    const held: Amounts = {};
    for (const name of SHARED_BUDGETS) {
      const used = (run.used[name] ?? 0) + (spending[name] ?? 0);
      if (used > 0) held[name] = used;
    }
    return this.#append('budget.opened', { limits: sharedLimits(run), run: run.id, held });
  }

  /** The append that records the children of a run and their common limits, including what it is `spending` now. */
  branch(run: RunState, children: readonly string[], spending: Spend): StreamAppend {
    const limits = sharedLimits(run);
    if (this.#state.branches.has(run.id))
      return this.#append('budget.branched', { run: run.id, children, limits });
    // Nothing was reserved so far of the budgets that no run above limits.
    const held: Amounts = {};
    for (const name of Object.keys(limits) as BudgetName[]) {
      const used = this.#ownUse(run, name) + (spending[name] ?? 0);
      const missing = used - (this.#state.held.get(run.id)?.[name] ?? 0);
      if (missing > NO_AMOUNT) held[name] = missing;
    }
    return this.#append('budget.branched', { run: run.id, children, limits, held });
  }

  /**
   * The append that reserves `need` for `run`, and a bit more when plenty is left; undefined when a budget is too small.
   * The reservation counts immediately; if the commit is rejected, `refresh` drops it.
   */
  reserve(run: string, need: Spend): StreamAppend | undefined {
    const amounts: Amounts = {};
    const live = Math.max(1, this.#state.held.size - this.#state.ended.size);
    for (const name of Object.keys(need) as BudgetName[]) {
      const wanted = need[name] ?? 0;
      const available = this.available(run, name);
      if (available === Number.POSITIVE_INFINITY || wanted <= 0) continue;
      if (available + NO_AMOUNT < wanted) return undefined;
      const sliced = name === 'steps' || name === 'tool_calls';
      amounts[name] = sliced
        ? Math.max(wanted, Math.min(MAX_SLICE, Math.floor(available / (4 * live))))
        : wanted;
    }
    return Object.keys(amounts).length === 0 ? undefined : this.#append('budget.reserved', { run, amounts });
  }

  /** The append that returns what an ending or parking run does not need beyond what it is `spending` now. */
  returnUnused(
    run: RunState,
    spending: Spend,
    ended: boolean,
    names: readonly BudgetName[] = SHARED_BUDGETS,
  ): StreamAppend | undefined {
    if (!this.shared) return undefined;
    const held = this.#state.held.get(run.id);
    const amounts: Amounts = {};
    for (const name of names) {
      const rest = (held?.[name] ?? 0) - this.#ownUse(run, name) - (spending[name] ?? 0);
      if (rest > NO_AMOUNT) amounts[name] = rest;
    }
    if (!ended && Object.keys(amounts).length === 0) return undefined;
    return this.#append('budget.returned', { run: run.id, amounts, ended });
  }

  /** The append that raises the limits of a run, its ancestors, and the given runs below it. */
  add(run: string, amounts: Spend, by: string, below: readonly string[] = []): StreamAppend | undefined {
    if (!this.shared) return undefined;
    return this.#append('budget.added', { run, amounts, by, ...(below.length === 0 ? {} : { below }) });
  }

  /** A run's own use: `used` includes its children, but they have their own reservations. */
  #ownUse(run: RunState, name: BudgetName): number {
    return (run.used[name] ?? 0) - (run.childrenUsed[name] ?? 0);
  }

  get #state(): AccountState {
    this.#loadedState ??= { held: new Map(), ended: new Set(), parents: new Map(), branches: new Map() };
    return this.#loadedState;
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
    const { run, amounts, limits, held, ended, children, below } = data as {
      run: string;
      amounts?: Amounts;
      limits?: Amounts;
      held?: Amounts;
      ended?: boolean;
      children?: readonly string[];
      below?: readonly string[];
    };
    switch (type) {
      case 'budget.opened':
        this.#state.branches.set(run, { limits: { ...limits }, held: {} });
        this.#change(run, held ?? {}, 1);
        return;
      case 'budget.branched':
        for (const child of children ?? []) this.#state.parents.set(child, run);
        this.#change(run, held ?? {}, 1);
        if (!this.#state.branches.has(run))
          this.#state.branches.set(run, { limits: { ...limits }, held: { ...this.#state.held.get(run) } });
        return;
      case 'budget.reserved':
        this.#change(run, amounts ?? {}, 1);
        return;
      case 'budget.returned':
        this.#change(run, amounts ?? {}, -1);
        if (ended) this.#state.ended.add(run);
        return;
      case 'budget.added':
        this.#raise(run, amounts ?? {}, below ?? []);
    }
  }

  #change(run: string, amounts: Amounts, sign: 1 | -1): void {
    const held = this.#state.held.get(run) ?? {};
    this.#state.held.set(run, held);
    change(held, amounts, sign);
    for (let up: string | undefined = run; up !== undefined; up = this.#state.parents.get(up)) {
      const branch = this.#state.branches.get(up);
      if (branch) change(branch.held, amounts, sign);
    }
  }

  #raise(run: string, amounts: Amounts, below: readonly string[]): void {
    const raised = [...below];
    for (let up: string | undefined = run; up !== undefined; up = this.#state.parents.get(up))
      raised.push(up);
    for (const one of raised) {
      const limits = this.#state.branches.get(one)?.limits;
      if (limits === undefined) continue;
      for (const key in amounts) {
        const name = key as BudgetName;
        if (limits[name] !== undefined) limits[name] += amounts[name] ?? 0;
      }
    }
  }
}

function sharedLimits(run: RunState): Amounts {
  const limits: Amounts = {};
  for (const name of SHARED_BUDGETS) if (run.limits[name] !== undefined) limits[name] = run.limits[name];
  return limits;
}

function change(held: Amounts, amounts: Amounts, sign: 1 | -1): void {
  for (const key in amounts) {
    const name = key as BudgetName;
    held[name] = (held[name] ?? 0) + sign * (amounts[name] ?? 0);
  }
}
