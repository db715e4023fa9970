import { recallProcedures } from '../../assistant/index.ts';
import type { Recall } from '../../engine/index.ts';
import { assistantProcedures, type ProceduresWorkbench } from '../memory/procedures.ts';
import type { Surroundings } from './surroundings.ts';

/** What runs are told when they begin: agents their brief, assistants the procedures that fit their goal. */
export async function recallAll(
  bench: ProceduresWorkbench,
  surroundings: Pick<Surroundings, 'agentRuns'>,
): Promise<Recall> {
  const parts: readonly Recall[] = [surroundings.agentRuns(), recallProcedures(assistantProcedures(bench))];
  return {
    recall: async (about) => (await Promise.all(parts.map((part) => part.recall(about)))).flat(),
  };
}
