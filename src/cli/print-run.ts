// Owns: how a command ends that worked on a run: the answer on stdout, everything else on stderr.
import { type Json, outputText, type RunAnswer, type RunView, requestLine } from '../api/index.ts';
import type { Context } from './context.ts';
import { showDollars, showDuration, showRunId, showSimulatedRun } from './format.ts';
import { type Printer, visible } from './printer.ts';
import { showElapsed } from './spinner.ts';

interface PrintOptions {
  /** The answer is on the screen already. */
  readonly isShown?: boolean;
  /** Calls that may have done part of their work. */
  readonly interrupted?: readonly string[];
  readonly show?: (answer: RunAnswer) => string;
}

/** Prints the answer, and how the run ended. */
export async function printRun(
  context: Context,
  answer: RunAnswer,
  { isShown = false, interrupted = [], show }: PrintOptions = {},
): Promise<void> {
  const { printer } = context;
  const { run, output } = answer;
  if (printer.json) return printer.answer(answer, () => '');
  const text = isShown ? '' : await answerText(printer, answer, show);
  // On a terminal, empty lines set the answer apart from what was done.
  const isApart = process.stdout.isTTY === true && (isShown || text !== '');
  if (isApart && text !== '') printer.message('');
  if (text !== '' || (output !== null && !isShown)) printer.answer(answer, () => text);
  if (isApart) printer.message('');
  if (run.resumedFrom !== undefined)
    printer.message(`  Run ${showRunId(run.id)} continues ${showRunId(run.resumedFrom)}.`);
  printEnd(context, run, interrupted);
}

async function answerText(
  printer: Printer,
  answer: RunAnswer,
  show: ((answer: RunAnswer) => string) | undefined,
): Promise<string> {
  const { run, output } = answer;
  if (show !== undefined) return show(answer);
  if (run.simulated) return showSimulatedRun(answer);
  if (output === null) return '';
  const text = outputText(output);
  if (process.stdout.isTTY !== true || !isMarkdown(output)) return visible(text);
  const { renderMarkdown } = await import('./render-markdown.ts');
  const { markdownOptions } = await import('./answer-stream.ts');
  return renderMarkdown(text, markdownOptions(printer));
}

/** Texts of models and reports. The content of files and tables are shown as they are. */
function isMarkdown(output: Json): boolean {
  if (typeof output === 'string') return true;
  return output !== null && typeof output === 'object' && !Array.isArray(output) && 'report' in output;
}

function printEnd(context: Context, run: RunView, interrupted: readonly string[]): void {
  const { printer } = context;
  const { green, red, yellow, dim } = printer.colors;
  const id = showRunId(run.id);
  if (run.lostModel !== undefined) printLostModel(printer, run.lostModel);
  if (run.failure !== undefined) {
    const code = printer.verbose ? ` (${run.failure.code})` : '';
    printer.problem(red('✗'), `${run.failure.message}${code}`);
    if ((run.budgets.used['steps'] ?? 0) > 0 && !run.simulated)
      printer.message(dim(`  why: oka runs explain ${id} · try again: oka runs resume ${id}`));
  } else if (run.outcome === 'partial' || run.outcome === 'unproven') {
    const word = run.outcome === 'partial' ? 'Done in part' : 'Not proven';
    printer.problem(yellow('■'), `${word}: ${visible(run.because?.join('; ') ?? '')}`);
    printer.message(`  ${dim('·')} ${summary(run)}`);
  } else if (run.status === 'completed') printer.message(`  ${green('✓')} ${summary(run)}`);
  else if (context.interrupted.aborted && !run.simulated) printStopped(printer, run, interrupted);
  else if (run.waitingFor !== undefined) printWaits(context, run);
  else if (run.status === 'paused') {
    printer.problem(yellow('■'), 'Paused.');
    printer.message(`  Continue: oka runs resume ${id}`);
  } else {
    printer.problem(yellow('■'), `Not finished (${run.status}).`);
    printer.message(`  Continue: oka runs resume ${id}`);
  }
}

function printLostModel(printer: Printer, { model, message }: NonNullable<RunView['lostModel']>): void {
  const { yellow } = printer.colors;
  printer.problem(yellow('■'), `Done by rules, without the model ${visible(model)}: ${visible(message)}`);
}

/** Such as "done in 1 min 12 s · 18 steps · $0.08 · undo: oka runs undo 01j…". */
function summary(run: RunView): string {
  const { steps = 0, cost_usd: cost = 0, assumed_cost_usd: assumed = 0 } = run.budgets.used;
  const id = showRunId(run.id);
  // A run may have waited for days before this command continued it.
  const startedAt = Math.max(run.startedAt, performance.timeOrigin);
  if (run.state === 'planned') return 'planned · nothing was done · to do it, omit --plan-only';
  return [
    `${run.simulated ? 'simulated' : 'done'} in ${showWork((run.endedAt ?? startedAt) - startedAt)}`,
    `${steps} ${steps === 1 ? 'step' : 'steps'}`,
    ...(cost > 0 ? [`${showDollars(cost)}${assumed > 0 ? ' at an assumed price' : ''}`] : []),
    ...(run.simulated ? ['nothing was changed'] : []),
    run.undoable ? `undo: oka runs undo ${id}` : `run ${id}`,
  ].join(' · ');
}

function showWork(ms: number): string {
  return ms < 10_000 ? showDuration(Math.max(0, ms)) : showElapsed(Math.round(ms / 1_000));
}

function printStopped(printer: Printer, run: RunView, interrupted: readonly string[]): void {
  const steps = run.budgets.used['steps'] ?? 0;
  const id = showRunId(run.id);
  const undo = run.undoable ? `   ·   undo: oka runs undo ${id}` : '';
  const after = steps === 0 ? 'before the first step' : `after step ${steps}`;
  const state =
    interrupted.length === 0
      ? 'Nothing is half-done: every change is on record.'
      : `Interrupted, may be half-done: ${interrupted.join(', ')}.`;
  printer.message(`\n  Stopped ${after}. ${visible(state)}`);
  printer.message(`  Continue: oka runs resume ${id}${undo}`);
}

/** Every reason to wait, with the command that continues it. */
function printWaits({ printer, usesDaemon }: Context, { waitingFor, blockers }: RunView): void {
  const waits = blockers ?? (waitingFor === undefined ? [] : [waitingFor]);
  for (const { what, detail, next, request, until } of waits) {
    const sign = what === 'approval' || what === 'answer' ? '?' : '…';
    const text = what === 'approval' && request !== undefined ? `Approve: ${requestLine(request)}` : detail;
    printer.problem(printer.colors.yellow(sign), text);
    if (until === undefined || request !== undefined) printer.message(`  Next: ${visible(next)}`);
    else if (usesDaemon) printer.message('  The daemon continues it then.');
    else printer.message(`  It continues by itself while a daemon runs: oka up. By hand: ${visible(next)}`);
  }
}
