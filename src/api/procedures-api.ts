import * as z from 'zod';
import type { DemotionReason, Figures, ProcedureEvidence, ScoreReport } from '../memory/index.ts';
import {
  epochMs,
  flag,
  json,
  list,
  nothing,
  number,
  record,
  type SchemasOf,
  schemaOf,
  type TypeOf,
  text,
} from './schemas.ts';

const demotionReason = schemaOf<DemotionReason>()(
  z.object({
    kind: z.enum(['tool_changed', 'file_changed', 'contradicted', 'evidence_erased']),
    subject: text,
    detail: text,
  }),
);

/** Steps for a kind of goal. */
const procedureView = z.object({
  id: text,
  name: text,
  origin: z.enum(['built_in', 'file', 'promoted']),
  /** `given`: shipped or written by users; all others are learned. */
  status: z.enum(['given', 'candidate', 'promoted', 'demoted', 'forgotten']),
  description: text.exactOptional(),
  trigger: z.object({ phrases: list(text), words: list(text) }),
  steps: list(
    z.object({
      title: text,
      tool: text.exactOptional(),
      input: record(json).exactOptional(),
      acceptance: list(record(json)).exactOptional(),
    }),
  ),
  pitfalls: list(text),
  checklist: list(text),
  lastValidatedAt: epochMs.exactOptional(),
  basis: z.object({
    files: list(z.object({ path: text, version: text.exactOptional() })),
    tools: list(z.object({ name: text, digest: text.exactOptional() })),
  }),
  /** The file of a procedure written by a user. */
  path: text.exactOptional(),
  /** Why it was demoted. */
  reason: demotionReason.exactOptional(),
});
export type ProcedureView = TypeOf<typeof procedureView>;

const figures = schemaOf<Figures>()(
  z.object({
    executions: number,
    runs: list(text),
    medianMs: number.nullable(),
    rejections: number,
    approvals: number,
    refusals: number,
  }),
);

const procedureEvidence = schemaOf<ProcedureEvidence>()(z.object({ with: figures, without: figures }));

const procedureListAnswer = z.object({
  procedures: list(procedureView),
  /** Problems in procedure files. */
  faults: list(z.object({ path: text, line: number, message: text, next: text })),
  /** Kinds of goals with several runs but no procedure yet. */
  forming: list(z.object({ goals: text, finished: number, independent: number, needed: number })),
  /** False if files of the project were ignored, because it is not trusted. */
  trusted: flag,
});
export type ProcedureListAnswer = TypeOf<typeof procedureListAnswer>;

const procedureExplainAnswer = z.object({
  procedure: procedureView,
  /** Only for learned procedures. */
  evidence: procedureEvidence.exactOptional(),
  /** The runs that it was learned from. */
  precedents: list(text),
  contradictions: list(z.object({ run: text, why: text })),
  /** Why it is not promoted yet. */
  waitsFor: list(text),
  history: list(
    z.object({
      at: epochMs,
      what: text,
      reason: demotionReason.exactOptional(),
      evidence: procedureEvidence.exactOptional(),
    }),
  ),
});
export type ProcedureExplainAnswer = TypeOf<typeof procedureExplainAnswer>;

const foundProcedureView = z.object({
  procedure: procedureView,
  score: number,
  why: text,
  executable: flag,
});
export type FoundProcedureView = TypeOf<typeof foundProcedureView>;

const scoreReport = schemaOf<ScoreReport>()(
  z.object({ scored: number, proposed: list(text), promoted: list(text), demoted: list(text) }),
);

export interface ProceduresApi {
  list(): Promise<ProcedureListAnswer>;
  /** By id, or by unique name. */
  show(procedure: string): Promise<ProcedureView>;
  explain(procedure: string): Promise<ProcedureExplainAnswer>;
  find(goal: string, limit: number): Promise<readonly FoundProcedureView[]>;
  /** Learns from recorded runs, promotes and demotes. Writes nothing if nothing is new. */
  score(by: string): Promise<ScoreReport>;
  /** Erases a learned procedure. It is never learned again. */
  forget(procedure: string, by: string): Promise<void>;
}

export const proceduresSchemas: SchemasOf<ProceduresApi> = {
  list: [[], procedureListAnswer],
  show: [[{ procedure: text }], procedureView],
  explain: [[{ procedure: text }], procedureExplainAnswer],
  find: [[{ goal: text }, { limit: number }], list(foundProcedureView)],
  score: [[{ by: text }], scoreReport],
  forget: [[{ procedure: text }, { by: text }], nothing],
};
