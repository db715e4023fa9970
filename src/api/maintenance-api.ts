import type { WorkerOutcome } from './daemon-api.ts';
import type { RunView } from './run-views.ts';

/** What became of the derived files; paths are below `.oka`. */
export interface DerivedFilesView {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
  /** Files that a person had changed, as they are kept beside the new ones. */
  readonly setAside: readonly string[];
  /** Files that a person has changed again, and which were left alone. */
  readonly leftAlone: readonly string[];
}

/** What went because its retention was over, or would go. */
export interface RetentionView {
  readonly archivedRuns: number;
  readonly erasedEpisodes: number;
  readonly deletedArtifacts: number;
  readonly freedBytes: number;
}

export interface MaintenanceReportView {
  readonly distilled: { readonly added: number; readonly forgotten: number };
  readonly procedures: { readonly scored: number; readonly changed: readonly string[] };
  readonly facts: { readonly joined: number; readonly archived: number; readonly pruned: number };
  readonly retention: RetentionView;
  readonly files: DerivedFilesView;
}

export interface MaintenanceAnswer {
  /** `would_do`: a dry run. `busy`: another process is at it. */
  readonly outcome: 'done' | 'not_done' | 'nothing_changed' | 'busy' | 'would_do';
  readonly run?: RunView;
  /** What was done; missing where nothing was. */
  readonly report?: MaintenanceReportView;
  /** The facts that a dry run would learn. */
  readonly wouldLearn?: readonly { readonly text: string; readonly source: string }[];
}

/** Looking after memory and the files that are derived from the ledger. */
export interface MaintenanceApi {
  /** Does what there is to do, as a run; a run that was cut off before goes on first. */
  maintain(request: { readonly dryRun: boolean }): Promise<MaintenanceAnswer>;
  /** Does it once a day, and nothing when nothing has changed, until the signal aborts. */
  loop(signal: AbortSignal, onOutcome: (outcome: WorkerOutcome) => void): Promise<void>;
}
