import type { ApprovalView, OkaApi, RunAnswer } from '../api/index.ts';
import type { Context } from './context.ts';
import { type ExitCode, exitOfRun } from './exit-codes.ts';
import { showApproval, showRun } from './format.ts';
import { visible } from './printer.ts';

/** How long a command stays for a timer before it leaves the run parked. */
export const PATIENCE_MS = 60_000;

/** Answers with a run. Where a person is there, what the run waits for is asked first, and the run goes on. */
export async function finishWithRun(context: Context, first: RunAnswer): Promise<ExitCode> {
  const api = await context.open();
  let answer = first;
  while (context.mayAsk && answer.run.waitingFor?.approval !== undefined && answer.run.status === 'waiting') {
    const decided = await askPerson(context, api, await api.approvals.show(answer.run.waitingFor.approval));
    if (decided === undefined) break;
    answer = decided;
  }
  context.printer.answer(answer, showRun);
  return exitOfRun(answer.run);
}

async function askPerson(
  context: Context,
  api: OkaApi,
  approval: ApprovalView,
): Promise<RunAnswer | undefined> {
  const { isCancel, select, text } = await import('@clack/prompts');
  const { id } = approval;
  const { output } = context.printer;
  output.write(`${showApproval(approval)}\n`);
  if (approval.kind !== 'tool') {
    const message = visible(approval.question ?? 'Your answer');
    const answer = approval.options
      ? await select({
          message,
          options: approval.options.map((value) => ({ value, label: visible(value) })),
          output,
        })
      : await text({ message, output });
    return isCancel(answer)
      ? undefined
      : api.approvals.approve({ id, by: context.by, answer: answer ?? '' }, PATIENCE_MS);
  }
  const choice = await select({
    message: `Allow ${approval.tool} with exactly these arguments?`,
    options: [
      { value: 'once', label: 'Yes, once' },
      { value: 'exact', label: 'Yes, and remember for these arguments' },
      { value: 'deny', label: 'No' },
      { value: 'later', label: 'Decide later' },
    ],
    output,
  });
  if (isCancel(choice) || choice === 'later') return undefined;
  if (choice === 'deny') return api.approvals.deny(id, context.by);
  const seen = approval.argumentsHash === undefined ? {} : { argumentsHash: approval.argumentsHash };
  const remember = choice === 'exact' ? { remember: 'exact' as const } : {};
  return api.approvals.approve({ id, by: context.by, ...seen, ...remember }, PATIENCE_MS);
}
