// Owns: executing runs on the cluster for a caller that waits.
// I1 The cluster admits a caller before anything is recorded: a refused command leaves nothing that acts later.
// I2 What is recorded is accepted, whatever becomes of the message about it: the project's reconciliation finds the run. An error
//    after that is a warning, and the answer is the run as the ledger has it.
import {
  type BackendHealth,
  type DriveOptions,
  type Engine,
  type ExecutionBackend,
  type Notification,
  type ResumeOptions,
  type RunRequest,
  type RunState,
  reportUnknownStart,
  type WorkerView,
} from '../../engine/index.ts';
import { type EpochMs, isOkaError, type Json, waitUntil } from '../../kernel/index.ts';
import type { DriveAnswer } from './drive-object.ts';
import { Ingress, type IngressOptions } from './ingress.ts';
import { mailboxTarget, runTarget, schedulesTarget } from './names.ts';

/** A person waits for the list. */
const LISTS_WITHIN_MS = 3_000;

export class RestateExecutionBackend implements ExecutionBackend {
  readonly name = 'restate';
  readonly #engine: () => Promise<Engine>;
  readonly #ingress: Ingress;
  readonly #project: string;
  readonly #onWarning: (what: string) => void;
  #admitted: Promise<unknown> | undefined;

  constructor(
    engine: () => Promise<Engine>,
    options: IngressOptions & { readonly onWarning: (what: string) => void },
  ) {
    this.#engine = engine;
    this.#ingress = new Ingress(options);
    this.#project = options.project;
    this.#onWarning = options.onWarning;
  }

  async admit(): Promise<void> {
    this.#admitted ??= this.#ingress.workers();
    try {
      await this.#admitted;
    } catch (error) {
      this.#admitted = undefined;
      throw error;
    }
  }

  async start(request: RunRequest, options?: DriveOptions): Promise<RunState> {
    const engine = await this.#engine();
    await engine.parts.events.waitForCapacity();
    await this.admit();
    const run = await engine.create(request);
    return run.ended || run.paused
      ? run
      : this.#drive(engine, run, options).catch(reportUnknownStart(run.id));
  }

  async resume(id: string, options?: ResumeOptions): Promise<RunState> {
    await this.admit();
    const engine = await this.#engine();
    const run = await engine.prepareResume(id, options);
    return run.ended ? run : this.#drive(engine, run, options);
  }

  async proceed(id: string, options?: ResumeOptions): Promise<RunState> {
    const run = await (await this.#engine()).load(id);
    return run.paused ? run : this.resume(id, options);
  }

  async signal(id: string, event: string, payload: Json, by: string): Promise<RunState> {
    await this.admit();
    const engine = await this.#engine();
    await engine.signal(id, event, payload, by);
    return this.proceed(id, { by, patienceMs: 0 });
  }

  async cancel(id: string, by: string, reason: string): Promise<RunState> {
    // A worker that drives the run sees the request also while Restate is away, so that does not refuse it.
    await this.admit().catch((error: unknown) => {
      if (!isOkaError(error) || !error.transient) throw error;
    });
    const engine = await this.#engine();
    const run = await engine.cancel(id, by, reason);
    // The worker that drives the run sees the request at its next step. If that worker is gone, this message ends the run.
    if (!run.ended)
      await this.#ingress
        .send(runTarget(this.#project, id), {})
        .catch((error: unknown) => this.#warn(`The request to cancel run ${id} is recorded`, error));
    return run;
  }

  async schedule(request: RunRequest, at: EpochMs): Promise<() => void> {
    await this.admit();
    const engine = await this.#engine();
    const { id } = await engine.create(request);
    await this.#ingress.send(runTarget(this.#project, id), {}, Math.max(0, at - engine.parts.clock.now()));
    return () =>
      void engine.cancel(id, engine.parts.actor, 'it is no longer scheduled').catch(() => undefined);
  }

  async schedulesChanged(): Promise<void> {
    await this.#ingress.send(schedulesTarget(this.#project), {});
  }

  async deliver({ recipient: agent, payload }: Notification): Promise<boolean> {
    const { conv_name: conversation } = payload as { conv_name: string };
    await this.#ingress.send(mailboxTarget(this.#project, { agent, conversation }), {});
    return true;
  }

  async health(): Promise<BackendHealth> {
    try {
      const workers = await this.#ingress.workers();
      const alive = workers.filter(({ state }) => state === 'alive');
      const others = workers.filter(({ state }) => state !== 'alive');
      const detail = [`${alive.length} of ${workers.length} workers of project ${this.#project} take work`];
      for (const { id, state, since } of others)
        detail.push(`${id}: ${state} since ${new Date(since).toISOString()}`);
      return { ok: true, detail: detail.join('; ') };
    } catch (error) {
      if (!isOkaError(error)) throw error;
      return { ok: false, detail: error.message, code: error.code };
    }
  }

  workers(): Promise<readonly WorkerView[]> {
    return this.#ingress.workers(LISTS_WITHIN_MS);
  }

  #warn(what: string, error: unknown): void {
    if (!isOkaError(error)) throw error;
    this.#onWarning(`${what}, and acts when the cluster can execute it: ${error.message}`);
  }

  /** Drives a run on the cluster, and waits for its timers as long as the caller wants to. */
  async #drive(
    engine: Engine,
    { id }: RunState,
    { patienceMs = Number.POSITIVE_INFINITY, parksWhenBusy = false, signal }: DriveOptions = {},
  ): Promise<RunState> {
    const { clock } = engine.parts;
    for (;;) {
      const answer = await this.#ingress
        .call<DriveAnswer>(runTarget(this.#project, id), {}, signal)
        .catch((error: unknown) => this.#warn(`Run ${id} is accepted`, error));
      const run = await engine.load(id);
      const isBusy = run.waiting?.for === 'time' && run.waiting.busy !== undefined;
      const { dueAt } = answer ?? {};
      if (run.ended || run.paused || dueAt === undefined || (parksWhenBusy && isBusy)) return run;
      if (dueAt - clock.now() > patienceMs) return run;
      await waitUntil(clock, dueAt, signal === undefined ? [] : [signal]);
      if (signal?.aborted) return engine.load(id);
    }
  }
}
