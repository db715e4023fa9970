import type { RunAnswer } from '../../api/index.ts';
import type { Engine, RunId, RunState } from '../../engine/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

/** What finding a blocker needs of the workspace; a `Workbench` has it all. */
export interface BlockerBench {
  readonly reading: () => Promise<Pick<Engine, 'load'>>;
  readonly ledger: () => Pick<OpenLedger, 'runs'>;
  readonly answer: (run: RunState) => RunAnswer;
}

/** A goal that waits for a task waits for what that task waits for. */
export async function withBlocker(bench: BlockerBench, answer: RunAnswer): Promise<RunAnswer> {
  if (answer.run.kind !== 'assistant' || answer.run.waitingFor?.what !== 'children') return answer;
  const engine = await bench.reading();
  for (const { id } of await bench.ledger().runs.list({ root: answer.run.id as RunId, status: 'waiting' })) {
    const { waitingFor } = bench.answer(await engine.load(id)).run;
    if (waitingFor === undefined || waitingFor.what === 'children') continue;
    const detail = `a task, the run ${id}, waits: ${waitingFor.detail}`;
    return { ...answer, run: { ...answer.run, waitingFor: { ...waitingFor, detail } } };
  }
  return answer;
}
