// Owns: who works on which run in this process: claiming, sessions, children, timers. Does not own: what a session does.
import { type EpochMs, isAheadOfClock, isOkaError, OkaError, waitUntil } from '../kernel/index.ts';
import { BudgetAccount } from './budget-account.ts';
import { commitToRun } from './commit-run.ts';
import type { EngineParts } from './engine-parts.ts';
import { loadRun } from './load-run.ts';
import { pinnedGraph, requireKind } from './new-run.ts';
import { dueAt, resolvedOutcome } from './pending-outcome.ts';
import { runEvent } from './run-events.ts';
import { RunSession } from './run-session.ts';
import type { RunState } from './run-state.ts';

export interface DriveOptions {
  /** How long to stay for a timer that is due later; the run is left parked for longer ones. */
  readonly patienceMs?: number;
  /** Aborted: the run and what it waits for are let go at their next boundary, and can be resumed. */
  readonly signal?: AbortSignal;
}

/** A run that its caller has at hand: owned by this process, or as it was just read. */
type KnownRun =
  | { readonly owned: RunState; readonly loaded?: undefined }
  | { readonly loaded: RunState; readonly owned?: undefined };

export class RunDriver {
  readonly #parts: EngineParts;
  readonly #cancel: (id: string, by: string, reason: string) => Promise<unknown>;
  readonly #accounts = new Map<string, Promise<BudgetAccount>>();
  readonly #active = new Map<string, { session?: RunSession; done: Promise<RunState> }>();
  readonly #calledOff = new Set<string>();
  readonly #closing = new AbortController();

  constructor(parts: EngineParts, cancel: (id: string, by: string, reason: string) => Promise<unknown>) {
    this.#parts = parts;
    this.#cancel = cancel;
  }

  /** Lets go of every run at its next boundary, so that another process can take them up. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const { session } of this.#active.values()) session?.release();
    await Promise.allSettled([...this.#active.values()].map((active) => active.done));
  }

  /** Stops the work on a run that somebody has cancelled, and ends it; false when nobody here works on it. */
  async callOff(id: string): Promise<boolean> {
    const active = this.#active.get(id);
    if (active === undefined) return false;
    this.#calledOff.add(id);
    try {
      active.session?.release();
      await active.done.catch(() => undefined);
      await this.drive(id, { patienceMs: 0 }).catch(ignoreOwned);
    } finally {
      this.#calledOff.delete(id);
    }
    return true;
  }

  /** A run that was just made by this process is alone; its account need not be read. */
  begin(run: RunState): void {
    this.#accounts.set(run.id, Promise.resolve(BudgetAccount.empty(run.id, this.#parts.events)));
  }

  /** The account of a tree, shared by its runs in this process. */
  account(root: string): Promise<BudgetAccount> {
    const account = this.#accounts.get(root) ?? BudgetAccount.load(root, this.#parts.events);
    this.#accounts.set(root, account);
    return account;
  }

  #forgetAccount(root: string): void {
    if (this.#active.size === 0) this.#accounts.clear();
    else this.#accounts.delete(root);
  }

  /** Drives a run and the children that it waits for, until nothing more can be done here. */
  async drive(id: string, options: DriveOptions, known?: KnownRun): Promise<RunState> {
    const letGo = (): void => this.#active.get(id)?.session?.release();
    options.signal?.addEventListener('abort', letGo);
    try {
      let run = await this.#work(id, options, known);
      if (this.#calledOff.has(id) && !run.ended)
        run = await this.#work(id, options, { loaded: await loadRun(id, this.#parts) });
      for (;;) {
        await this.#endOrphans(run);
        const { waiting } = run;
        if (run.ended || run.paused || waiting === undefined || this.#leaves(options)) return run;
        if (run.cancelRequested) {
          run = await this.#work(id, options);
          continue;
        }
        if (waiting.for === 'outcome' && waiting.pending.kind === 'children') {
          if (!(await this.#driveChildren(run, options))) return await loadRun(id, this.#parts);
        } else if (!(await this.#waitFor(run, options))) return run;
        run = await this.#work(id, options);
      }
    } finally {
      options.signal?.removeEventListener('abort', letGo);
    }
  }

  #leaves(options: DriveOptions): boolean {
    return this.#closing.signal.aborted || options.signal?.aborted === true;
  }

  /** Ends children that were called off and that nobody works on. */
  async #endOrphans(parent: RunState): Promise<void> {
    if (parent.used.children === undefined || parent.waiting?.for === 'outcome') return;
    for (const child of await this.#parts.runs.list({ parent: parent.id })) {
      if (!isEnded(child.status)) await this.drive(child.id, { patienceMs: 0 }).catch(ignoreOwned);
    }
  }

  /** True when the children have brought the outcome, so that the parent can go on. */
  async #driveChildren(parent: RunState, options: DriveOptions): Promise<boolean> {
    const waiting = parent.waiting;
    if (waiting?.for !== 'outcome' || waiting.pending.kind !== 'children') return true;
    const { children, ended, onError, concurrency } = waiting.pending;
    const queue = children.filter((child) => ended[child] === undefined);
    let failed = false;
    const worker = async (): Promise<void> => {
      for (let child = queue.shift(); child !== undefined && !this.#leaves(options); child = queue.shift()) {
        if (failed && onError === 'fail') {
          await this.#cancel(child, this.#parts.actor, 'a sibling failed').catch(ignoreEnded);
          continue;
        }
        const run = await this.drive(child, options).catch(ignoreOwned);
        if (run?.ended && run.ended.status !== 'completed') failed = true;
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency ?? 16, queue.length) }, worker));
    const now = await loadRun(parent.id, this.#parts);
    return (
      now.waiting?.for === 'outcome' &&
      resolvedOutcome(now.waiting, now, this.#parts.clock.now()) !== undefined
    );
  }

  /** Waits for a timer of the run; false when it needs somebody's doing or more patience. */
  async #waitFor(run: RunState, options: DriveOptions): Promise<boolean> {
    const { waiting } = run;
    const { patienceMs = Number.POSITIVE_INFINITY } = options;
    const { clock } = this.#parts;
    const timed = waiting?.for === 'time' || waiting?.for === 'outcome';
    const at = timed ? dueAt(run) : undefined;
    if (at === undefined || at - clock.now() > patienceMs) return false;
    if (waiting?.for === 'outcome' && resolvedOutcome(waiting, run, clock.now())) return true;
    const { signal } = options;
    await waitUntil(clock, at, [this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    return !this.#leaves(options);
  }

  /** One session on one run; a second caller in this process shares it. */
  #work(id: string, options: DriveOptions, known?: KnownRun): Promise<RunState> {
    const active = this.#active.get(id);
    if (active) return active.done;
    const entry: { session?: RunSession; done: Promise<RunState> } = { done: Promise.resolve() as never };
    entry.done = this.#session(id, entry, options, known).finally(() => {
      this.#active.delete(id);
      this.#forgetAccount(id);
    });
    this.#active.set(id, entry);
    return entry.done;
  }

  async #session(
    id: string,
    entry: { session?: RunSession },
    options: DriveOptions,
    known?: KnownRun,
  ): Promise<RunState> {
    const run = known?.owned ?? (await this.#claim(id, known?.loaded));
    if (run.owner !== this.#parts.owners.self || run.ended) return run;
    const kind = requireKind(run.kind, this.#parts);
    const graph = await pinnedGraph(run.pins, kind, this.#parts);
    entry.session = new RunSession(run, kind, graph, await this.account(run.lineage.root), this.#parts);
    if (this.#leaves(options)) entry.session.release();
    await entry.session.work();
    return run;
  }

  /** Takes a run that is ready to go on. One that still has to wait is handed back unclaimed. */
  async #claim(id: string, loaded?: RunState): Promise<RunState> {
    const { owners, clock } = this.#parts;
    for (let known = loaded; ; known = undefined) {
      const run = known ?? (await loadRun(id, this.#parts));
      if (run.ended || run.paused) return run;
      // A run of ours that nobody here drives any more was left behind by an error; it can be taken up again.
      if (run.owner !== undefined && run.owner !== owners.self && owners.isAlive(run.owner)) {
        throw new OkaError(
          'engine.run_owned',
          `run ${id} is being worked on by ${run.owner}; wait for it, or pause it.`,
          {
            data: { run: id, owner: run.owner },
          },
        );
      }
      const { waiting } = run;
      const drafts = [];
      if (run.cancelRequested) {
        // It is claimed to be ended, whatever it waits for.
      } else if (waiting?.for === 'approval' || waiting?.for === 'answer') {
        if (waiting.expiresAt > clock.now()) return run;
        drafts.push(runEvent('approval.expired', { id: waiting.id, status: 'pending' }));
      } else if (waiting?.for === 'budget') return run;
      else if (waiting?.for === 'time' && isEarly(waiting.at, run, clock.now())) return run;
      else if (waiting?.for === 'outcome' && resolvedOutcome(waiting, run, clock.now()) === undefined)
        return run;
      drafts.push(runEvent('run.claimed', { owner: owners.self, epoch: run.epoch + 1, status: 'running' }));
      try {
        await commitToRun(run, drafts, this.#parts, { by: this.#parts.actor, sync: 'normal' });
        return run;
      } catch (error) {
        if (!isOkaError(error, 'ledger.conflict')) throw error;
      }
    }
  }
}

export function isEnded(status: string): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** A child that another process works on is that process's business; its end will be on record. */
export function ignoreOwned(error: unknown): undefined {
  if (!isOkaError(error, 'engine.run_owned')) throw error;
  return undefined;
}

/** A pause before a retry that a clock ahead of this one has set would take years, and counts as over. */
function isEarly(at: EpochMs, { lastAt }: RunState, now: EpochMs): boolean {
  return at > now && !isAheadOfClock(lastAt, now);
}

function ignoreEnded(error: unknown): void {
  if (!isOkaError(error, 'engine.run_ended')) throw error;
}
