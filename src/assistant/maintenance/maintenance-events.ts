import { canonicalJson, type JsonObject } from '../../kernel/index.ts';
import type { EventDraft, Projection, TableSpec } from '../../ledger/index.ts';
import type { RetentionReport } from './ports.ts';

/** The actor of events that maintenance writes; they do not trigger more maintenance. */
export const MAINTENANCE = 'maintenance';
/** The stream of maintenance progress. */
export const MAINTENANCE_STREAM = 'maintenance';

/** Processed words of a person, and the facts derived from them. */
export interface DistilledSource {
  readonly place: string;
  readonly facts: readonly string[];
}

/** Marks words as processed; committed together with their facts. */
export function wordsDistilled(sources: readonly DistilledSource[]): EventDraft {
  return { type: 'words.distilled', data: { sources } as unknown as JsonObject };
}

/** Marks the ledger as processed up to this position. */
export function maintenanceCompleted(through: number): EventDraft {
  return { type: 'maintenance.completed', data: { through } };
}

/** Marks that everything retention removed from the database is also gone from mirror and artifacts. */
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

/** Tables of processed words and of maintenance progress. */
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
