import type { EpochMs, Json } from '../kernel/index.ts';
import type { StreamAppend } from '../ledger/index.ts';
import type { Firing, Schedule } from './types.ts';

/** A firing that needs a run. */
export interface FiringRequest {
  /** The firing's id, stable across retries. */
  readonly id: string;
  readonly schedule: string;
  readonly graph: string;
  readonly input: Json;
  readonly plannedAt: EpochMs;
  /** What makes it fire: its own plan, or a person who triggers it. */
  readonly by: 'schedule' | 'person';
}

/** Creates runs for firings. */
export interface FiringTarget {
  /**
   * Returns the run of a firing and the appends that create it. They are committed together with the firing, so this has no side
   * effects: the result is discarded if another process was faster. A transient error postpones the firing; any other error is
   * recorded and the firing is skipped. One commit may hold several firings, so appends must not expect an index of a shared
   * stream.
   */
  prepare(
    firing: FiringRequest,
  ): Promise<{ readonly run: string; readonly appends: readonly StreamAppend[] }>;
  /** True until the run has ended, also before a worker drives it. False for an unknown run. */
  isRunning(run: string): Promise<boolean>;
}

/** Finds schedules and firings in the tables of `scheduleProjection`. */
export interface ScheduleStore {
  /** All schedules that are not deleted, by id. */
  list(): Promise<readonly Schedule[]>;
  /** Undefined if it does not exist or is deleted. */
  get(schedule: string): Promise<Schedule | undefined>;
  /** The newest decisions about a schedule's firings, newest first; also of a deleted schedule. */
  firings(schedule: string, limit: number): Promise<readonly Firing[]>;
  /** The newest decision that skipped planned times. */
  lastSkipped(schedule: string): Promise<Firing | undefined>;
  /** The decision about one firing. */
  firing(firing: string): Promise<Firing | undefined>;
}
