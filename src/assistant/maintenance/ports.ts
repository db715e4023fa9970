import type { ApprovalSummary, RunSummary } from '../../engine/index.ts';
import type { EpochMs } from '../../kernel/index.ts';
import type { EventAddress, LedgerEvent } from '../../ledger/index.ts';
import type { Episode, Fact } from '../../memory/index.ts';

/** Earlier maintenance, from the tables of `maintenanceProjection`. */
export interface MaintenanceRecords {
  /** Whether the words at this place are processed. */
  isDistilled(place: string): Promise<boolean>;
  /** The facts derived from the words at these places. */
  factsFrom(places: readonly string[]): Promise<readonly string[]>;
  /** The position and time of the last complete maintenance; undefined before the first. */
  completed(): Promise<{ readonly through: number; readonly at: EpochMs } | undefined>;
  /** Whether anybody but maintenance has written after this position. */
  isChangedSince(seq: number): Promise<boolean>;
}

interface ScoredProcedures {
  readonly scored: number;
  /** Ids of procedures that were promoted, demoted or dropped. */
  readonly changed: readonly string[];
}

/** Scores procedures by the results of their runs, and drops failed candidates. Idempotent. */
export interface ScoreProcedures {
  score(options: { readonly by: string; readonly dryRun: boolean }): Promise<ScoredProcedures>;
}

export const NO_SCORING: ScoreProcedures = { score: async () => ({ scored: 0, changed: [] }) };

/** Retention periods. Unset or infinite periods keep everything. */
export interface RetentionPeriods {
  /** For run trees without a schedule, counted from their end. */
  readonly runsMs?: number;
  /** For scheduled run trees, counted from their end. */
  readonly scheduledRunsMs?: number;
  readonly episodesMs?: number;
  /** The number of newest trees to keep, each of scheduled and unscheduled ones. */
  readonly keepLast?: number;
}

/** A run tree in which every run has ended. */
export interface FinishedTree {
  readonly root: string;
  readonly kind: string;
  /** When the last run of the tree ended. */
  readonly endedAt: EpochMs;
  readonly scheduled: boolean;
}

export interface RetentionRecords {
  finishedTrees(endedUntil: EpochMs): Promise<readonly FinishedTree[]>;
  /** Roots of trees that facts, learned procedures, unsettled effects or open turns reference. */
  neededRoots(now: EpochMs): Promise<readonly string[]>;
  /** Roots of the newest trees, finished or not: `count` scheduled and `count` unscheduled ones. */
  newestRoots(count: number): Promise<readonly string[]>;
  /** Pairs of roots of which one resumes or forks the other. */
  continuations(): Promise<readonly (readonly [string, string])[]>;
  /** Addresses of episodes that happened and were recorded no later than this. */
  oldEpisodes(until: EpochMs): Promise<readonly EventAddress[]>;
  /** What retention has removed since it last completed; non-zero only after a crash. */
  removedSinceMark(): Promise<{ readonly runs: number; readonly episodes: number }>;
}

/** What retention removed, or would remove in a dry run. */
export interface RetentionReport {
  readonly archivedRuns: number;
  readonly erasedEpisodes: number;
  readonly deletedArtifacts: number;
  readonly freedBytes: number;
}

/** A person's correction of a run. */
export interface Correction {
  readonly run: string;
  readonly text: string;
  readonly at: EpochMs;
}

/** The inputs of the derived files, read from the ledger and its projections. */
export interface DerivedSources {
  /** Every run, in any order. */
  runs(): Promise<readonly RunSummary[]>;
  /** Pending approvals, oldest first. */
  approvals(): Promise<readonly ApprovalSummary[]>;
  events(run: string): Promise<readonly LedgerEvent[]>;
  corrections(): Promise<readonly Correction[]>;
  episodes(span?: Span): AsyncIterable<Episode>;
  /** The facts that are valid now. */
  facts(span?: Span): Promise<readonly Fact[]>;
}

/** A half-open interval: `from` is included, `to` is not. */
export interface Span {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Paths are relative to the workspace folder. */
export interface DerivedReport {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** Files that a person had changed; they were renamed next to the new ones. */
  readonly setAside: readonly string[];
  /** Files that a person changed again; they were left unchanged. */
  readonly leftAlone: readonly string[];
}

/** The steps of maintenance. Each is repeatable at any time, also after a crash. */
export interface MaintenanceWork {
  /** Processes one batch of events after this position. */
  distil(after: number): Promise<{
    readonly through: number;
    readonly more: boolean;
    readonly added: readonly string[];
    readonly forgotten: number;
  }>;
  score(): Promise<ScoredProcedures>;
  /** Merges duplicate facts, sets an expiry on stale ones, erases expired ones. */
  tidy(): Promise<{ readonly joined: number; readonly archived: number; readonly pruned: number }>;
  /** Archives runs and erases episodes that are past their retention. */
  retain(): Promise<RetentionReport>;
  /** Regenerates the derived files. */
  derive(): Promise<DerivedReport>;
}

export type MaintenanceErrorCode = 'maintenance.incomplete' | 'maintenance.link_refused';
