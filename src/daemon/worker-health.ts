import type { DaemonWorker, WorkerError, WorkerOutcome } from '../api/index.ts';
import type { EpochMs } from '../kernel/index.ts';

/** The task of a worker's whole loop: it fails when the loop ends with an error. */
export const LOOP_TASK = 'loop';

type Failed = Extract<WorkerOutcome, { ok: false }>;

interface Failing {
  readonly failure: Failed;
  readonly error: WorkerError;
}

/** Tracks the outcomes of a worker's attempts by task. */
export class WorkerHealth {
  readonly #failing = new Map<string, Failing>();
  #recovered: WorkerError | undefined;
  #lastSuccessAt: EpochMs | undefined;

  /** Records an outcome; returns the change if it is worth logging. */
  record(outcome: WorkerOutcome, at: EpochMs): 'failed' | 'recovered' | undefined {
    return outcome.ok ? this.#succeed(outcome.task, at) : this.#fail(outcome, at);
  }

  view(): Pick<DaemonWorker, 'lastError' | 'lastSuccessAt' | 'nextTryAt'> & { readonly isFailing: boolean } {
    const newest = [...this.#failing.values()].toSorted((a, b) => b.error.at - a.error.at)[0];
    const lastError = newest?.error ?? this.#recovered;
    const nextTryAt = newest?.failure.nextTryAt;
    return {
      isFailing: newest !== undefined,
      ...(lastError === undefined ? {} : { lastError }),
      ...(this.#lastSuccessAt === undefined ? {} : { lastSuccessAt: this.#lastSuccessAt }),
      ...(nextTryAt === undefined ? {} : { nextTryAt }),
    };
  }

  /** Failures with this code are over. */
  recover(code: string, at: EpochMs): void {
    for (const [task, { error }] of this.#failing) if (error.code === code) this.#end(task, at);
  }

  #fail(failure: Failed, at: EpochMs): 'failed' | undefined {
    const { task, code, message } = failure;
    const before = this.#failing.get(task)?.error;
    const error = { code, message, since: before?.since ?? at, at, count: (before?.count ?? 0) + 1 };
    this.#failing.set(task, { failure, error });
    return before?.message === message ? undefined : 'failed';
  }

  #succeed(task: string, at: EpochMs): 'recovered' | undefined {
    this.#lastSuccessAt = at;
    // A successful task means that the loop has recovered.
    const ended = [LOOP_TASK, task].filter((one) => this.#failing.has(one));
    for (const one of ended) this.#end(one, at);
    return ended.length === 0 ? undefined : 'recovered';
  }

  #end(task: string, at: EpochMs): void {
    const ended = this.#failing.get(task);
    this.#failing.delete(task);
    if (ended !== undefined) this.#recovered = { ...ended.error, recoveredAt: at };
  }
}
