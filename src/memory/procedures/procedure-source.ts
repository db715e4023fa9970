import { canonicalJson, isOkaError, type JsonObject } from '../../kernel/index.ts';
import type { PackSource } from '../pack/types.ts';
import type { Procedures } from './procedures.ts';
import type { Procedure } from './types.ts';

const MAX_PROCEDURES = 3;

/** Offers procedures that fit a goal to context packs. The record names them by id. */
export function procedureSource(procedures: Pick<Procedures, 'find' | 'show'>): PackSource {
  return {
    name: 'procedures',
    candidates: async ({ goal, limit }) => {
      const found = await procedures.find(goal, Math.min(MAX_PROCEDURES, limit));
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

/** Describes a procedure for a model or a user. */
function describeProcedure(procedure: Procedure): string {
  const { name, description, trigger, steps, pitfalls, checklist } = procedure;
  return [
    `${name}: for goals such as "${trigger.phrases[0] ?? name}".`,
    ...(description === undefined ? [] : [description]),
    ...steps.map(
      ({ title, acceptance }, i) =>
        `${i + 1}. ${title}${acceptance === undefined ? '' : ` (accepted when: ${acceptance.map(describeCriterion).join('; ')})`}`,
    ),
    ...(pitfalls.length === 0 ? [] : [`Known pitfalls: ${pitfalls.join('; ')}.`]),
    ...(checklist.length === 0 ? [] : [`Check at the end: ${checklist.join('; ')}.`]),
  ].join('\n');
}

function describeCriterion(criterion: JsonObject): string {
  const { judge } = criterion;
  return typeof judge === 'string' ? judge : canonicalJson(criterion);
}
