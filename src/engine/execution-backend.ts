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
  readonly detail: string;
}

/** Executes runs, in this process or on a cluster. Runs carry names, never secrets. */
export interface ExecutionBackend {
  readonly name: string;
  /** Creates a run and drives it until it ends or has to wait. */
  start(request: RunRequest, options?: DriveOptions): Promise<RunState>;
  resume(run: string, options?: ResumeOptions): Promise<RunState>;
  signal(run: string, event: string, payload: Json, by: string): Promise<void>;
  cancel(run: string, by: string, reason: string): Promise<void>;
  /** Starts a run later; returns a function that cancels it. */
  schedule(request: RunRequest, at: EpochMs): Promise<() => void>;
  /** Delivers a notification to the recipient's host; true when there is one. */
  deliver(notification: Notification): Promise<boolean>;
  health(): Promise<BackendHealth>;
}

/** Executes runs in this process. */
export class LocalExecutionBackend implements ExecutionBackend {
  readonly name = 'local';
  readonly #engine: Engine;
  readonly #deliver: (notification: Notification) => Promise<boolean>;
  readonly #onError: (error: unknown) => void;

  constructor(
    engine: Engine,
    options: {
      readonly deliver?: (notification: Notification) => Promise<boolean>;
      /** Called when a scheduled run cannot be started, since no caller waits for it. */
      readonly onError?: (error: unknown) => void;
    } = {},
  ) {
    this.#engine = engine;
    this.#deliver = options.deliver ?? (async () => false);
    this.#onError = options.onError ?? (() => undefined);
  }

  start(request: RunRequest, options?: DriveOptions): Promise<RunState> {
    return this.#engine.run(request, options);
  }

  resume(run: string, options?: ResumeOptions): Promise<RunState> {
    return this.#engine.resume(run, options);
  }

  async signal(run: string, event: string, payload: Json, by: string): Promise<void> {
    await this.#engine.signal(run, event, payload, by);
    await this.#engine.resume(run);
  }

  async cancel(run: string, by: string, reason: string): Promise<void> {
    await this.#engine.cancel(run, by, reason);
  }

  async schedule(request: RunRequest, at: EpochMs): Promise<() => void> {
    return this.#engine.parts.clock.callAt(at, () => void this.#engine.run(request).catch(this.#onError));
  }

  deliver(notification: Notification): Promise<boolean> {
    return this.#deliver(notification);
  }

  async health(): Promise<BackendHealth> {
    const head = await this.#engine.parts.events.head();
    return { ok: true, detail: `ledger at seq ${head.seq}` };
  }
}
