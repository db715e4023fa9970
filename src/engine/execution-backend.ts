import type { EpochMs, Json } from '../kernel/index.ts';
import type { Engine, ResumeOptions, RunRequest } from './engine.ts';
import type { DriveOptions } from './run-driver.ts';
import type { RunState } from './run-state.ts';

/** A notification: its conversation, message and recipient. */
export interface Notification {
  readonly id: string;
  readonly recipient: string;
  readonly payload: Json;
}

export interface BackendHealth {
  readonly ok: boolean;
  /** What was found, and what to do about a problem. */
  readonly detail: string;
  /** The code of the problem. */
  readonly code?: string;
}

/** A process that executes runs for a cluster. */
export interface WorkerView {
  readonly id: string;
  /** Where it listens, and where the cluster reaches it. */
  readonly url: string;
  readonly address: string;
  readonly version: string;
  /**
   * `refused`: others have another policy, trust or version. `waiting`: it begins when those have stopped. `lost`: not heard of
   * since then.
   */
  readonly state: 'alive' | 'draining' | 'refused' | 'waiting' | 'lost';
  readonly since: EpochMs;
}

/** Executes runs, in this process or on a cluster. Runs carry names, never secrets. */
export interface ExecutionBackend {
  readonly name: string;
  /**
   * Throws unless this caller may act and its work can be executed. A command asks before it records anything, because what is
   * recorded is accepted and will be executed.
   */
  admit(): Promise<void>;
  /** Creates a run and drives it until it ends or has to wait. */
  start(request: RunRequest, options?: DriveOptions): Promise<RunState>;
  resume(run: string, options?: ResumeOptions): Promise<RunState>;
  /** Continues a run that a decision or an event has unblocked; a paused run stays paused. */
  proceed(run: string, options?: ResumeOptions): Promise<RunState>;
  /** Delivers an event, and continues the run unless a process drives it. */
  signal(run: string, event: string, payload: Json, by: string): Promise<RunState>;
  cancel(run: string, by: string, reason: string): Promise<RunState>;
  /** Starts a run later; returns a function that cancels it. */
  schedule(request: RunRequest, at: EpochMs): Promise<() => void>;
  /** Called after schedules were added or changed. */
  schedulesChanged(): Promise<void>;
  /** Delivers a notification to the recipient's host; true when there is one. */
  deliver(notification: Notification): Promise<boolean>;
  health(): Promise<BackendHealth>;
  /** The workers that execute runs for this workspace; empty if this process does. */
  workers(): Promise<readonly WorkerView[]>;
}

/** Executes runs in this process. */
export class LocalExecutionBackend implements ExecutionBackend {
  readonly name = 'local';
  readonly #engine: () => Promise<Engine>;
  readonly #deliver: (notification: Notification) => Promise<boolean>;
  readonly #onError: (error: unknown) => void;

  constructor(
    engine: Engine | (() => Promise<Engine>),
    options: {
      readonly deliver?: (notification: Notification) => Promise<boolean>;
      /** Called when a scheduled run cannot be started, since no caller waits for it. */
      readonly onError?: (error: unknown) => void;
    } = {},
  ) {
    this.#engine = typeof engine === 'function' ? engine : () => Promise.resolve(engine);
    this.#deliver = options.deliver ?? (async () => false);
    this.#onError = options.onError ?? (() => undefined);
  }

  async admit(): Promise<void> {}

  async start(request: RunRequest, options?: DriveOptions): Promise<RunState> {
    return (await this.#engine()).run(request, options);
  }

  async resume(run: string, options?: ResumeOptions): Promise<RunState> {
    return (await this.#engine()).resume(run, options);
  }

  async proceed(id: string, options?: ResumeOptions): Promise<RunState> {
    const engine = await this.#engine();
    const run = await engine.load(id);
    return run.paused ? run : engine.resume(id, options);
  }

  async signal(id: string, event: string, payload: Json, by: string): Promise<RunState> {
    const run = await (await this.#engine()).signal(id, event, payload, by);
    return run.owner === undefined ? this.proceed(id, { by, patienceMs: 0 }) : run;
  }

  async cancel(run: string, by: string, reason: string): Promise<RunState> {
    return (await this.#engine()).cancel(run, by, reason);
  }

  async schedule(request: RunRequest, at: EpochMs): Promise<() => void> {
    const engine = await this.#engine();
    return engine.parts.clock.callAt(at, () => void engine.run(request).catch(this.#onError));
  }

  /** The loop of schedules in this process or in the daemon polls for changes. */
  async schedulesChanged(): Promise<void> {}

  deliver(notification: Notification): Promise<boolean> {
    return this.#deliver(notification);
  }

  async health(): Promise<BackendHealth> {
    const head = await (await this.#engine()).parts.events.head();
    return { ok: true, detail: `ledger at seq ${head.seq}` };
  }

  async workers(): Promise<readonly WorkerView[]> {
    return [];
  }
}
