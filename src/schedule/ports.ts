import type { EpochMs, Json } from '../kernel/index.ts';
import type { StreamAppend } from '../ledger/index.ts';
import type { Firing, Schedule } from './types.ts';

/** A firing for which a run is wanted. */
export interface FiringRequest {
  /** The firing's id: the same however often it is asked for. */
  readonly id: string;
  readonly schedule: string;
  readonly graph: string;
  readonly input: Json;
  readonly plannedAt: EpochMs;
}

/** Where firings become runs. */
export interface FiringTarget {
  /**
   * Names the run that a firing starts, and the appends that create it. They are committed together with the firing, so
   * this must change nothing itself: the answer is thrown away when another process was faster. A transient error
   * leaves the firing for later; any other is recorded and the firing counts as skipped. One commit may hold several
   * firings of a schedule, so their appends must not expect an index of the same stream.
   */
  prepare(
    firing: FiringRequest,
  ): Promise<{ readonly run: string; readonly appends: readonly StreamAppend[] }>;
  /** True until the run has ended; a run that nobody has taken up yet is running. False for a run that is unknown. */
  isRunning(run: string): Promise<boolean>;
}

/** Finds schedules and their firings in the tables that `scheduleProjection` folds. */
export interface ScheduleStore {
  /** All schedules that are not deleted, by id. */
  list(): Promise<readonly Schedule[]>;
  /** Undefined when it never was or is deleted. */
  get(schedule: string): Promise<Schedule | undefined>;
  /** The newest decisions about a schedule's firings, newest first; also of a deleted schedule. */
  firings(schedule: string, limit: number): Promise<readonly Firing[]>;
  /** The newest decision that skipped planned times of a schedule. */
  lastSkipped(schedule: string): Promise<Firing | undefined>;
  /** What was decided about one firing. */
  firing(firing: string): Promise<Firing | undefined>;
}
