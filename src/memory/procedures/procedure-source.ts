import { isOkaError } from '../../kernel/index.ts';
import type { PackSource } from '../pack/ports.ts';
import { describeProcedure } from './describe-procedure.ts';
import type { Procedures } from './procedures.ts';

const MOST = 3;

/** Brings the procedures that fit a goal to context packs. That they were shown stands on record by their ids. */
export function procedureSource(procedures: Pick<Procedures, 'find' | 'show'>): PackSource {
  return {
    name: 'procedures',
    candidates: async ({ goal, limit }) => {
      const found = await procedures.find(goal, Math.min(MOST, limit));
      return found.map(({ procedure, score }) => ({
        kind: 'procedure' as const,
        id: procedure.id,
        text: describeProcedure(procedure),
        score,
      }));
    },
    read: async ({ kind, id }) => {
      if (kind !== 'procedure') return undefined;
      try {
        return describeProcedure((await procedures.show(id)).procedure);
      } catch (error) {
        if (isOkaError(error, 'procedures.unknown')) return undefined;
        throw error;
      }
    },
  };
}
