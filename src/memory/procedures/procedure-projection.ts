import { canonicalJson, type Json } from '../../kernel/index.ts';
import {
  erasedAddresses,
  type LedgerEvent,
  type Projection,
  type RowChange,
  type TableSpec,
} from '../../ledger/index.ts';
import { PROCEDURE_STREAM, type ProcedureEventBodies, type ProcedureEventData } from './procedure-events.ts';

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
  ]),
  apply(event) {
    if (event.type === 'body.erased') {
      return erasedAddresses(event.data)
        .filter(({ stream }) => stream === PROCEDURE_STREAM)
        .map(({ index }) => ({
          table: TABLE,
          patch: { kind_key: null, definition: null },
          where: { idx: index },
        }));
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

/** What was erased leaves a row without content, so that the same is not learned again. */
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
