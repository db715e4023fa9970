import type { EpochMs } from '../../kernel/index.ts';
import type { LearnedProcedure, Procedure } from './types.ts';

/** A finished run that nobody else's run started, as the folded table of runs has it. */
export interface GoalRun {
  readonly id: string;
  readonly goal: string;
  readonly startedAt: EpochMs;
}

/** The goals that were pursued to their end. */
export interface GoalRuns {
  /** The newest runs of agents and of the assistant, newest first; those whose goal was erased are left out. */
  finished(limit: number): Promise<readonly GoalRun[]>;
  /** The run and all that it started. */
  members(run: string): Promise<readonly string[]>;
  /** Which of these runs are there, but have lost their content. */
  erased(runs: readonly string[]): Promise<readonly string[]>;
}

/** Finds learned procedures in the table that `procedureProjection` folds. */
export interface ProcedureRecords {
  get(id: string): Promise<LearnedProcedure | undefined>;
  /** Every one, also the demoted and forgotten, oldest first. */
  all(): Promise<readonly LearnedProcedure[]>;
}

/** A piece of a goal, as whoever reads goals takes it apart. */
export interface GoalPiece {
  readonly kind: 'word' | 'quoted' | 'path' | 'url' | 'number' | 'date';
  readonly text: string;
  /** The linking word just before, such as `to`, `in` or `for`. */
  readonly after?: string;
}

/** Takes a goal apart. A pure function. */
export type ReadGoalPieces = (goal: string) => readonly GoalPiece[];

/** Knows the tools that runs can call now. */
export interface ToolVersions {
  /** A digest of each tool's schema and annotations, by name. A tool that is not there has none. */
  digests(tools: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** What is wrong in a file that people wrote. */
export interface ProcedureFault {
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly next: string;
}

/** The procedures that are not learned. */
export interface GivenProcedures {
  all(): Promise<{
    readonly procedures: readonly (Procedure & { readonly path?: string })[];
    readonly faults: readonly ProcedureFault[];
  }>;
}
