import type { Row } from '../../ledger/index.ts';
import type { DemotionReason, LearnedProcedure, Procedure, ProcedureEvidence } from './types.ts';

/** A learned procedure from its row of the folded table. */
export function toLearnedProcedure(row: Row): LearnedProcedure {
  const procedure = parsed<Procedure>(row['definition']);
  const kindKey = row['kind_key'] as string | null;
  const reason = parsed<DemotionReason>(row['reason']);
  const validatedAt = row['validated_at'] as number | null;
  const contradictedAt = row['contradicted_at'] as number | null;
  return {
    id: row['id'] as string,
    status: row['status'] as LearnedProcedure['status'],
    ...(procedure === undefined
      ? {}
      : { procedure: validatedAt === null ? procedure : { ...procedure, lastValidatedAt: validatedAt } }),
    ...(kindKey === null ? {} : { kindKey }),
    precedents: parsed<readonly string[]>(row['precedents']) ?? [],
    evidence: parsed<ProcedureEvidence>(row['evidence']) as ProcedureEvidence,
    ...(reason === undefined ? {} : { reason }),
    proposedAt: row['proposed_at'] as number,
    changedAt: row['changed_at'] as number,
    since: row['since'] as number,
    ...(contradictedAt === null ? {} : { contradictedAt }),
    index: row['idx'] as number,
  };
}

function parsed<Value>(column: Row[string]): Value | undefined {
  return typeof column === 'string' ? (JSON.parse(column) as Value) : undefined;
}
