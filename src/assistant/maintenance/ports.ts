import type { ApprovalSummary, RunSummary } from '../../engine/index.ts';
import type { EpochMs } from '../../kernel/index.ts';
import type { EventAddress, LedgerEvent } from '../../ledger/index.ts';
import type { Episode, Fact } from '../../memory/index.ts';

/** What is known of earlier maintenance, from the tables that `maintenanceProjection` folds. */
export interface MaintenanceRecords {
  /** Whether the words at this place were looked at before. */
  isDistilled(place: string): Promise<boolean>;
  /** The facts that came of the words at these places. */
  factsFrom(places: readonly string[]): Promise<readonly string[]>;
  /** How far the last complete maintenance came, and when; undefined before the first. */
  completed(): Promise<{ readonly through: number; readonly at: EpochMs } | undefined>;
  /** Whether anybody else has written after this place of the ledger. */
  isChangedSince(seq: number): Promise<boolean>;
}

/** What scoring the procedures came to. */
interface ScoredProcedures {
  readonly scored: number;
  /** The ids of those that were promoted, demoted or dropped. */
  readonly changed: readonly string[];
}

/** Scores procedures by what became of their runs, and drops candidates that are spent. Idempotent. */
export interface ScoreProcedures {
  score(options: { readonly by: string; readonly dryRun: boolean }): Promise<ScoredProcedures>;
}

/** There are no procedures to score. */
export const NO_SCORING: ScoreProcedures = { score: async () => ({ scored: 0, changed: [] }) };

/** How long maintenance keeps things; what is not set is kept. `Infinity` keeps as well. */
export interface RetentionPeriods {
  /** Run trees that no schedule started, from their end. */
  readonly runsMs?: number;
  /** Run trees that a schedule started, from their end. */
  readonly scheduledRunsMs?: number;
  readonly episodesMs?: number;
  /** The newest trees that are always kept: this many with a schedule and this many without. */
  readonly keepLast?: number;
}

/** A tree of runs in which every run has ended. */
export interface FinishedTree {
  readonly root: string;
  readonly kind: string;
  /** When the last run of the tree ended. */
  readonly endedAt: EpochMs;
  readonly scheduled: boolean;
}

/** What retention asks the folded tables. */
export interface RetentionRecords {
  finishedTrees(endedUntil: EpochMs): Promise<readonly FinishedTree[]>;
  /** The roots of trees that facts, learned procedures, unsettled effects or open turns of conversations name. */
  neededRoots(now: EpochMs): Promise<readonly string[]>;
  /** The roots of the newest trees, finished or not: `count` with a schedule and `count` without. */
  newestRoots(count: number): Promise<readonly string[]>;
  /** Pairs of roots of which one continues the other: resumed after a failure, or forked. */
  continuations(): Promise<readonly (readonly [string, string])[]>;
  /** Where the episodes stand that happened and were recorded no later than this. */
  oldEpisodes(until: EpochMs): Promise<readonly EventAddress[]>;
  /** What retention has taken out of the database since it last completed; not zero only after a crash. */
  removedSinceMark(): Promise<{ readonly runs: number; readonly episodes: number }>;
}

/** What retention took out, or would take out. */
export interface RetentionReport {
  readonly archivedRuns: number;
  readonly erasedEpisodes: number;
  readonly deletedArtifacts: number;
  readonly freedBytes: number;
}

/** A person's word on what a run should have done. */
export interface Correction {
  readonly run: string;
  readonly text: string;
  readonly at: EpochMs;
}

/** All that the derived files are made of; each answers from the ledger and what is folded from it. */
export interface DerivedSources {
  /** Every run, in any order. */
  runs(): Promise<readonly RunSummary[]>;
  /** What waits for a person, oldest first. */
  approvals(): Promise<readonly ApprovalSummary[]>;
  events(run: string): Promise<readonly LedgerEvent[]>;
  corrections(): Promise<readonly Correction[]>;
  episodes(span?: Span): AsyncIterable<Episode>;
  /** The facts that hold. */
  facts(span?: Span): Promise<readonly Fact[]>;
}

/** From this moment on, and before that one. */
export interface Span {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** What became of the derived files; paths are below the folder of the workspace. */
export interface DerivedReport {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** Files that a person had changed, which stand beside the new ones under another name. */
  readonly setAside: readonly string[];
  /** Files that a person has changed again, and which were therefore left alone. */
  readonly leftAlone: readonly string[];
}

/** The steps of maintenance. Each may be done again at any time, also after a crash in the middle of it. */
export interface MaintenanceWork {
  /** Looks at the events after this place, up to a batch of them, for what people have said. */
  distil(after: number): Promise<{
    readonly through: number;
    readonly more: boolean;
    readonly added: readonly string[];
    readonly forgotten: number;
  }>;
  score(): Promise<ScoredProcedures>;
  /** Joins facts that say the same, gives stale ones an end, erases what has expired. */
  tidy(): Promise<{ readonly joined: number; readonly archived: number; readonly pruned: number }>;
  /** Archives runs and erases episodes that are past their retention. */
  retain(): Promise<RetentionReport>;
  /** Makes the derived files anew. */
  derive(): Promise<DerivedReport>;
}
