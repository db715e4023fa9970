import type { EpochMs, JsonObject } from '../../kernel/index.ts';

/** Where a procedure comes from: shipped, written by people, or learned from runs. */
type ProcedureOrigin = 'built_in' | 'file' | 'promoted';

/** How a procedure stands. `given` ones are not learned and so have nothing to prove. */
export type ProcedureStatus = 'given' | 'candidate' | 'promoted' | 'demoted' | 'forgotten';

/** One step. Without an input it is advice; with one, `{{slot}}` in it stands for a value of the goal. */
export interface ProcedureStep {
  readonly title: string;
  readonly tool?: string;
  readonly input?: JsonObject;
  /** Criteria as tasks of the assistant have them; `{ judge: … }` is one in words. */
  readonly acceptance?: readonly JsonObject[];
}

/** What a procedure rests on, as it was when it was learned; people's own say only the names. */
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

/** A value that a goal gives: what stands in its place when goals are compared. */
export interface GoalSlot {
  readonly name: string;
  readonly kind: 'quoted' | 'path' | 'url' | 'number' | 'date';
  readonly value: string;
}

/** A goal without its values: goals with the same key are of the same kind. */
export interface GoalKind {
  readonly key: string;
  /** The kind in words, with `{{slot}}` for each value. */
  readonly phrase: string;
  readonly slots: readonly GoalSlot[];
}

/** A call that a run made and that succeeded. */
export interface ExecutedCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** Whether it changed something. */
  readonly effects: boolean;
}

/** What an execution cost and how smoothly it went. */
interface ExecutionFigures {
  /** From start to end by the ledger's times, without the time in which it waited for a person. */
  readonly activeMs: number;
  readonly rejections: number;
  /** How often a person was asked: approvals and questions. */
  readonly approvals: number;
  readonly refusals: number;
}

/** A person's word against an execution. */
export type Objection = 'corrected' | 'undone' | 'edited';

/** A goal that was pursued to its end, as the ledger tells it. */
export interface Execution extends ExecutionFigures {
  readonly run: string;
  /** Equal for a run, what was resumed from it and what was forked from it. */
  readonly line: string;
  readonly resumedFrom?: string;
  readonly goal: string;
  readonly kind: GoalKind;
  readonly outcome: 'completed' | 'failed' | 'cancelled';
  readonly failureCode?: string;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
  readonly calls: readonly ExecutedCall[];
  /** Tools whose calls failed or were refused on the way, with the codes. */
  readonly setbacks: readonly string[];
  /** What the critic checked by looking, in its own form. */
  readonly criteria: readonly JsonObject[];
  readonly objections: readonly Objection[];
  /** It read the words of strangers, so that nothing is learned from it. */
  readonly untrusted: boolean;
  /** The procedures that it was shown or told to follow. */
  readonly offered: readonly string[];
}

/** Several executions, as figures for each of them. */
export interface Figures {
  readonly executions: number;
  readonly runs: readonly string[];
  readonly medianMs: number | null;
  readonly rejections: number;
  readonly approvals: number;
  readonly refusals: number;
}

/** What a change of a procedure's status rests on. */
export interface ProcedureEvidence {
  /** Done with it, after it was offered. */
  readonly with: Figures;
  /** The same kind of goal, done without it. */
  readonly without: Figures;
}

/** Why a procedure was taken back. */
export interface DemotionReason {
  readonly kind: 'tool_changed' | 'file_changed' | 'contradicted' | 'evidence_erased';
  /** The tool, the file or the run. */
  readonly subject: string;
  readonly detail: string;
}

/** A learned procedure as its events tell it. */
export interface LearnedProcedure {
  readonly id: string;
  readonly status: Exclude<ProcedureStatus, 'given'>;
  /** Undefined when its content was erased. */
  readonly procedure?: Procedure;
  readonly kindKey?: string;
  /** The independent executions that it was learned from. */
  readonly precedents: readonly string[];
  readonly evidence: ProcedureEvidence;
  readonly reason?: DemotionReason;
  readonly proposedAt: EpochMs;
  readonly changedAt: EpochMs;
  /** Only what ended later counts. */
  readonly since: EpochMs;
  readonly contradictedAt?: EpochMs;
  /** Where its content stands in the stream. */
  readonly index: number;
}

export type ProcedureErrorCode = 'procedures.unknown' | 'procedures.not_learned' | 'procedures.ambiguous';
