import { dueAt, type Engine, type RunState } from '../../engine/index.ts';
import { type Clock, isOkaError } from '../../kernel/index.ts';

/** The maximum number of runs driven at once. */
export const MAX_ACTIVE_RUNS = 8;

/** Drives a run until it ends or parks; undefined if another process owns it. */
export async function driveRun(
  engine: Engine,
  id: string,
  patienceMs: number,
): Promise<RunState | undefined> {
  try {
    const run = await engine.load(id);
    // Resuming would lift a pause, and would continue a failed run in a new one.
    if (run.ended || run.paused) return run;
    return await engine.resume(id, { patienceMs });
  } catch (error) {
    if (isOkaError(error, 'engine.run_owned')) return undefined;
    throw error;
  }
}

export interface RunQueueParts {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Runs parked until a time before this are resumed then; later ones are left to the next poll. */
  readonly longestTimerMs: number;
  readonly onEnded: () => void;
  /** Called when a run ended or parked without an error. */
  readonly onDriven: (run: string) => void;
  readonly onWarning: (run: string, error: unknown) => void;
}

/** Drives many runs, a limited number at once, without blocking the caller. */
export class RunQueue {
  readonly #parts: RunQueueParts;
  readonly #queue: string[] = [];
  readonly #active = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, () => void>();
  #stopped = false;

  constructor(parts: RunQueueParts) {
    this.#parts = parts;
  }

  /** Queues a run unless it is active already. */
  drive(run: string): void {
    if (this.#stopped || this.#active.has(run) || this.#queue.includes(run)) return;
    this.#timers.get(run)?.();
    this.#timers.delete(run);
    this.#queue.push(run);
    this.#next();
  }

  /** Starts nothing more; resolves when the active runs are released. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#queue.length = 0;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    await Promise.all(this.#active.values());
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
      const run = await driveRun(this.#parts.engine, id, 0);
      this.#parts.onDriven(id);
      if (run?.ended) this.#parts.onEnded();
      else if (run) this.#comeBack(run);
    } catch (error) {
      this.#parts.onWarning(id, error);
    }
  }

  #comeBack(run: RunState): void {
    const { clock, longestTimerMs } = this.#parts;
    const at = run.paused ? undefined : dueAt(run);
    if (this.#stopped || at === undefined || at - clock.now() > longestTimerMs) return;
    const wake = (): void => {
      this.#timers.delete(run.id);
      this.drive(run.id);
    };
    this.#timers.set(run.id, clock.callAt(at, wake, { background: true }));
  }
}
