import type { ProcessRecord } from '../adapters/processes/index.ts';
import type { ScheduleProcess } from '../api/index.ts';
import type { Owners } from '../engine/index.ts';
import { type Clock, OkaError } from '../kernel/index.ts';
import type { Leases } from '../ledger/index.ts';
import type { ScheduleErrorCode } from '../schedule/index.ts';

const LEASE = 'scheduler';
/** Longer than the loop ever sleeps; needed only where a process is gone together with its machine. */
const LEASE_MS = 120_000;

/** The one place in a workspace from which schedules are worked on; a process that has died has left it. */
export class LoopSeat {
  readonly #leases: Leases;
  readonly #owners: Owners;
  readonly #record: ProcessRecord;
  readonly #clock: Clock;

  constructor(parts: {
    readonly leases: Leases;
    readonly owners: Owners;
    readonly record: ProcessRecord;
    readonly clock: Clock;
  }) {
    this.#leases = parts.leases;
    this.#owners = parts.owners;
    this.#record = parts.record;
    this.#clock = parts.clock;
  }

  /** Who has the place, if somebody does. */
  holder(): ScheduleProcess | undefined {
    const holder = this.#leases.holder(LEASE);
    if (holder === undefined || holder.expiresAt <= this.#clock.now()) return undefined;
    return this.#owners.isAlive(holder.owner) ? this.#describe(holder.owner) : undefined;
  }

  /** Refuses with `schedule.not_started` while somebody has the place, naming the process in its data. */
  take(): void {
    const holder = this.holder();
    if (holder) throw taken(holder);
    if (!this.keep()) throw taken(this.#describe(this.#leases.holder(LEASE)?.owner ?? ''));
  }

  /** Says that this process is still there; false when another has taken the place. */
  keep(): boolean {
    return this.#leases.acquire(LEASE, this.#owners.self, this.#clock.now() + LEASE_MS);
  }

  /** Lets people and whoever started this process know that it is ready. */
  announce(): void {
    const owner = this.#owners.self;
    this.#record.write({ pid: pidOf(owner), owner, startedAt: this.#clock.now() });
  }

  leave(): void {
    this.#record.remove(this.#owners.self);
    this.#leases.release(LEASE, this.#owners.self);
  }

  #describe(owner: string): ScheduleProcess {
    const record = this.#record.read();
    const ready = record?.owner === owner ? { startedAt: record.startedAt, log: record.log } : {};
    return { pid: pidOf(owner), owner, ...ready };
  }
}

function taken(found: ScheduleProcess): OkaError<ScheduleErrorCode> {
  return new OkaError(
    'schedule.not_started',
    `process ${found.pid} works on the schedules already; stop it with: oka graph schedule stop.`,
    { data: { ...found } },
  );
}

function pidOf(owner: string): number {
  return Number.parseInt(owner, 10);
}
