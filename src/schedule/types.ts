import type { EpochMs, Json } from '../kernel/index.ts';

/** What becomes of firings that were missed by more than the grace: none, the latest, or all of them (at most 100). */
export type MisfirePolicy = 'skip' | 'one' | 'all';

/** What becomes of a firing while a run of the same schedule has not ended: dropped, one kept for later, or run anyway. */
export type OverlapPolicy = 'skip' | 'queue' | 'allow';

/** What becomes of a time that the clock jumps over: it runs right after the jump, or not at all. */
export type DstPolicy = 'run_after' | 'skip';

/** What a schedule does when things do not go as planned. */
export interface SchedulePolicies {
  readonly misfire: MisfirePolicy;
  readonly overlap: OverlapPolicy;
  readonly dst: DstPolicy;
}

/** What makes a schedule fire: times of a wall clock, or a change beneath a path of the workspace. */
export type ScheduleTrigger =
  | { readonly cron: string; readonly zone: string }
  | { readonly onChange: string };

/** Why a firing started a run. */
export type FiringReason = 'due' | 'late' | 'manual' | 'change';

/** Why a firing did not start a run. */
export type SkipReason =
  | 'misfire'
  | 'overlap'
  | 'dst'
  | 'disabled'
  | 'deleted'
  | 'input_erased'
  | 'failed'
  /** It was decided before, by a clock that was wrong. */
  | 'clock';

/** A firing that waits for the run before it to end. */
export interface QueuedFiring {
  readonly firing: string;
  readonly plannedAt: EpochMs;
  readonly reason: FiringReason;
}

/** A schedule as the ledger has it now. */
export interface Schedule {
  readonly id: string;
  readonly graph: string;
  readonly trigger: ScheduleTrigger;
  readonly policies: SchedulePolicies;
  readonly input?: Json;
  /** True when the input was erased: the schedule then starts nothing, for it no longer knows with what. */
  readonly inputErased: boolean;
  readonly enabled: boolean;
  /** All planned times up to and including this one are decided. It goes back only when the clock was wrong. */
  readonly cursor: EpochMs;
  readonly queued?: QueuedFiring;
  /** Runs of this schedule that may not have ended, oldest first. */
  readonly runs: readonly string[];
  readonly lastFiredAt?: EpochMs;
  readonly addedAt: EpochMs;
  readonly addedBy: string;
  /** The index of the last event of the schedule's stream. */
  readonly index: number;
}

/** What was decided about a firing, or about many that were skipped together. */
export interface Firing {
  readonly id: string;
  readonly schedule: string;
  readonly status: 'fired' | 'skipped' | 'queued';
  readonly why: FiringReason | SkipReason;
  readonly plannedAt: EpochMs;
  readonly decidedAt: EpochMs;
  readonly run?: string;
  /** How many planned times this record stands for. */
  readonly count: number;
  /** True when there were more than were counted. */
  readonly more: boolean;
  /** The last planned time that this record stands for. */
  readonly until: EpochMs;
  /** The code and the sentence of what kept the run from being started. */
  readonly failureCode?: string;
  readonly failureMessage?: string;
}

/** Codes that schedules raise. */
export type ScheduleErrorCode =
  | 'schedule.invalid_cron'
  | 'schedule.unknown_zone'
  | 'schedule.never_fires'
  | 'schedule.unknown'
  | 'schedule.invalid'
  | 'schedule.not_started';
