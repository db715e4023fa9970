import * as z from 'zod';
import type { DerivedReport, RetentionReport } from '../assistant/index.ts';
import type { WorkerOutcome } from './daemon-api.ts';
import { runView } from './run-views.ts';
import { flag, list, live, nothing, number, type SchemasOf, schemaOf, type TypeOf, text } from './schemas.ts';

const derivedReport = schemaOf<DerivedReport>()(
  z.object({
    written: list(text),
    removed: list(text),
    unchanged: number,
    setAside: list(text),
    leftAlone: list(text),
  }),
);

const retentionReport = schemaOf<RetentionReport>()(
  z.object({ archivedRuns: number, erasedEpisodes: number, deletedArtifacts: number, freedBytes: number }),
);

const maintenanceReportView = z.object({
  distilled: z.object({ added: number, forgotten: number }),
  procedures: z.object({ scored: number, changed: list(text) }),
  facts: z.object({ joined: number, archived: number, pruned: number }),
  retention: retentionReport,
  files: derivedReport,
});
export type MaintenanceReportView = TypeOf<typeof maintenanceReportView>;

const maintenanceAnswer = z.object({
  /** `would_do`: a dry run. `busy`: another process runs maintenance. */
  outcome: z.enum(['done', 'not_done', 'nothing_changed', 'busy', 'would_do']),
  run: runView.exactOptional(),
  /** Missing if nothing was done. */
  report: maintenanceReportView.exactOptional(),
  wouldLearn: list(z.object({ text, source: text })).exactOptional(),
});
export type MaintenanceAnswer = TypeOf<typeof maintenanceAnswer>;

const maintainRequest = z.object({ dryRun: flag });

/** Maintenance of memory and of the files derived from the ledger. */
export interface MaintenanceApi {
  /** Runs maintenance as a run. Resumes an interrupted one first. */
  maintain(request: TypeOf<typeof maintainRequest>): Promise<MaintenanceAnswer>;
  /** Runs maintenance once a day until the signal aborts, unless nothing has changed. */
  loop(signal: AbortSignal, onOutcome: (outcome: WorkerOutcome) => void): Promise<void>;
}

export const maintenanceSchemas: SchemasOf<MaintenanceApi> = {
  maintain: [[maintainRequest], maintenanceAnswer],
  loop: [[live, live], nothing],
};
