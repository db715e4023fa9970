import type { ProcessRecord } from '../../adapters/processes/index.ts';
import type { BackgroundProcess } from '../../api/index.ts';
import type { Owners } from '../../engine/index.ts';
import { type Clock, OkaError } from '../../kernel/index.ts';
import type { Leases } from '../../ledger/index.ts';

/** Longer than a loop ever sleeps; counts only for a process that cannot be looked at from here. */
const LEASE_MS = 120_000;

export interface ProcessSeatParts {
  /** What the one process does, as in `scheduler`. */
  readonly name: string;
  readonly leases: Leases;
  readonly owners: Owners;
  readonly record: ProcessRecord;
  readonly clock: Clock;
  /** What is told to a second process. */
  readonly refusal: (found: BackgroundProcess) => Error;
}

/** The one place in a workspace from which something is done; a process that has died has left it. */
export class ProcessSeat {
  readonly #name: string;
  readonly #refusal: ProcessSeatParts['refusal'];
  readonly #leases: Leases;
  readonly #owners: Owners;
  readonly #record: ProcessRecord;
  readonly #clock: Clock;

  constructor(parts: ProcessSeatParts) {
    this.#name = parts.name;
    this.#refusal = parts.refusal;
    this.#leases = parts.leases;
    this.#owners = parts.owners;
    this.#record = parts.record;
    this.#clock = parts.clock;
  }

  /** Where the output of the process that has the place goes. */
  get log(): string {
    return this.#record.log;
  }

  /**
   * Who has the place, if somebody does. A machine that was asleep has let leases run out, and its processes live on: a
   * process of this machine has the place for as long as it is there.
   */
  holder(): BackgroundProcess | undefined {
    const holder = this.#leases.holder(this.#name);
    if (holder === undefined || !this.#owners.isAlive(holder.owner)) return undefined;
    const isSeen = isKnownHere(holder.owner, this.#owners.self);
    return isSeen || holder.expiresAt > this.#clock.now() ? this.#describe(holder.owner) : undefined;
  }

  /** Refuses while somebody has the place. */
  take(): void {
    const holder = this.#leases.holder(this.#name);
    // A process of this machine has the place also when its lease has run out; for any other the lease decides.
    const isSeen = holder !== undefined && isKnownHere(holder.owner, this.#owners.self);
    if (isSeen && this.#owners.isAlive(holder.owner)) throw this.#refusal(this.#describe(holder.owner));
    if (!this.keep()) throw this.#refusal(this.#describe(this.#leases.holder(this.#name)?.owner ?? ''));
  }

  /** Says that this process is still there; false when another has taken the place. */
  keep(): boolean {
    return this.#leases.acquire(this.#name, this.#owners.self, this.#clock.now() + LEASE_MS);
  }

  /** Lets people and whoever started this process know that it is ready. */
  announce(): void {
    const owner = this.#owners.self;
    this.#record.write({ pid: pidOf(owner), owner, startedAt: this.#clock.now() });
  }

  leave(): void {
    this.#record.remove(this.#owners.self);
    this.#leases.release(this.#name, this.#owners.self);
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

/** Whether an owner, `pid@host#start`, is of our machine, and another process that got its pid is told from it by its start. */
function isKnownHere(owner: string, self: string): boolean {
  const machineOf = (name: string): string | undefined => /@(.*)#[1-9]\d*$/.exec(name)?.[1];
  return machineOf(owner) !== undefined && machineOf(owner) === machineOf(self);
}

/** What a second daemon is told. */
export function daemonRuns(found: BackgroundProcess): OkaError {
  return new OkaError(
    'daemon.running',
    `process ${found.pid} is the daemon of this workspace already; stop it with: oka down.`,
    { data: { ...found } },
  );
}

/** What a second host of an agent is told. */
export function hostRuns(agent: string): (found: BackgroundProcess) => OkaError {
  return (found) =>
    new OkaError(
      'daemon.running',
      `process ${found.pid} answers for ${agent} already; stop it with: oka agent stop ${agent}.`,
      { data: { ...found } },
    );
}
