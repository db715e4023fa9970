import { canonicalJson, type EpochMs, type Json } from '../../kernel/index.ts';
import {
  eventDrafts,
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type Row,
  type RowChange,
  type TableSpec,
} from '../../ledger/index.ts';
import type { DemotionReason, LearnedProcedure, Procedure, ProcedureEvidence } from './types.ts';

const TABLE = 'procedures';

const PROCEDURES: TableSpec = {
  name: TABLE,
  columns: {
    id: 'text',
    idx: 'integer',
    status: 'text',
    kind_key: 'text',
    definition: 'json',
    precedents: 'json',
    evidence: 'json',
    reason: 'json',
    proposed_at: 'integer',
    changed_at: 'integer',
    validated_at: 'integer',
    since: 'integer',
    contradicted_at: 'integer',
  },
  key: ['id'],
  indexes: [['idx']],
};

const LEARNED = ['candidate', 'promoted', 'demoted'];

/** The table of learned procedures. */
export const procedureProjection: Projection = {
  name: 'procedures',
  tables: [PROCEDURES],
  types: new Set([
    'procedure.proposed',
    'procedure.promoted',
    'procedure.demoted',
    'procedure.forgotten',
    'body.erased',
    'ledger.adopted',
  ]),
  apply(event) {
    if (event.type === 'body.erased') {
      return namedAddresses(event.data)
        .filter(({ stream }) => stream === PROCEDURE_STREAM)
        .map(({ index }) => ({
          table: TABLE,
          patch: { kind_key: null, definition: null },
          where: { idx: index },
        }));
    }
    if (event.type === 'ledger.adopted') {
      const patch = { status: 'forgotten', changed_at: event.at };
      return LEARNED.map((status) => ({ table: TABLE, patch, where: { status } }));
    }
    return event.stream === PROCEDURE_STREAM ? changesOf(event) : [];
  },
};

function changesOf(event: LedgerEvent): readonly RowChange[] {
  const { at } = event;
  switch (event.type) {
    case 'procedure.proposed':
      return [proposed(event)];
    case 'procedure.promoted': {
      const { id, evidence, lastValidatedAt } = dataOf<'procedure.promoted'>(event);
      const patch = {
        status: 'promoted',
        evidence: json(evidence),
        reason: null,
        changed_at: at,
        validated_at: lastValidatedAt,
      };
      return [{ table: TABLE, patch, where: { id } }];
    }
    case 'procedure.demoted': {
      const { id, reason, evidence, since, contradictedAt } = dataOf<'procedure.demoted'>(event);
      const patch = {
        status: 'demoted',
        evidence: json(evidence),
        reason: json(reason),
        changed_at: at,
        since,
        ...(contradictedAt === undefined ? {} : { contradicted_at: contradictedAt }),
      };
      return [{ table: TABLE, patch, where: { id } }];
    }
    default: {
      const { id } = dataOf<'procedure.forgotten'>(event);
      return [{ table: TABLE, patch: { status: 'forgotten', changed_at: at }, where: { id } }];
    }
  }
}

/** An erased proposal keeps its row without content, so that it is not learned again. */
function proposed(event: LedgerEvent): RowChange {
  const { id, precedents, evidence, since, contradictedAt } = dataOf<'procedure.proposed'>(event);
  const body = event.body as unknown as ProcedureEventBodies['procedure.proposed'] | undefined;
  return {
    table: TABLE,
    put: {
      id,
      idx: event.index,
      status: 'candidate',
      kind_key: body?.kindKey ?? null,
      definition: body === undefined ? null : json(body.procedure),
      precedents: json(precedents),
      evidence: json(evidence),
      reason: null,
      proposed_at: event.at,
      changed_at: event.at,
      validated_at: null,
      since,
      contradicted_at: contradictedAt ?? null,
    },
  };
}

function dataOf<Type extends keyof ProcedureEventData>(event: LedgerEvent): ProcedureEventData[Type] {
  return event.data as unknown as ProcedureEventData[Type];
}

function json(value: unknown): string {
  return canonicalJson(value as Json);
}

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
