import type { JsonObject } from '../../kernel/index.ts';
import { canonicalJson } from '../../kernel/index.ts';
import type { EventDraft, Projection, TableSpec } from '../../ledger/index.ts';

import type { RetentionReport } from './ports.ts';

/** Who signs what maintenance writes; such events are no reason for more of it. */
export const MAINTENANCE = 'maintenance';
/** The stream that says how far maintenance has come. */
export const MAINTENANCE_STREAM = 'maintenance';

/** Words of a person that were looked at, and the facts that came of them. */
export interface DistilledSource {
  readonly place: string;
  readonly facts: readonly string[];
}

/** Says which words were looked at; in one commit with the facts that came of them. */
export function wordsDistilled(sources: readonly DistilledSource[]): EventDraft {
  return { type: 'words.distilled', data: { sources } as unknown as JsonObject };
}

/** Says that everything up to this place of the ledger was looked after. */
export function maintenanceCompleted(through: number): EventDraft {
  return { type: 'maintenance.completed', data: { through } };
}

/** Says that what retention took out of the database until now is gone from mirror and artifacts as well. */
export function retentionApplied(report: RetentionReport): EventDraft {
  return { type: 'retention.applied', data: { ...report } };
}

const DISTILLED: TableSpec = {
  name: 'distilled',
  columns: { place: 'text', facts: 'json' },
  key: ['place'],
};

const MARKS: TableSpec = {
  name: 'maintenance_marks',
  columns: { name: 'text', through: 'integer', at: 'integer' },
  key: ['name'],
};

/** The tables that answer "was this looked at before" and "how far did maintenance come". */
export const maintenanceProjection: Projection = {
  name: 'maintenance',
  tables: [DISTILLED, MARKS],
  types: new Set(['words.distilled', 'maintenance.completed', 'retention.applied']),
  apply(event) {
    if (event.type === 'retention.applied')
      return [{ table: MARKS.name, put: { name: 'retained', through: event.seq, at: event.at } }];
    if (event.type === 'maintenance.completed') {
      const row = { name: 'completed', through: event.data['through'] as number, at: event.at };
      return [{ table: MARKS.name, put: row }];
    }
    const { sources } = event.data as unknown as { readonly sources: readonly DistilledSource[] };
    return sources.map(({ place, facts }) => ({
      table: DISTILLED.name,
      put: { place, facts: canonicalJson(facts) },
    }));
  },
};
