// Owns: claiming runs, their sessions, children and timers in this process. Does not own: what a session does.
import { type EpochMs, isAheadOfClock, isOkaError, OkaError, waitUntil } from '../kernel/index.ts';
import { BudgetAccount } from './budget-account.ts';
import { pauseRun } from './control-run.ts';
import type { EngineParts } from './engine-parts.ts';
import { loadRun } from './load-run.ts';
import { pinnedGraph, requireKind } from './new-run.ts';
import { dueAt, resolvedOutcome } from './pending-outcome.ts';
import { runEvent } from './run-events.ts';
import { type ReleaseOptions, RunSession } from './run-session.ts';
import type { PendingOutcome, RunState } from './run-state.ts';
import { commitToRun } from './run-writer.ts';

export interface DriveOptions {
  /** Maximum wait for a timer; a run that waits longer stays parked. */
  readonly patienceMs?: number;
  /** Returns a run that waits for a busy model, instead of waiting in this process. */
  readonly parksWhenBusy?: boolean;
  /** Claims the run even if its owner is alive. Restate guarantees one driver at a time. */
  readonly takesOver?: boolean;
  /** Called with the children that the run waits for or has cancelled, to drive them elsewhere. */
  readonly onChildren?: (children: OpenChildren) => void;
  /** On abort, the run and its children are released after their current step and can be resumed. */
  readonly signal?: AbortSignal;
  /** The signal is a person's: the run is then paused, so that no process continues it by itself. */
  readonly pausesOnAbort?: boolean;
}

/** Children that have not ended. */
export interface OpenChildren {
  readonly runs: readonly string[];
  /** How many of them may be driven at once. */
  readonly atOnce: number;
  /** Whether the run continues as soon as one of them fails. */
  readonly failsFast: boolean;
  /** False for cancelled children, for which the run no longer waits. */
  readonly awaited: boolean;
}

/** Children that are driven at once where the call that starts them sets no limit. */
const MAX_CHILDREN_AT_ONCE = 16;

/** A run that a session of this process works on. `root` is set once the session uses the account of its tree. */
interface ActiveRun {
  session?: RunSession;
  root?: string;
  done: Promise<RunState>;
}

type PendingChildren = Extract<PendingOutcome, { kind: 'children' }>;

/** A run that the caller has loaded: owned by this process, or just read. */
type KnownRun =
  | { readonly owned: RunState; readonly loaded?: undefined }
  | { readonly loaded: RunState; readonly owned?: undefined };

export class RunDriver {
  readonly #parts: EngineParts;
  readonly #cancel: (id: string, by: string, reason: string) => Promise<unknown>;
  readonly #accounts = new Map<string, Promise<BudgetAccount>>();
  /** How many users each account has. Loading one reads its whole stream, so it is kept until the last user is done. */
  readonly #accountUsers = new Map<string, number>();
  readonly #active = new Map<string, ActiveRun>();
  readonly #cancelling = new Set<string>();
  readonly #closing = new AbortController();

  constructor(parts: EngineParts, cancel: (id: string, by: string, reason: string) => Promise<unknown>) {
    this.#parts = parts;
    this.#cancel = cancel;
  }

  /** Releases every run after its current step, so that another process can resume it. */
  async close(options?: ReleaseOptions): Promise<void> {
    this.#closing.abort();
    for (const { session } of this.#active.values()) session?.release(options);
    await Promise.allSettled([...this.#active.values()].map((active) => active.done));
  }

  isDriving(id: string): boolean {
    return this.#active.has(id);
  }

  /** Stops the session of a cancelled run and ends the run; false when this process does not drive it. */
  async endCancelled(id: string): Promise<boolean> {
    const active = this.#active.get(id);
    if (active === undefined) return false;
    this.#cancelling.add(id);
    try {
      active.session?.release();
      await active.done.catch(() => undefined);
      await this.drive(id, { patienceMs: 0 }).catch(ignoreOwned);
    } finally {
      this.#cancelling.delete(id);
    }
    return true;
  }

  /** Registers a new run of this process, which has no children; its account need not be read. */
  begin(run: RunState): void {
    this.#accounts.set(run.id, Promise.resolve(BudgetAccount.empty(run.id, this.#parts.events)));
  }

  /** The account of a tree, shared by its runs in this process. */
  account(root: string): Promise<BudgetAccount> {
    const account = this.#accounts.get(root) ?? BudgetAccount.load(root, this.#parts.events);
    this.#accounts.set(root, account);
    return account;
  }

  #keepAccount(root: string): void {
    this.#accountUsers.set(root, (this.#accountUsers.get(root) ?? 0) + 1);
  }

  #releaseAccount(root: string): void {
    const users = (this.#accountUsers.get(root) ?? 1) - 1;
    if (users > 0) {
      this.#accountUsers.set(root, users);
      return;
    }
    this.#accountUsers.delete(root);
    // Also forgets accounts that were loaded without a session, for example to add a budget.
    if (this.#accountUsers.size === 0) this.#accounts.clear();
    else this.#accounts.delete(root);
  }

  /** Drives a run and the children it waits for, until this process can do no more. */
  async drive(id: string, options: DriveOptions, known?: KnownRun): Promise<RunState> {
    const release = (): void => this.#active.get(id)?.session?.release();
    options.signal?.addEventListener('abort', release);
    try {
      let run = await this.#work(id, options, known);
      if (this.#cancelling.has(id) && !run.ended)
        run = await this.#work(id, options, { loaded: await loadRun(id, this.#parts) });
      for (;;) {
        await this.#endOrphans(run, options);
        if (run.pauseRequestedBy !== undefined && run.waiting !== undefined && !run.cancelRequested)
          run = await pauseRun(id, run.pauseRequestedBy, this.#parts);
        const { waiting } = run;
        if (run.ended || run.paused || waiting === undefined || this.#isStopping(options)) return run;
        if (run.cancelRequested) {
          run = await this.#work(id, options);
          continue;
        }
        if (waiting.for === 'outcome' && waiting.pending.kind === 'children') {
          if (options.onChildren !== undefined) {
            options.onChildren(openChildren(waiting.pending));
            return run;
          }
          if (!(await this.#driveChildren(run, options))) return await loadRun(id, this.#parts);
        } else if (!(await this.#waitFor(run, options))) return run;
        run = await this.#work(id, options);
      }
    } finally {
      options.signal?.removeEventListener('abort', release);
    }
  }

  #isStopping(options: DriveOptions): boolean {
    return this.#closing.signal.aborted || options.signal?.aborted === true;
  }

  /** Ends cancelled children that no session drives. The root also ends what a crash left below runs that have ended. */
  async #endOrphans(
    { id, lineage, ended, used, waiting }: RunState,
    { onChildren }: DriveOptions,
  ): Promise<void> {
    const pending = waiting?.for === 'outcome' ? waiting.pending : undefined;
    const awaited = new Set(pending?.kind === 'children' ? pending.children : []);
    if ((used.children ?? 0) <= awaited.size) return;
    const below = await this.#parts.runs.list(lineage.parent === undefined ? { root: id } : { parent: id });
    const statuses = new Map<string | undefined, string>(below.map((one) => [one.id, one.status]));
    const left: string[] = [];
    for (const { id: child, parent, status } of below) {
      const above = parent === id ? ended?.status : statuses.get(parent);
      if (isEnded(status) || awaited.has(child) || (parent !== id && !isEnded(above))) continue;
      // A child that started while its parent was being cancelled has no request of its own.
      if (above === 'cancelled')
        await this.#cancel(child, this.#parts.actor, 'its parent was cancelled').catch(ignoreEnded);
      else if (onChildren === undefined) await this.drive(child, { patienceMs: 0 }).catch(ignoreOwned);
      if (onChildren !== undefined) left.push(child);
    }
    if (left.length > 0) onChildren?.({ runs: left, atOnce: left.length, failsFast: false, awaited: false });
  }

  /** True when the children have ended, so that the parent can continue. */
  async #driveChildren(parent: RunState, options: DriveOptions): Promise<boolean> {
    const waiting = parent.waiting;
    if (waiting?.for !== 'outcome' || waiting.pending.kind !== 'children') return true;
    const { root } = parent.lineage;
    this.#keepAccount(root);
    try {
      await this.#driveAll(waiting.pending, options);
    } finally {
      this.#releaseAccount(root);
    }
    const now = await loadRun(parent.id, this.#parts);
    return (
      now.waiting?.for === 'outcome' &&
      resolvedOutcome(now.waiting, now, this.#parts.clock.now()) !== undefined
    );
  }

  async #driveAll(pending: PendingChildren, options: DriveOptions): Promise<void> {
    const { onError } = pending;
    const { runs, atOnce } = openChildren(pending);
    const queue = [...runs];
    let failed = false;
    const worker = async (): Promise<void> => {
      for (
        let child = queue.shift();
        child !== undefined && !this.#isStopping(options);
        child = queue.shift()
      ) {
        if (failed && onError === 'fail') {
          await this.#cancel(child, this.#parts.actor, 'a sibling failed').catch(ignoreEnded);
          continue;
        }
        const run = await this.drive(child, options).catch(ignoreOwned);
        if (run?.ended && run.ended.status !== 'completed') failed = true;
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, worker));
  }

  /** Waits for a timer of the run; false when it waits for something else or too long. */
  async #waitFor(run: RunState, options: DriveOptions): Promise<boolean> {
    const { waiting } = run;
    const { patienceMs = Number.POSITIVE_INFINITY } = options;
    const { clock } = this.#parts;
    if (options.parksWhenBusy && waiting?.for === 'time' && waiting.busy !== undefined) return false;
    const timed = waiting?.for === 'time' || waiting?.for === 'outcome';
    const at = timed ? dueAt(run) : undefined;
    if (at === undefined || at - clock.now() > patienceMs) return false;
    if (waiting?.for === 'outcome' && resolvedOutcome(waiting, run, clock.now())) return true;
    const { signal } = options;
    await waitUntil(clock, at, [this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    return !this.#isStopping(options);
  }

  /** One session per run; a second caller in this process shares it. */
  #work(id: string, options: DriveOptions, known?: KnownRun): Promise<RunState> {
    const active = this.#active.get(id);
    if (active) return active.done;
    const entry: ActiveRun = { done: Promise.resolve() as never };
    entry.done = this.#session(id, entry, options, known).finally(() => {
      this.#active.delete(id);
      if (entry.root !== undefined) this.#releaseAccount(entry.root);
    });
    this.#active.set(id, entry);
    return entry.done;
  }

  async #session(id: string, entry: ActiveRun, options: DriveOptions, known?: KnownRun): Promise<RunState> {
    const run = known?.owned ?? (await this.#claim(id, options, known?.loaded));
    if (run.owner !== this.#parts.owners.self || run.ended) return run;
    const kind = requireKind(run.kind, this.#parts);
    const graph = await pinnedGraph(run.pins, kind, this.#parts);
    entry.root = run.lineage.root;
    this.#keepAccount(entry.root);
    entry.session = new RunSession(run, kind, graph, await this.account(run.lineage.root), this.#parts);
    if (this.#isStopping(options)) entry.session.release();
    await this.#traced(run, entry.session);
    return run;
  }

  #traced(run: RunState, session: RunSession): Promise<void> {
    const { telemetry } = this.#parts;
    if (telemetry?.inRun === undefined) return session.work();
    return telemetry.inRun({ id: run.id, root: run.lineage.root }, () => session.work());
  }

  /** Claims a run that can continue. A run that still has to wait is returned unclaimed. */
  async #claim(id: string, { takesOver = false }: DriveOptions, loaded?: RunState): Promise<RunState> {
    const { owners, clock } = this.#parts;
    for (let known = loaded; ; known = undefined) {
      const run = known ?? (await loadRun(id, this.#parts));
      if (run.ended || run.paused) return run;
      // A run owned by this process without a session was left behind by an error and can be claimed again.
      const isElsewhere = run.owner !== undefined && run.owner !== owners.self;
      if (isElsewhere && !takesOver && owners.isAlive(run.owner as string)) {
        throw new OkaError(
          'engine.run_owned',
          `Run ${id} is in use by ${run.owner}. Wait for it, or pause it.`,
          { data: { run: id, owner: run.owner } },
        );
      }
      const { waiting } = run;
      const drafts = [];
      if (run.cancelRequested) {
        // Claimed in order to end it, whatever it waits for.
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

function openChildren({ children, ended, onError, concurrency }: PendingChildren): OpenChildren {
  const runs = children.filter((child) => ended[child] === undefined);
  const atOnce = concurrency ?? MAX_CHILDREN_AT_ONCE;
  return { runs, atOnce, failsFast: onError === 'fail', awaited: true };
}

export function isEnded(status: string | undefined): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Another process drives this child; the ledger will record its end. */
export function ignoreOwned(error: unknown): undefined {
  if (!isOkaError(error, 'engine.run_owned')) throw error;
  return undefined;
}

/** If the retry time was set by a clock far ahead of this one, waiting could take years, so the wait counts as over. */
export function isEarly(at: EpochMs, { lastAt }: RunState, now: EpochMs): boolean {
  return at > now && !isAheadOfClock(lastAt, now);
}

export function ignoreEnded(error: unknown): void {
  if (!isOkaError(error, 'engine.run_ended')) throw error;
}
