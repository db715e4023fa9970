// Owns: the unfinished runs of a workspace. One process at a time continues every run that has not ended and does not wait for
// a person: interrupted and released runs, expired requests, timers, retries, pools with a new day, and leftovers of children.
// Does not own: turns of agents that a host answers (their runs are left to it), and the lease that makes it the only one.
import type { Engine, Owners, RunStore, RunSummary } from '../../engine/index.ts';
import { type Clock, isOkaError, OkaError } from '../../kernel/index.ts';
import type { EventStore } from '../../ledger/index.ts';

/** The maximum number of runs driven at once. */
const MAX_ACTIVE_RUNS = 8;
/** Other processes park runs too. */
const LOOK_MS = 5_000;
const FULL_LOOK_MS = 30_000;
/** Collects what parks at the same time into one look. */
const SOON_MS = 100;
/** A new run belongs to the process that made it for this long. */
const GRACE_MS = 5_000;
/** A run whose process ended this often within one step is left to a person. */
const MAX_CRASHES = 3;

export interface UnfinishedRunsParts {
  readonly engine: Engine;
  readonly runs: Pick<RunStore, 'list'>;
  readonly events: Pick<EventStore, 'subscribe'>;
  /** The runs of turns that a host of agents answers. */
  readonly ofTurns: () => Promise<ReadonlySet<string>>;
  readonly owners: Owners;
  readonly clock: Clock;
  /** Whether interrupted runs wait for a person. */
  readonly leavesInterrupted: () => Promise<boolean>;
  readonly onEnded: () => void;
  /** Called when a run ended or parked without an error. */
  readonly onDriven: (run: string) => void;
  readonly onWarning: (run: string, error: unknown) => void;
  /** Called after each look, with the trees that have not ended, or with the error. */
  readonly onLooked: (error: unknown, open: ReadonlySet<string>) => void;
}

interface Look {
  /** Whether runs without a time are looked at too. */
  readonly isFull: boolean;
  readonly graceMs: number;
}

export class UnfinishedRuns {
  readonly #parts: UnfinishedRunsParts;
  readonly #queue: string[] = [];
  readonly #active = new Map<string, Promise<void>>();
  #looking: Promise<void> | undefined;
  #cancelTimer: () => void = () => undefined;
  #unsubscribe: () => void = () => undefined;
  #lookAt = Number.POSITIVE_INFINITY;
  #lookedAtAll = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(parts: UnfinishedRunsParts) {
    this.#parts = parts;
  }

  /** Continues runs from now on. */
  start(): void {
    this.#unsubscribe = this.#parts.events.subscribe((events) => {
      if (events.some(({ data }) => data['status'] === 'waiting' || data['status'] === 'pending'))
        this.#lookBefore(this.#parts.clock.now() + SOON_MS);
    });
    this.#lookBefore(this.#parts.clock.now());
  }

  /** Queues a run unless it is active already. */
  drive(run: string): void {
    if (this.#stopped || this.#active.has(run) || this.#queue.includes(run)) return;
    this.#queue.push(run);
    this.#next();
  }

  /** Starts nothing more; resolves when the active runs are released. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#queue.length = 0;
    this.#unsubscribe();
    this.#cancelTimer();
    await this.#looking;
    await Promise.all(this.#active.values());
  }

  /** Drives what can continue now and these runs, until each ends or parks. Returns what failed. */
  async continueAll(
    more: readonly string[],
    patienceMs: number,
  ): Promise<readonly { readonly run: string; readonly error: unknown }[]> {
    const { due } = await this.#find({ isFull: true, graceMs: 0 });
    const queue = [...new Set([...more, ...due])];
    const failures: { run: string; error: unknown }[] = [];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const run = next;
        await this.#driveOne(run, patienceMs).catch((error: unknown) => failures.push({ run, error }));
      }
    };
    await Promise.all(Array.from({ length: MAX_ACTIVE_RUNS }, worker));
    return failures;
  }

  #lookBefore(at: number): void {
    if (this.#stopped || at >= this.#lookAt) return;
    this.#cancelTimer();
    this.#lookAt = at;
    this.#cancelTimer = this.#parts.clock.callAt(at, () => void this.#look(), { background: true });
  }

  async #look(): Promise<void> {
    await this.#looking;
    this.#lookAt = Number.POSITIVE_INFINITY;
    this.#looking = this.#lookOnce().then(
      (open) => this.#parts.onLooked(undefined, open),
      (error: unknown) => this.#parts.onLooked(error, new Set()),
    );
    await this.#looking;
    this.#lookBefore(this.#parts.clock.now() + LOOK_MS);
  }

  async #lookOnce(): Promise<ReadonlySet<string>> {
    const now = this.#parts.clock.now();
    // A clock that was set back must not delay it.
    const isFull = now < this.#lookedAtAll || now - this.#lookedAtAll >= FULL_LOOK_MS;
    const { due, open, nextAt } = await this.#find({ isFull, graceMs: GRACE_MS });
    if (isFull) this.#lookedAtAll = now;
    for (const root of due) this.drive(root);
    if (nextAt !== undefined) this.#lookBefore(nextAt);
    return open;
  }

  /** The trees that can continue, and when the next one can. A full look also finds what has no time. */
  async #find({ isFull, graceMs }: Look): Promise<{
    readonly due: readonly string[];
    readonly open: ReadonlySet<string>;
    readonly nextAt?: number;
  }> {
    const { runs, clock, ofTurns, engine, owners } = this.#parts;
    const open = await runs.list({ statuses: ['pending', 'running', 'waiting'] });
    const turns = open.length === 0 ? new Set() : await ofTurns();
    const now = clock.now();
    const due: string[] = [];
    const times: number[] = [];
    const trees = treesOf(open);
    for (const [root, tree] of trees) {
      if (turns.has(root)) continue;
      const isWorkedOn = ({ id, owner }: RunSummary): boolean =>
        engine.isDriving(id) || (owner !== undefined && owner !== owners.self && owners.isAlive(owner));
      if (tree.some(isWorkedOn)) continue;
      const parents = new Set(tree.map(({ parent }) => parent));
      const canContinue = tree.some((run) =>
        isDue(run, { now, isFull, graceMs, isLeaf: !parents.has(run.id) }),
      );
      if (canContinue && (await this.#mayContinue(tree))) due.push(root);
      for (const run of tree) {
        const at = run.status === 'pending' ? run.startedAt + graceMs : run.waitsUntil;
        if (at !== undefined && at > now) times.push(at);
      }
    }
    return {
      due,
      open: new Set(trees.keys()),
      ...(times.length === 0 ? {} : { nextAt: Math.min(...times) }),
    };
  }

  /** Interrupted runs are left to a person if the configuration says so, or if each attempt ended their process. */
  async #mayContinue(tree: readonly RunSummary[]): Promise<boolean> {
    const interrupted = tree.filter(({ status }) => status === 'running');
    if (interrupted.length === 0) return true;
    if (await this.#parts.leavesInterrupted()) return false;
    for (const { id, root } of interrupted) {
      const { crashes, step } = await this.#parts.engine.load(id);
      // The last crash is not counted yet, because nobody has claimed the run since.
      if (crashes?.step !== step || crashes.count + 1 < MAX_CRASHES) continue;
      this.#parts.onWarning(root, tooManyCrashes(root, step));
      return false;
    }
    return true;
  }

  #next(): void {
    while (this.#active.size < MAX_ACTIVE_RUNS) {
      const run = this.#queue.shift();
      if (run === undefined) return;
      const work = this.#work(run).finally(() => {
        this.#active.delete(run);
        this.#next();
      });
      this.#active.set(run, work);
    }
  }

  async #work(id: string): Promise<void> {
    try {
      const hasEnded = await this.#driveOne(id, 0);
      this.#parts.onDriven(id);
      if (hasEnded) this.#parts.onEnded();
    } catch (error) {
      this.#parts.onWarning(id, error);
    }
  }

  /** True if the run has ended. Another process may have claimed it meanwhile. */
  async #driveOne(id: string, patienceMs: number): Promise<boolean> {
    try {
      return (await this.#parts.engine.drive(id, { patienceMs })).ended !== undefined;
    } catch (error) {
      if (isOkaError(error, 'engine.run_owned')) return false;
      throw error;
    }
  }
}

function isDue(
  run: RunSummary,
  { now, isFull, graceMs, isLeaf }: Look & { readonly now: number; readonly isLeaf: boolean },
): boolean {
  if (run.status === 'running') return true;
  if (run.status === 'pending') return run.startedAt + graceMs <= now;
  if (run.waitsUntil !== undefined && run.waitsUntil <= now) return true;
  if (!isFull) return false;
  // A retry that a clock ahead of this one has set is due although its time is not reached.
  return run.waitsFor === 'budget' || run.waitsFor === 'time' || (run.waitsFor === 'children' && isLeaf);
}

function treesOf(open: readonly RunSummary[]): ReadonlyMap<string, readonly RunSummary[]> {
  const trees = new Map<string, RunSummary[]>();
  for (const run of open) {
    const tree = trees.get(run.root);
    if (tree) tree.push(run);
    else trees.set(run.root, [run]);
  }
  return trees;
}

function tooManyCrashes(run: string, step: number): OkaError {
  const message = `Its process ended ${MAX_CRASHES} times in step ${step}. See: oka runs explain ${run}. Continue it: oka runs resume ${run}.`;
  return new OkaError('engine.run_interrupted', message, { data: { run, step } });
}
