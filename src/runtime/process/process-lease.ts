import type { ProcessRecord } from '../../adapters/processes/index.ts';
import type { BackgroundProcess } from '../../api/index.ts';
import type { Owners } from '../../engine/index.ts';
import { type Clock, OkaError } from '../../kernel/index.ts';
import type { Leases } from '../../ledger/index.ts';

/** Longer than any pause of a loop. It decides only for processes of other machines. */
const LEASE_MS = 120_000;

export interface ProcessLeaseParts {
  /** The job, such as `scheduler`. */
  readonly name: string;
  readonly leases: Leases;
  readonly owners: Owners;
  readonly record: ProcessRecord;
  readonly clock: Clock;
  /** The error of a second process. */
  readonly refusal: (found: BackgroundProcess) => Error;
}

/** Ensures that one process of a workspace does a job; a dead process loses the lease. */
export class ProcessLease {
  readonly #name: string;
  readonly #refusal: ProcessLeaseParts['refusal'];
  readonly #leases: Leases;
  readonly #owners: Owners;
  readonly #record: ProcessRecord;
  readonly #clock: Clock;

  constructor(parts: ProcessLeaseParts) {
    this.#name = parts.name;
    this.#refusal = parts.refusal;
    this.#leases = parts.leases;
    this.#owners = parts.owners;
    this.#record = parts.record;
    this.#clock = parts.clock;
  }

  /** The log file of the process that holds the lease. */
  get log(): string {
    return this.#record.log;
  }

  /**
   * The process that holds the lease. Leases expire while a machine sleeps, but its processes survive: a live process of this
   * machine keeps its lease.
   */
  async holder(): Promise<BackgroundProcess | undefined> {
    const holder = await this.#leases.holder(this.#name);
    if (holder === undefined || !this.#owners.isAlive(holder.owner)) return undefined;
    const isSeen = isKnownHere(holder.owner, this.#owners.self);
    return isSeen || holder.expiresAt > this.#clock.now() ? this.#describe(holder.owner) : undefined;
  }

  /** Throws if another process holds the lease. */
  async acquire(): Promise<void> {
    const holder = await this.#leases.holder(this.#name);
    // A live process of this machine keeps an expired lease; for other machines the expiry decides.
    const isSeen = holder !== undefined && isKnownHere(holder.owner, this.#owners.self);
    if (isSeen && this.#owners.isAlive(holder.owner)) throw this.#refusal(this.#describe(holder.owner));
    if (await this.renew()) return;
    throw this.#refusal(this.#describe((await this.#leases.holder(this.#name))?.owner ?? ''));
  }

  /** Renews the lease; false if another process took it. */
  renew(): Promise<boolean> {
    return this.#leases.acquire(this.#name, this.#owners.self, this.#clock.now() + LEASE_MS);
  }

  /** Records that this process is ready. */
  announce(): void {
    const owner = this.#owners.self;
    this.#record.write({ pid: pidOf(owner), owner, startedAt: this.#clock.now() });
  }

  async release(): Promise<void> {
    this.#record.remove(this.#owners.self);
    await this.#leases.release(this.#name, this.#owners.self);
  }

  #describe(owner: string): BackgroundProcess {
    const record = this.#record.read();
    const ready = record?.owner === owner ? { startedAt: record.startedAt, log: record.log } : {};
    return { pid: pidOf(owner), owner, ...ready };
  }
}

function pidOf(owner: string): number {
  return Number.parseInt(owner, 10);
}

/** Whether an owner, `pid@host#start`, is of this machine and has a start time that tells it from a reused pid. */
function isKnownHere(owner: string, self: string): boolean {
  const machineOf = (name: string): string | undefined => /@(.*)#[1-9]\d*$/.exec(name)?.[1];
  return machineOf(owner) !== undefined && machineOf(owner) === machineOf(self);
}

export function daemonRuns(found: BackgroundProcess): OkaError {
  return new OkaError(
    'daemon.running',
    `process ${found.pid} is already the daemon of this workspace. Stop it with: oka down`,
    { data: { ...found } },
  );
}

export function hostRuns(agent: string): (found: BackgroundProcess) => OkaError {
  return (found) =>
    new OkaError(
      'daemon.running',
      `process ${found.pid} already answers for ${agent}. Stop it with: oka agent stop ${agent}`,
      { data: { ...found } },
    );
}
