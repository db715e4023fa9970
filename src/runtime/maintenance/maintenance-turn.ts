import type { MaintenanceAnswer, WorkerOutcome } from '../../api/index.ts';
import { type Clock, toFailure, waitUntil } from '../../kernel/index.ts';

const DAY_MS = 86_400_000;
/** Short enough to notice soon that the machine slept. */
const MAX_WAIT_MS = 600_000;
const MIN_WAIT_MS = 1_000;

interface MaintenanceTurnParts {
  readonly lastAt: () => Promise<number | undefined>;
  readonly maintain: () => Promise<MaintenanceAnswer>;
  readonly clock: Clock;
  /** The interval; one day by default. */
  readonly everyMs?: number;
  /** Called after each turn; a failed one is retried with the next. */
  readonly onOutcome: (outcome: WorkerOutcome) => void;
}

/** Maintenance as part of another loop: checked with every turn, done at intervals. */
export class MaintenanceTurn {
  readonly #parts: MaintenanceTurnParts;
  readonly #everyMs: number;
  #working: Promise<void> | undefined;
  /** The earliest next time; unknown until the ledger is read. */
  #nextAt: number | undefined;

  constructor(parts: MaintenanceTurnParts) {
    this.#parts = parts;
    this.#everyMs = parts.everyMs ?? DAY_MS;
  }

  /** Starts maintenance if it is due, and returns at once. Never throws. */
  look(): void {
    const { clock } = this.#parts;
    if (this.#working !== undefined || this.#isEarly()) return;
    this.#working = this.#take()
      .catch((error: unknown) => {
        this.#nextAt = clock.now() + this.#everyMs;
        this.#fail(toFailure(error, 'maintenance.incomplete'));
      })
      .finally(() => {
        this.#working = undefined;
      });
  }

  /** Resolves when the started maintenance has ended. */
  async settled(): Promise<void> {
    await this.#working;
  }

  /** Runs until the signal aborts, then waits for started maintenance. */
  async loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.look();
      await this.settled();
      await this.#wait(signal);
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const at = Math.min(this.#nextAt ?? 0, clock.now() + MAX_WAIT_MS);
    return waitUntil(clock, Math.max(at, clock.now() + MIN_WAIT_MS), [signal]);
  }

  /** A time more than one period ahead comes from a wrong clock, and counts as due. */
  #isEarly(): boolean {
    const ahead = (this.#nextAt ?? Number.NEGATIVE_INFINITY) - this.#parts.clock.now();
    return ahead > 0 && ahead <= this.#everyMs;
  }

  async #take(): Promise<void> {
    const { clock, lastAt, maintain, onOutcome } = this.#parts;
    if (this.#nextAt === undefined) {
      this.#nextAt = ((await lastAt()) ?? Number.NEGATIVE_INFINITY) + this.#everyMs;
      onOutcome({ ok: true, task: 'look' });
      if (this.#isEarly()) return;
    }
    const { run, outcome } = await maintain();
    this.#nextAt = clock.now() + this.#everyMs;
    if (run?.failure !== undefined) this.#fail(run.failure);
    else if (outcome !== 'busy') onOutcome({ ok: true, task: 'maintain' });
  }

  #fail({ code, message }: { readonly code: string; readonly message: string }): void {
    const nextTryAt = this.#nextAt === undefined ? {} : { nextTryAt: this.#nextAt };
    this.#parts.onOutcome({ ok: false, task: 'maintain', code, message, ...nextTryAt });
  }
}
