import type { EpochMs, JsonObject } from '../../kernel/index.ts';

/** Where a procedure comes from: shipped with Oka, written in a file, or learned from runs. */
type ProcedureOrigin = 'built_in' | 'file' | 'promoted';

/** `given`: not learned, so it needs no evidence. */
export type ProcedureStatus = 'given' | 'candidate' | 'promoted' | 'demoted' | 'forgotten';

/** A step without an input is advice. In an input, `{{slot}}` is replaced by a value of the goal. */
export interface ProcedureStep {
  readonly title: string;
  readonly tool?: string;
  readonly input?: JsonObject;
  /** The assistant's criteria; `{ judge: … }` is one in plain text. */
  readonly acceptance?: readonly JsonObject[];
}

/** The files and tools that a procedure uses; with versions if it was learned. */
interface ProcedureBasis {
  readonly files: readonly { readonly path: string; readonly version?: string }[];
  readonly tools: readonly { readonly name: string; readonly digest?: string }[];
}

/** A known way to reach a kind of goal. */
export interface Procedure {
  readonly id: string;
  readonly name: string;
  readonly origin: ProcedureOrigin;
  readonly description?: string;
  readonly trigger: { readonly phrases: readonly string[]; readonly words: readonly string[] };
  readonly steps: readonly ProcedureStep[];
  readonly pitfalls: readonly string[];
  readonly checklist: readonly string[];
  readonly lastValidatedAt?: EpochMs;
  readonly basis: ProcedureBasis;
}

/** A value in a goal; goals are compared without their values. */
export interface GoalSlot {
  readonly name: string;
  readonly kind: 'quoted' | 'path' | 'url' | 'number' | 'date';
  readonly value: string;
}

/** Goals with the same key are of the same kind. */
export interface GoalKind {
  readonly key: string;
  /** The goal with `{{slot}}` for each value. */
  readonly phrase: string;
  readonly slots: readonly GoalSlot[];
}

/** A successful call. */
export interface ExecutedCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** Whether it may have changed something. */
  readonly effects: boolean;
}

interface ExecutionFigures {
  /** The duration without the time spent waiting for users. */
  readonly activeMs: number;
  readonly rejections: number;
  /** Requests to users: approvals and questions. */
  readonly approvals: number;
  readonly refusals: number;
}

/** A user's objection to an execution. */
export type Objection = 'corrected' | 'undone' | 'edited';

/** A finished goal, read from the ledger. */
export interface Execution extends ExecutionFigures {
  readonly run: string;
  /** Equal for a run, its resumptions and its forks. */
  readonly line: string;
  readonly resumedFrom?: string;
  readonly goal: string;
  readonly kind: GoalKind;
  readonly outcome: 'completed' | 'failed' | 'cancelled';
  readonly failureCode?: string;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
  readonly calls: readonly ExecutedCall[];
  /** Failed or denied calls, as `tool: code`. */
  readonly setbacks: readonly string[];
  /** The criteria that the critic checked. */
  readonly criteria: readonly JsonObject[];
  readonly objections: readonly Objection[];
  /** It read untrusted content, so nothing is learned from it. */
  readonly untrusted: boolean;
  /** The procedures that it was offered. */
  readonly offered: readonly string[];
}

/** Averages over several executions. */
export interface Figures extends Omit<ExecutionFigures, 'activeMs'> {
  readonly executions: number;
  readonly runs: readonly string[];
  readonly medianMs: number | null;
}

/** The evidence for a change of status. */
export interface ProcedureEvidence {
  /** Executions that followed the procedure. */
  readonly with: Figures;
  /** Executions of the same kind of goal without it. */
  readonly without: Figures;
}

/** Why a procedure was demoted. */
export interface DemotionReason {
  readonly kind: 'tool_changed' | 'file_changed' | 'contradicted' | 'evidence_erased';
  /** The tool, file or run. */
  readonly subject: string;
  readonly detail: string;
}

export interface LearnedProcedure {
  readonly id: string;
  readonly status: Exclude<ProcedureStatus, 'given'>;
  /** Undefined if its content was erased. */
  readonly procedure?: Procedure;
  readonly kindKey?: string;
  /** The runs that it was learned from. */
  readonly precedents: readonly string[];
  readonly evidence: ProcedureEvidence;
  readonly reason?: DemotionReason;
  readonly proposedAt: EpochMs;
  readonly changedAt: EpochMs;
  /** Only executions that ended later count. */
  readonly since: EpochMs;
  readonly contradictedAt?: EpochMs;
  /** The index of its content in the stream. */
  readonly index: number;
}

export type ProcedureErrorCode = 'procedures.unknown' | 'procedures.not_learned' | 'procedures.ambiguous';
