// Owns: a worker as one of several: it is registered at Restate, continues what dead ones have begun, and takes work of a project
// only while all workers of the project have the same policy, trust and version.
import { hostname } from 'node:os';
import {
  type Announcement,
  type ClusterErrorCode,
  Deployments,
  HEARTBEAT_MS,
  Ingress,
  LOST_MS,
  projectTarget,
  registerWorker,
  schedulesTarget,
  type Verdict,
  workersTarget,
} from '../../adapters/restate/index.ts';
import { type Clock, canonicalJson, isOkaError, type Json, OkaError, waitUntil } from '../../kernel/index.ts';
import type { ServedProject } from './served-project.ts';

declare const __OKA_VERSION__: string;

const ANSWERS_WITHIN_MS = 10_000;
const LEAVES_WITHIN_MS = 2_000;
const ADMITTED_WITHIN_MS = 60_000;

export interface MemberParts {
  readonly projects: readonly ServedProject[];
  readonly url: string;
  /** The address at which Restate reaches the worker, alone or with others. */
  readonly address: string;
  readonly isShared: boolean;
  /** What Restate shows with each request. */
  readonly key: string;
  /** Takes over from workers with another policy, trust or version. */
  readonly replaces: boolean;
  readonly clock: Clock;
  readonly onWarning: (what: string) => void;
}

/** What a worker was told last about a project. */
interface Permission {
  readonly until: number;
  readonly fingerprint: string;
}

export class PoolMember {
  readonly #parts: MemberParts;
  readonly #admins: readonly string[];
  readonly #permissions = new Map<string, Permission>();
  readonly #told = new Map<string, string>();

  constructor(parts: MemberParts) {
    this.#parts = parts;
    this.#admins = [...new Set(parts.projects.map(({ place }) => place.admin))];
  }

  /** Whether this worker may take work: it was told so, not long ago, for what it would do now. */
  isServing({ name, fingerprint }: ServedProject): boolean {
    const permission = this.#permissions.get(name);
    if (permission === undefined || permission.until <= this.#parts.clock.now()) return false;
    return permission.fingerprint === canonicalJson(fingerprint());
  }

  /** Resolves when the worker takes work of all its projects. Throws if it may not. */
  async join(signal: AbortSignal): Promise<void> {
    for (const admin of this.#admins) {
      // A worker that may not serve does not become the address of new calls.
      const hasLiving = await this.#deployments(admin)
        .hasLiving()
        .catch(() => false);
      if (hasLiving) await this.#admit(signal, admin);
      await this.#register(admin, signal);
    }
    await this.#admit(signal);
  }

  /** Announces the worker until the signal aborts. Returns early when another worker replaces this one. */
  async stay(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    for (;;) {
      await waitUntil(clock, clock.now() + HEARTBEAT_MS, [signal]);
      if (signal.aborted) return;
      for (const admin of this.#admins)
        await this.#repair(admin, signal).catch((error: Error) =>
          this.#warn(admin, `Restate at ${admin}: ${error.message}`),
        );
      for (const project of this.#parts.projects) {
        const verdict = await this.#announce(project, signal).catch(() => undefined);
        if (verdict?.state === 'draining') return;
        this.#warn(
          project.name,
          verdict?.state === 'refused' ? refusal(project, verdict).message : undefined,
        );
      }
    }
  }

  /** Tells the projects that this worker takes no more work, and when it has finished. */
  async leave(leaving: 'draining' | 'left'): Promise<void> {
    const signal = AbortSignal.timeout(LEAVES_WITHIN_MS);
    this.#permissions.clear();
    await Promise.all(
      this.#parts.projects.map((one) => this.#announce(one, signal, leaving).catch(() => undefined)),
    );
  }

  /** Registers again if Restate has lost its data, and continues what dead workers have begun. */
  async #repair(admin: string, signal: AbortSignal): Promise<void> {
    const deployments = this.#deployments(admin);
    if (!(await deployments.isRegistered())) await this.#register(admin, signal);
    else await deployments.replaceDead();
    this.#warn(admin, undefined);
  }

  async #register(admin: string, signal: AbortSignal): Promise<void> {
    const { address, isShared, key, clock, projects } = this.#parts;
    await registerWorker({ admin, address, isShared, key }, { clock, signal });
    if (signal.aborted) return;
    await this.#deployments(admin)
      .replaceDead()
      .catch((error: Error) => this.#warn(admin, error.message));
    // Starts the timers of schedules and of reconciliation; they replace earlier ones.
    for (const { name, token, place } of projects.filter((one) => one.place.admin === admin)) {
      const ingress = new Ingress({ url: place.ingress, project: name, token });
      await this.#sent(() => ingress.send(projectTarget(name), {}), signal);
      await this.#sent(() => ingress.send(schedulesTarget(name), {}), signal);
    }
  }

  /** Sends again until a node knows of the registration: the nodes of a cluster learn of it one after the other. */
  async #sent(send: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const giveUpAt = clock.now() + ADMITTED_WITHIN_MS;
    for (;;)
      try {
        return await send();
      } catch (error) {
        if (!isOkaError(error, 'cluster.no_worker') || clock.now() >= giveUpAt || signal.aborted) throw error;
        await waitUntil(clock, clock.now() + HEARTBEAT_MS / 5, [signal]);
      }
  }

  /** Announces the worker until each project admits it. Before it is registered, nobody may be there to answer. */
  async #admit(signal: AbortSignal, admin?: string): Promise<void> {
    const { clock, projects } = this.#parts;
    const giveUpAt = clock.now() + ADMITTED_WITHIN_MS;
    for (const project of projects.filter(({ place }) => admin === undefined || place.admin === admin))
      for (;;) {
        const verdict = await this.#announce(project, signal).catch(ignoreTransient);
        if (verdict?.state === 'alive' || signal.aborted) break;
        if (verdict === undefined && admin !== undefined) return;
        const isHopeful = verdict === undefined ? clock.now() < giveUpAt : verdict.state === 'waiting';
        if (!isHopeful) throw refusal(project, verdict);
        if (verdict !== undefined)
          this.#warn(project.name, 'It waits until the workers that it replaces have stopped.');
        await waitUntil(clock, clock.now() + HEARTBEAT_MS / 5, [signal]);
      }
  }

  async #announce(
    project: ServedProject,
    signal: AbortSignal,
    leaving?: 'draining' | 'left',
  ): Promise<Verdict | undefined> {
    const { url, address, replaces, clock } = this.#parts;
    const { name, token, place } = project;
    const fingerprint = project.fingerprint();
    const announcement: Announcement = {
      ...{ id: `${process.pid}@${hostname()}`, url, address, version: __OKA_VERSION__, fingerprint },
      ...(replaces ? { replaces } : {}),
      ...(leaving === undefined ? {} : { leaving }),
    };
    const askedAt = clock.now();
    const verdict = await new Ingress({ url: place.ingress, project: name, token }).call<Verdict>(
      workersTarget(name, 'announce'),
      announcement as unknown as Json,
      AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]),
    );
    if (verdict?.state === 'alive' && leaving === undefined)
      this.#permissions.set(name, { until: askedAt + LOST_MS, fingerprint: canonicalJson(fingerprint) });
    else if (verdict !== undefined) this.#permissions.delete(name);
    return verdict;
  }

  #deployments(admin: string): Deployments {
    const { address, key } = this.#parts;
    return new Deployments({ admin, address, key });
  }

  /** Reports each problem once. */
  #warn(about: string, what: string | undefined): void {
    if (what !== undefined && this.#told.get(about) !== what) this.#parts.onWarning(what);
    if (what === undefined) this.#told.delete(about);
    else this.#told.set(about, what);
  }
}

function ignoreTransient(error: unknown): undefined {
  if (!isOkaError(error) || !error.transient) throw error;
}

function refusal({ name }: ServedProject, verdict: Verdict | undefined): OkaError<ClusterErrorCode> {
  if (verdict === undefined) {
    const message = `No worker of project "${name}" answered the announcement of this one. Try again.`;
    return new OkaError('cluster.no_worker', message, { data: { project: name }, transient: true });
  }
  const { state, differs } = verdict;
  const message =
    state === 'draining'
      ? `Another worker is replacing those of project "${name}". Start this one again when it has finished.`
      : `The other workers of project "${name}" have another ${differs.join(' and another ')}. Make them the same, stop the others, or let this one replace them: oka worker --replace.`;
  return new OkaError('cluster.mismatch', message, { data: { project: name, differs: [...differs] } });
}
