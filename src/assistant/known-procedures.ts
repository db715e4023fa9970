import type { Evidence, Recall } from '../engine/index.ts';
import type { Json, JsonObject } from '../kernel/index.ts';
import { asObject } from './progress.ts';

/** A step of a procedure that people wrote or that was learned. */
export interface ProcedureStep {
  readonly title: string;
  /** The one call that the step is; without it an agent finds out from the title. */
  readonly tool?: string;
  readonly input?: Json;
  /** Criteria as a task has them; those that are none are left out. */
  readonly acceptance?: readonly Json[];
}

/** A known way to reach a kind of goal, as far as planning needs it. */
export interface KnownProcedure {
  readonly id: string;
  readonly name: string;
  readonly origin: 'built_in' | 'file' | 'promoted';
  readonly trigger: { readonly phrases: readonly string[]; readonly words: readonly string[] };
  readonly steps: readonly ProcedureStep[];
}

/** Finds procedures that may fit a goal, best first. */
export interface AssistantProcedures {
  find(goal: string, limit: number): Promise<readonly KnownProcedure[]>;
}

/** Nothing was written or learned. */
export const NO_PROCEDURES: AssistantProcedures = { find: async () => [] };

/** The name under which procedures stand among the evidence. */
const PROCEDURES = 'assistant.procedures';
const MOST_RECALLED = 3;

/**
 * Recalls the procedures that may fit the goal of an assistant's run. They are recorded when the run begins, so that it is
 * planned the same way when it is resumed or replayed, whatever becomes of them.
 */
export function recallProcedures(procedures: AssistantProcedures): Recall {
  return {
    recall: async ({ goal, kind }) => {
      if (kind !== 'assistant') return [];
      const found = await procedures.find(goal, MOST_RECALLED);
      if (found.length === 0) return [];
      const output = JSON.parse(JSON.stringify({ procedures: found })) as JsonObject;
      return [{ step: 0, state: 'plan', source: 'recall', tool: PROCEDURES, output }];
    },
  };
}

/** The procedures that were recalled for a run. */
export function recalledProcedures(evidence: readonly Evidence[]): readonly KnownProcedure[] {
  return evidence
    .filter(({ source, tool }) => source === 'recall' && tool === PROCEDURES)
    .flatMap(({ output }) => {
      const { procedures } = asObject(output);
      return Array.isArray(procedures) ? (procedures as unknown as readonly KnownProcedure[]) : [];
    });
}
