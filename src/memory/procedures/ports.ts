import type { EpochMs } from '../../kernel/index.ts';
import type { LearnedProcedure, Procedure } from './types.ts';

/** A finished run without a parent. */
export interface GoalRun {
  readonly id: string;
  readonly goal: string;
  readonly startedAt: EpochMs;
}

export interface GoalRuns {
  /** The newest runs of agents and the assistant, newest first, without those whose goal was erased. */
  finished(limit: number): Promise<readonly GoalRun[]>;
  /** The run and its descendants. */
  members(run: string): Promise<readonly string[]>;
  /** Which of these runs have erased content. */
  erased(runs: readonly string[]): Promise<readonly string[]>;
}

/** Reads learned procedures from the table of `procedureProjection`. */
export interface ProcedureRecords {
  get(id: string): Promise<LearnedProcedure | undefined>;
  /** Every procedure, including demoted and forgotten ones, oldest first. */
  all(): Promise<readonly LearnedProcedure[]>;
}

/** A piece of a parsed goal. */
export interface GoalPiece {
  readonly kind: 'word' | 'quoted' | 'path' | 'url' | 'number' | 'date';
  readonly text: string;
  /** The preposition before it, such as `to`, `in` or `for`. */
  readonly after?: string;
}

/** Parses a goal. A pure function. */
export type ReadGoalPieces = (goal: string) => readonly GoalPiece[];

export interface ToolVersions {
  /** A digest of each available tool's schema and annotations, by name. */
  digests(tools: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** A fault in a procedure file. */
export interface ProcedureFault {
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly next: string;
}

/** Built-in procedures and procedure files. */
export interface GivenProcedures {
  all(): Promise<{
    readonly procedures: readonly (Procedure & { readonly path?: string })[];
    readonly faults: readonly ProcedureFault[];
  }>;
}
