import type { EpochMs } from '../../kernel/index.ts';
import { eventDrafts } from '../../ledger/index.ts';
import type { DemotionReason, Procedure, ProcedureEvidence } from './types.ts';

/** The stream of all that becomes of learned procedures. */
export const PROCEDURE_STREAM = 'procedures';

/** The data of each event of that stream. */
export interface ProcedureEventData {
  'procedure.proposed': {
    id: string;
    precedents: readonly string[];
    evidence: ProcedureEvidence;
    /** Only what ended later counts from now on. */
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

/** What a person may want erased: all that comes from what runs were about. */
export interface ProcedureEventBodies {
  'procedure.proposed': { procedure: Procedure; kindKey: string };
}

/** A draft of an event about a procedure, checked against the tables above. */
export const procedureEvent = eventDrafts<ProcedureEventData, ProcedureEventBodies>();
