import type { EpochMs, Json } from '../kernel/index.ts';
import type { Engine, ResumeOptions, RunRequest } from './engine.ts';
import type { DriveOptions } from './run-driver.ts';
import type { RunState } from './run-state.ts';

/** A wake-up for somebody: which conversation, which message, for whom. */
export interface Notification {
  readonly id: string;
  readonly recipient: string;
  readonly payload: Json;
}

export interface BackendHealth {
  readonly ok: boolean;
  readonly detail: string;
}

/** Where runs are carried out. The same contract holds in this process and on a cluster; runs carry names, never secrets. */
export interface ExecutionBackend {
  readonly name: string;
  /** Creates a run and carries it on until it ends or has to wait. */
  start(request: RunRequest, options?: DriveOptions): Promise<RunState>;
  resume(run: string, options?: ResumeOptions): Promise<RunState>;
  signal(run: string, event: string, payload: Json, by: string): Promise<void>;
  cancel(run: string, by: string, reason: string): Promise<void>;
  /** Starts a run at a later time; answers with the way to call it off. */
  schedule(request: RunRequest, at: EpochMs): Promise<() => void>;
  /** Hands a notification to whoever serves the recipient; true when somebody does. */
  deliver(notification: Notification): Promise<boolean>;
  health(): Promise<BackendHealth>;
}

/** Carries runs out in this process. */
export class LocalExecutionBackend implements ExecutionBackend {
  readonly name = 'local';
  readonly #engine: Engine;
  readonly #deliver: (notification: Notification) => Promise<boolean>;
  readonly #onError: (error: unknown) => void;

  constructor(
    engine: Engine,
    options: {
      readonly deliver?: (notification: Notification) => Promise<boolean>;
      /** Learns of scheduled runs that could not be started, since nobody waits for them. */
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
