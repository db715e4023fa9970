import type { ApprovalView, OkaApi, RunAnswer } from '../api/index.ts';
import type { Context } from './context.ts';
import { type ExitCode, exitOfRun } from './exit-codes.ts';
import { showApproval, showRun } from './format.ts';
import { visible } from './printer.ts';

/** How long a command waits for a timer before it leaves the run parked. */
export const PATIENCE_MS = 60_000;

const LATER = Symbol('later');

export type Decision =
  | { readonly kind: 'answer'; readonly answer: string }
  | { readonly kind: 'allow'; readonly remember: boolean }
  | { readonly kind: 'deny' };

/** Prints a run. On a terminal, first prompts for pending approvals and continues the run. */
export async function finishWithRun(context: Context, first: RunAnswer): Promise<ExitCode> {
  const api = await context.open();
  let answer = first;
  while (
    context.canPrompt &&
    answer.run.waitingFor?.approval !== undefined &&
    answer.run.status === 'waiting'
  ) {
    const approval = await api.approvals.show(answer.run.waitingFor.approval);
    const decision = await promptForDecision(context, approval, { first: 'once' });
    if (decision === undefined) break;
    const decided = await applyDecision(context, api, approval, decision);
    // The approval may belong to a task, whose goal has continued meanwhile.
    answer = decided.run.id === first.run.id ? decided : await api.runs.show(first.run.id);
  }
  context.printer.answer(answer, showRun);
  return exitOfRun(answer.run);
}

/** Shows an approval in full and prompts. Undefined means later. `first` is the choice of a bare Enter. */
export async function promptForDecision(
  context: Context,
  approval: ApprovalView,
  { first }: { readonly first: 'once' | 'later' },
): Promise<Decision | undefined> {
  const { isCancel, select, text } = await import('@clack/prompts');
  const { output } = context.printer;
  output.write(`${showApproval(approval)}\n`);
  if (approval.kind !== 'tool') {
    const message = visible(approval.question ?? 'Your answer');
    const answer = approval.options
      ? await select<string | typeof LATER>({
          message,
          options: [
            ...approval.options.map((value) => {
              const does = approval.answers?.[value];
              return { value, label: visible(does === undefined ? value : `${value}: ${does}`) };
            }),
            ...(first === 'later' ? [{ value: LATER, label: 'Decide later' } as const] : []),
          ],
          ...(first === 'later' ? { initialValue: LATER } : {}),
          output,
        })
      : await text({ message, output });
    return isCancel(answer) || answer === LATER ? undefined : { kind: 'answer', answer: answer ?? '' };
  }
  const choice = await select({
    message: `Allow ${approval.tool} with exactly these arguments?`,
    options: [
      { value: 'once', label: 'Yes, once' },
      ...(isRemembered(approval)
        ? [{ value: 'exact' as const, label: 'Yes, and remember it for these arguments for 30 days' }]
        : []),
      { value: 'deny', label: 'No' },
      { value: 'later', label: 'Decide later' },
    ],
    initialValue: first,
    output,
  });
  if (isCancel(choice) || choice === 'later') return undefined;
  return choice === 'deny' ? { kind: 'deny' } : { kind: 'allow', remember: choice === 'exact' };
}

/** The facts of an approval say if it cannot be remembered. */
function isRemembered({ known = [] }: ApprovalView): boolean {
  return !known.some((fact) => fact.startsWith('Not remembered'));
}

export function applyDecision(
  context: Context,
  api: OkaApi,
  { id, argumentsHash }: ApprovalView,
  decision: Decision,
): Promise<RunAnswer> {
  if (decision.kind === 'deny') return api.approvals.deny(id, context.by);
  const request = { id, by: context.by, signal: context.interrupted };
  if (decision.kind === 'answer')
    return api.approvals.approve({ ...request, answer: decision.answer }, PATIENCE_MS);
  const seen = argumentsHash === undefined ? {} : { argumentsHash };
  const remember = decision.remember ? { remember: 'exact' as const } : {};
  return api.approvals.approve({ ...request, ...seen, ...remember }, PATIENCE_MS);
}
