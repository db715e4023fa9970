import type { EpochMs, Json } from '../kernel/index.ts';

/** What happens to firings missed by more than the grace period: none, the latest, or all (at most 100) run. */
export type MisfirePolicy = 'skip' | 'one' | 'all';

/** What happens to a firing while a run of the schedule is active: skipped, one queued, or run anyway. */
export type OverlapPolicy = 'skip' | 'queue' | 'allow';

/** What happens to a time inside a DST gap: it runs right after the gap, or not at all. */
export type DstPolicy = 'run_after' | 'skip';

export interface SchedulePolicies {
  readonly misfire: MisfirePolicy;
  readonly overlap: OverlapPolicy;
  readonly dst: DstPolicy;
}

/** Wall-clock times, or a change below a path of the workspace. */
export type ScheduleTrigger =
  | { readonly cron: string; readonly zone: string }
  | { readonly onChange: string };

export type FiringReason = 'due' | 'late' | 'manual' | 'change';

export type SkipReason =
  | 'misfire'
  | 'overlap'
  | 'dst'
  | 'disabled'
  | 'deleted'
  | 'input_erased'
  | 'failed'
  /** Already decided by a clock that was wrong. */
  | 'clock';

/** A firing that waits for the previous run to end. */
export interface QueuedFiring {
  readonly firing: string;
  readonly plannedAt: EpochMs;
  readonly reason: FiringReason;
}

export interface Schedule {
  readonly id: string;
  readonly graph: string;
  readonly trigger: ScheduleTrigger;
  readonly policies: SchedulePolicies;
  readonly input?: Json;
  /** True if the input was erased; the schedule then starts nothing. */
  readonly inputErased: boolean;
  readonly enabled: boolean;
  /** All planned times up to and including this one are decided. Moves back only after a wrong clock. */
  readonly cursor: EpochMs;
  readonly queued?: QueuedFiring;
  /** Runs that may still be active, oldest first. */
  readonly runs: readonly string[];
  readonly lastFiredAt?: EpochMs;
  readonly addedAt: EpochMs;
  readonly addedBy: string;
  /** The index of the last event in the stream. */
  readonly index: number;
}

/** The decision about a firing, or about several that were skipped together. */
export interface Firing {
  readonly id: string;
  readonly schedule: string;
  readonly status: 'fired' | 'skipped' | 'queued';
  readonly why: FiringReason | SkipReason;
  readonly plannedAt: EpochMs;
  readonly decidedAt: EpochMs;
  readonly run?: string;
  /** The number of planned times in this record. */
  readonly count: number;
  /** True if counting stopped early. */
  readonly more: boolean;
  /** The last planned time in this record. */
  readonly until: EpochMs;
  /** Why the run failed to start. */
  readonly failureCode?: string;
  readonly failureMessage?: string;
}

export type ScheduleErrorCode =
  | 'schedule.invalid_cron'
  | 'schedule.unknown_zone'
  | 'schedule.never_fires'
  | 'schedule.unknown'
  | 'schedule.invalid'
  | 'schedule.not_started';
