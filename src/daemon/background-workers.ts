// Owns: keeping a daemon's background workers running: restarts each after a failure, with back-off, and reports its status.
// Does not own: what the workers do.
import type { DaemonWorker, WorkerOutcome } from '../api/index.ts';
import { backoffMs, type Clock, toFailure, waitUntil } from '../kernel/index.ts';
import type { DaemonLog } from './daemon-log.ts';
import { LOOP_TASK, WorkerHealth } from './worker-health.ts';

const PAUSES = { firstMs: 1_000, longestMs: 60_000 };

/** A loop that runs until the signal aborts and reports the outcome of each attempt. */
export interface BackgroundWorker {
  readonly name: string;
  readonly run: (signal: AbortSignal, report: (outcome: WorkerOutcome) => void) => Promise<void>;
}

interface Running {
  readonly health: WorkerHealth;
  stopped: boolean;
}

export class BackgroundWorkers {
  readonly #workers = new Map<string, Running>();
  readonly #clock: Clock;
  readonly #log: DaemonLog;
  readonly #hide: (text: string) => string;
  readonly #stop = new AbortController();
  #done: Promise<unknown> = Promise.resolve();

  /** `hide` redacts secrets in messages. */
  constructor(parts: {
    readonly clock: Clock;
    readonly log: DaemonLog;
    readonly hide?: (text: string) => string;
  }) {
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#hide = parts.hide ?? ((text) => text);
  }

  get status(): readonly DaemonWorker[] {
    return [...this.#workers].map(([name, { health, stopped }]) => {
      const { isFailing, ...view } = health.view();
      return { name, status: stopped ? 'stopped' : isFailing ? 'failing' : 'working', ...view };
    });
  }

  start(workers: readonly BackgroundWorker[]): void {
    this.#done = Promise.all(workers.map((worker) => this.#keepRunning(worker)));
  }

  /** Failures with this code are over, also of tasks that are not tried again. */
  recover(code: string): void {
    for (const { health } of this.#workers.values()) health.recover(code, this.#clock.now());
  }

  /** Resolves when every worker has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #keepRunning({ name, run }: BackgroundWorker): Promise<void> {
    const { signal } = this.#stop;
    const running: Running = { health: new WorkerHealth(), stopped: false };
    this.#workers.set(name, running);
    const report = (outcome: WorkerOutcome): void => this.#record(name, running.health, outcome);
    for (let failures = 1; !signal.aborted; failures += 1) {
      const begun = this.#clock.now();
      const failure = await run(signal, report).then(
        () => undefined,
        (error: unknown) => toFailure(error, 'cli.unexpected'),
      );
      if (signal.aborted || failure === undefined) break;
      if (this.#clock.now() - begun > PAUSES.longestMs) failures = 1;
      const nextTryAt = this.#clock.now() + backoffMs(failures, PAUSES);
      report({ ok: false, task: LOOP_TASK, code: failure.code, message: failure.message, nextTryAt });
      await waitUntil(this.#clock, nextTryAt, [signal], { background: true });
    }
    running.stopped = true;
  }

  #record(name: string, health: WorkerHealth, outcome: WorkerOutcome): void {
    const redacted = outcome.ok ? outcome : { ...outcome, message: this.#hide(outcome.message) };
    const change = health.record(redacted, this.#clock.now());
    if (change === 'failed' && !redacted.ok) this.#log('warning', `${name}: ${redacted.message}`);
    if (change === 'recovered') this.#log('info', `${name}: works again`);
  }
}
