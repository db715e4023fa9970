// Owns: limits that many runs share beside their own, such as those of a day. Does not own: which pools there are.
// I1 A call is reserved in every pool of its run before it is made; a reservation is appended with the expected index of the
//    pool's stream, so that processes cannot overspend together.
// I2 A reservation is settled with what the run has spent since: after its step, in the commit that ends or parks it, or when
//    the next process continues the run. Only then the run reserves again, so `available` may leave out its own reservation.
// I3 The runs of a simulation are not in the ledger, so nobody resumes them after a crash. Their reservations name the process
//    that made them; when it is gone, the next reservation in the pool charges them in full.
import { isOkaError } from '../kernel/index.ts';
import type { EventStore, StreamAppend } from '../ledger/index.ts';
import { addSpend, type BudgetName, NO_AMOUNT, type Spend } from './budgets.ts';
import type { ParkRequest } from './middleware.ts';
import type { Owners } from './ports.ts';
import type { RunState, Waiting } from './run-state.ts';

export interface SpendingPool {
  /** Part of the name of its stream: `day/2026-11-17`. */
  readonly name: string;
  readonly limits: Spend;
}

/** The pools of a run at this time. */
export type FindPools = (run: Pick<RunState, 'group'>, now: number) => readonly SpendingPool[];

type Amounts = { [name in BudgetName]?: number };

interface Held {
  readonly amounts: Spend;
  /** What the run itself, without its children, had used before. */
  readonly before: Spend;
  /** The process that works on the run, if no other process can resume it. */
  readonly owner?: string;
}

const MAX_ATTEMPTS = 100;

/** What the ledger knows about one pool. */
class PoolAccount {
  readonly stream: string;
  readonly #events: EventStore;
  readonly #held = new Map<string, Held>();
  readonly #charged: Amounts = {};
  index = -1;

  constructor(name: string, events: EventStore) {
    this.stream = `budget/${name}`;
    this.#events = events;
  }

  async refresh(): Promise<void> {
    for (const { type, index, data } of await this.#events.read(this.stream, this.index + 1)) {
      if (index <= this.index) continue;
      this.index = index;
      const { run, ...held } = data as unknown as Held & { run: string };
      if (type === 'pool.reserved') this.#held.set(run, held);
      else {
        this.#held.delete(run);
        addSpend(this.#charged, held.amounts);
      }
    }
  }

  heldBy(run: string): Held | undefined {
    return this.#held.get(run);
  }

  /** Reservations whose process is gone, and whose run nobody can resume. */
  abandoned(owners: Owners): readonly (readonly [run: string, amounts: Spend])[] {
    return [...this.#held].flatMap(([run, { owner, amounts }]) =>
      owner === undefined || owners.isAlive(owner) ? [] : [[run, amounts] as const],
    );
  }

  /** What `run` can reserve; its own earlier reservation does not count. */
  available(run: string, name: BudgetName, limits: Spend): number {
    const limit = limits[name];
    if (limit === undefined) return Number.POSITIVE_INFINITY;
    let left = limit - (this.#charged[name] ?? 0);
    for (const [holder, { amounts }] of this.#held) if (holder !== run) left -= amounts[name] ?? 0;
    return left;
  }
}

/** What the runs of a pool have used or reserved. */
export async function poolUse({ name, limits }: SpendingPool, events: EventStore): Promise<Spend> {
  const account = new PoolAccount(name, events);
  await account.refresh();
  const used: Amounts = {};
  for (const budget of Object.keys(limits) as BudgetName[])
    used[budget] = (limits[budget] ?? 0) - account.available('', budget, limits);
  return used;
}

/** The pools of an engine. */
export class SpendingPools {
  /** The store with the pools' streams. */
  readonly events: EventStore;
  /** Whether the events of runs are in another store, as in a simulation. */
  readonly isApart: boolean;
  readonly #find: FindPools | undefined;
  readonly #accounts = new Map<string, PoolAccount>();

  constructor(
    find: FindPools | undefined,
    stores: { readonly runs: EventStore; readonly pools?: EventStore },
  ) {
    this.events = stores.pools ?? stores.runs;
    this.isApart = this.events !== stores.runs;
    this.#find = find;
  }

  /** The pools of a run and what is known about them. */
  of(run: RunState, now: number): readonly { readonly pool: SpendingPool; readonly account: PoolAccount }[] {
    if (this.#find === undefined) return [];
    return this.#find(run, now).map((pool) => {
      const account = this.#accounts.get(pool.name) ?? new PoolAccount(pool.name, this.events);
      this.#accounts.set(pool.name, account);
      return { pool, account };
    });
  }

  /** Whether a pool has too little left for a run that waits for it. A pool of an earlier day no longer counts. */
  async isShort(
    run: RunState,
    { budget, needed, left = 0, pool: name }: Extract<Waiting, { for: 'budget' }>,
    now: number,
  ): Promise<boolean> {
    const found = this.of(run, now).find(({ pool }) => pool.name === name);
    if (found === undefined) return false;
    await found.account.refresh();
    return found.account.available(run.id, budget, found.pool.limits) < left + needed - NO_AMOUNT;
  }
}

interface PoolParts {
  readonly owners: Owners;
  readonly actor: string;
  readonly clock: { now(): number };
}

/** The pools of one run in one session. */
export class RunPools {
  readonly #run: RunState;
  readonly #pools: SpendingPools;
  readonly #parts: PoolParts;
  /** Accounts that may hold a reservation of this run. */
  readonly #open = new Set<PoolAccount>();

  constructor(run: RunState, pools: SpendingPools, parts: PoolParts) {
    this.#run = run;
    this.#pools = pools;
    this.#parts = parts;
  }

  /** Whether a reservation may be open. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Reads the pools, and finds reservations that a crash has left behind. */
  async load(): Promise<void> {
    for (const { account } of this.#current()) {
      await account.refresh();
      if (account.heldBy(this.#run.id) !== undefined) this.#open.add(account);
    }
  }

  available(name: BudgetName): number {
    const { id } = this.#run;
    return Math.min(
      Number.POSITIVE_INFINITY,
      ...this.#current().map(({ pool, account }) => account.available(id, name, pool.limits)),
    );
  }

  /** Reserves `need` in every pool; returns a park request when one has too little left. */
  async reserve(need: Spend): Promise<ParkRequest | undefined> {
    const pools = this.#current();
    if (pools.length === 0) return undefined;
    const { actor } = this.#parts;
    const { events } = this.#pools;
    for (let attempt = 1; ; attempt++) {
      for (const { account } of pools) await account.refresh();
      const short = this.#shortage(need);
      if (short !== undefined) return short;
      const appends = pools.flatMap(({ pool, account }) => this.#reservation(pool, account, need));
      if (appends.length === 0) return undefined;
      try {
        await events.commit({ actor, sync: 'normal', appends });
        // The commit that ends the run settles it from what is known here.
        for (const { account } of pools) {
          await account.refresh();
          this.#open.add(account);
        }
        return undefined;
      } catch (error) {
        if (!isOkaError(error, 'ledger.conflict') || attempt > MAX_ATTEMPTS) throw error;
      }
    }
  }

  #shortage(need: Spend): ParkRequest | undefined {
    const { id } = this.#run;
    for (const { pool, account } of this.#current())
      for (const name of Object.keys(need) as BudgetName[]) {
        const left = account.available(id, name, pool.limits);
        const missing = (need[name] ?? 0) - left;
        if (missing <= NO_AMOUNT) continue;
        const limit = pool.limits[name] ?? 0;
        return { for: 'budget', budget: name, used: limit - left, limit, needed: missing, pool: pool.name };
      }
    return undefined;
  }

  #reservation(pool: SpendingPool, account: PoolAccount, need: Spend): StreamAppend[] {
    const amounts: Amounts = {};
    for (const name of Object.keys(pool.limits) as BudgetName[])
      if ((need[name] ?? 0) > 0) amounts[name] = need[name] ?? 0;
    if (Object.keys(amounts).length === 0) return [];
    const { id } = this.#run;
    const { owners } = this.#parts;
    const left = account.heldBy(id);
    const before: Amounts = {};
    for (const name of Object.keys(amounts) as BudgetName[]) before[name] = ownUse(this.#run, name);
    const owner = this.#pools.isApart ? { owner: owners.self } : {};
    const reserved = { type: 'pool.reserved', data: { run: id, amounts, before, ...owner } };
    const abandoned = account
      .abandoned(owners)
      .map(([run, charged]) => ({ type: 'pool.settled', data: { run, amounts: { ...charged } } }));
    return [
      {
        stream: account.stream,
        expectedIndex: account.index + 1,
        events: [...abandoned, ...(left === undefined ? [] : [this.#settlement(left, {})]), reserved],
      },
    ];
  }

  /** The appends for the run's own commit that settle what it has reserved; `spending` is what that commit charges. */
  settle(spending: Spend): StreamAppend[] {
    return this.#pools.isApart ? [] : this.#settlements(spending);
  }

  #settlements(spending: Spend): StreamAppend[] {
    const appends: StreamAppend[] = [];
    for (const account of this.#open) {
      const held = account.heldBy(this.#run.id);
      if (held !== undefined)
        appends.push({ stream: account.stream, events: [this.#settlement(held, spending)] });
    }
    return appends;
  }

  /** Settles in a commit of its own; `spending` is what the run will be charged besides what it has used. */
  async settleNow(spending: Spend = {}): Promise<void> {
    for (const account of this.#open) await account.refresh();
    const appends = this.#settlements(spending);
    const { actor } = this.#parts;
    const { events } = this.#pools;
    if (appends.length > 0) await events.commit({ actor, sync: 'normal', appends });
    for (const account of this.#open) await account.refresh();
    this.#open.clear();
  }

  #settlement({ amounts, before }: Held, spending: Spend) {
    const charged: Amounts = {};
    for (const name of Object.keys(amounts) as BudgetName[]) {
      const spent = ownUse(this.#run, name) + (spending[name] ?? 0) - (before[name] ?? 0);
      if (spent > 0) charged[name] = spent;
    }
    return { type: 'pool.settled', data: { run: this.#run.id, amounts: charged } };
  }

  #current() {
    return this.#pools.of(this.#run, this.#parts.clock.now());
  }
}

/** What a run itself has used, without its children. */
function ownUse({ used, childrenUsed }: RunState, name: BudgetName): number {
  return (used[name] ?? 0) - (childrenUsed[name] ?? 0);
}
