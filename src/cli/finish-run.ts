import type { RunAnswer } from '../api/index.ts';
import type { Context } from './context.ts';
import { type ExitCode, exitOfRun } from './exit-codes.ts';
import { printRun } from './print-run.ts';
import { applyDecision, promptForDecision } from './prompt-decision.ts';
import { listenersOf, type RunWatch, watchRun } from './run-progress.ts';

export { PATIENCE_MS } from './prompt-decision.ts';

/** Prints the answer of a run. On a terminal, first prompts for pending approvals and continues the run. */
export async function finishWithRun(context: Context, first: RunAnswer, watch?: RunWatch): Promise<ExitCode> {
  const api = await context.open();
  let answer = first;
  while (
    context.canPrompt &&
    answer.run.waitingFor?.approval !== undefined &&
    answer.run.status === 'waiting'
  ) {
    const approval = await api.approvals.show(answer.run.waitingFor.approval);
    const decision = await promptForDecision(context, approval, { unasked: false });
    if (decision === undefined) break;
    const following = watch ?? (await watchRun(context));
    const decided = await applyDecision(
      context,
      api,
      approval,
      decision,
      undefined,
      listenersOf(following),
    ).finally(() => following.end());
    // The approval may belong to a task, whose goal has continued meanwhile.
    answer = decided.run.id === first.run.id ? decided : await api.runs.show(first.run.id);
  }
  await printRun(context, answer, {
    isShown: watch?.hasShown(answer) ?? false,
    interrupted: watch?.interrupted ?? [],
  });
  return exitOfRun(answer.run);
}
