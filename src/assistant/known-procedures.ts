import type { Evidence, Recall } from '../engine/index.ts';
import { asObject, type Json, type JsonObject } from '../kernel/index.ts';

/** A step of a written or learned procedure. */
export interface ProcedureStep {
  readonly title: string;
  /** The single call of this step. Without it, an agent works from the title. */
  readonly tool?: string;
  readonly input?: Json;
  /** Acceptance criteria of the task; invalid ones are skipped. */
  readonly acceptance?: readonly Json[];
}

/** The part of a procedure that planning needs. */
export interface KnownProcedure {
  readonly id: string;
  readonly name: string;
  readonly origin: 'built_in' | 'file' | 'promoted';
  readonly trigger: { readonly phrases: readonly string[]; readonly words: readonly string[] };
  readonly steps: readonly ProcedureStep[];
}

/** Finds procedures that may match a goal, best first. */
export interface AssistantProcedures {
  find(goal: string, limit: number): Promise<readonly KnownProcedure[]>;
}

export const NO_PROCEDURES: AssistantProcedures = { find: async () => [] };

/** The tool name of recalled procedures in the evidence. */
export const PROCEDURES = 'assistant.procedures';
export const MAX_RECALLED = 3;

/**
 * Recalls procedures that may match an assistant run's goal. They are recorded at the start, so that a resumed or replayed run
 * is planned the same way even if they change.
 */
export function recallProcedures(procedures: AssistantProcedures): Recall {
  return {
    recall: async ({ goal, kind }) => {
      if (kind !== 'assistant') return [];
      const found = await procedures.find(goal, MAX_RECALLED);
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
