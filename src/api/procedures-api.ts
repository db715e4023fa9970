import type { EpochMs, Json } from '../kernel/index.ts';

/** A known way to reach a kind of goal. */
export interface ProcedureView {
  readonly id: string;
  readonly name: string;
  readonly origin: 'built_in' | 'file' | 'promoted';
  /** `given` ones were shipped or written by people; the others are learned. */
  readonly status: 'given' | 'candidate' | 'promoted' | 'demoted' | 'forgotten';
  readonly description?: string;
  readonly trigger: { readonly phrases: readonly string[]; readonly words: readonly string[] };
  readonly steps: readonly {
    readonly title: string;
    readonly tool?: string;
    readonly input?: Readonly<Record<string, Json>>;
    readonly acceptance?: readonly Readonly<Record<string, Json>>[];
  }[];
  readonly pitfalls: readonly string[];
  readonly checklist: readonly string[];
  readonly lastValidatedAt?: EpochMs;
  readonly basis: {
    readonly files: readonly { readonly path: string; readonly version?: string }[];
    readonly tools: readonly { readonly name: string; readonly digest?: string }[];
  };
  /** The file of one that people wrote. */
  readonly path?: string;
  /** Why it was taken back. */
  readonly reason?: DemotionView;
}

export interface DemotionView {
  readonly kind: 'tool_changed' | 'file_changed' | 'contradicted' | 'evidence_erased';
  readonly subject: string;
  readonly detail: string;
}

/** Executions, and the figures for each of them. */
export interface ExecutionFiguresView {
  readonly executions: number;
  readonly runs: readonly string[];
  readonly medianMs: number | null;
  readonly rejections: number;
  readonly approvals: number;
  readonly refusals: number;
}

export interface ProcedureEvidenceView {
  readonly with: ExecutionFiguresView;
  readonly without: ExecutionFiguresView;
}

export interface ProcedureListAnswer {
  readonly procedures: readonly ProcedureView[];
  /** What is wrong in people's files. */
  readonly faults: readonly {
    readonly path: string;
    readonly line: number;
    readonly message: string;
    readonly next: string;
  }[];
  /** Kinds of goals that were pursued several times and are not procedures. */
  readonly forming: readonly {
    readonly goals: string;
    readonly finished: number;
    readonly independent: number;
    readonly needed: number;
  }[];
  /** Without trust the project's own files are left out. */
  readonly trusted: boolean;
}

export interface ProcedureExplainAnswer {
  readonly procedure: ProcedureView;
  /** Only learned ones have figures. */
  readonly evidence?: ProcedureEvidenceView;
  /** The runs that it was learned from. */
  readonly precedents: readonly string[];
  readonly contradictions: readonly { readonly run: string; readonly why: string }[];
  /** Why it is not promoted yet. */
  readonly waitsFor: readonly string[];
  readonly history: readonly {
    readonly at: EpochMs;
    readonly what: string;
    readonly reason?: DemotionView;
    readonly evidence?: ProcedureEvidenceView;
  }[];
}

export interface FoundProcedureView {
  readonly procedure: ProcedureView;
  readonly score: number;
  readonly why: string;
  readonly executable: boolean;
}

/** What scoring has changed, by the ids. */
export interface ProcedureScoreAnswer {
  /** How many learned procedures are looked after. */
  readonly scored: number;
  readonly proposed: readonly string[];
  readonly promoted: readonly string[];
  readonly demoted: readonly string[];
}

/** What can be asked of procedures. */
export interface ProceduresApi {
  list(): Promise<ProcedureListAnswer>;
  /** By id, or by name where only one has it. */
  show(procedure: string): Promise<ProcedureView>;
  explain(procedure: string): Promise<ProcedureExplainAnswer>;
  find(goal: string, limit: number): Promise<readonly FoundProcedureView[]>;
  /** Learns from the runs of the ledger, promotes and takes back; nothing new writes nothing. */
  score(by: string): Promise<ProcedureScoreAnswer>;
  /** Erases a learned procedure; the same is not learned again. */
  forget(procedure: string, by: string): Promise<void>;
}
