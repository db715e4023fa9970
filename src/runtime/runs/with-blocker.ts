import type { RunAnswer } from '../../api/index.ts';
import type { RunId } from '../../engine/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

/** Reports what a waiting task waits for as what its goal waits for. */
export async function withBlocker(
  services: Pick<WorkspaceServices, 'reading' | 'ledger' | 'answer'>,
  answer: RunAnswer,
): Promise<RunAnswer> {
  if (answer.run.kind !== 'assistant' || answer.run.waitingFor?.what !== 'children') return answer;
  const engine = await services.reading();
  for (const { id } of await services
    .ledger()
    .runs.list({ root: answer.run.id as RunId, status: 'waiting' })) {
    const { waitingFor } = services.answer(await engine.load(id)).run;
    if (waitingFor === undefined || waitingFor.what === 'children') continue;
    const detail = `a task, the run ${id}, waits: ${waitingFor.detail}`;
    return { ...answer, run: { ...answer.run, waitingFor: { ...waitingFor, detail } } };
  }
  return answer;
}
