import type { EpochMs } from '../../kernel/index.ts';
import { eventDrafts } from '../../ledger/index.ts';
import type { DemotionReason, Procedure, ProcedureEvidence } from './types.ts';

export const PROCEDURE_STREAM = 'procedures';

export interface ProcedureEventData {
  'procedure.proposed': {
    id: string;
    precedents: readonly string[];
    evidence: ProcedureEvidence;
    /** Only executions that ended later count. */
    since: EpochMs;
    contradictedAt?: EpochMs | undefined;
  };
  'procedure.promoted': { id: string; evidence: ProcedureEvidence; lastValidatedAt: EpochMs };
  'procedure.demoted': {
    id: string;
    reason: DemotionReason;
    evidence: ProcedureEvidence;
    since: EpochMs;
    contradictedAt?: EpochMs | undefined;
  };
  'procedure.forgotten': { id: string; by: string };
}

/** The content that a user may erase: everything derived from runs. */
export interface ProcedureEventBodies {
  'procedure.proposed': { procedure: Procedure; kindKey: string };
}

export const procedureEvent = eventDrafts<ProcedureEventData, ProcedureEventBodies>();
