import type { ApprovalSummary, RunSummary } from '../../engine/index.ts';
import type { TaskGraphView } from '../task-graph-of.ts';
import { minuteOf, quoteText, section } from './quote-text.ts';

const MOST_FAILED = 20;

/** Everything that is still to be done, and by whom. */
interface OpenWork {
  /** Runs that have not ended and that nobody else's run started, oldest first. */
  readonly open: readonly RunSummary[];
  readonly approvals: readonly ApprovalSummary[];
  /** The task graphs of open runs of the assistant. */
  readonly graphs: readonly TaskGraphView[];
  /** Runs that failed and that nobody has gone on with, newest first. */
  readonly failed: readonly RunSummary[];
}

/** The page of open work; each line ends with the command that goes on. */
export function renderTodos({ open, approvals, graphs, failed }: OpenWork): string {
  const waiting = new Set(approvals.map(({ run }) => run as string));
  const parked = open.filter(({ id, status }) => status !== 'running' && !waiting.has(id));
  const tasks = graphs.flatMap(({ run, tasks: all }) =>
    all
      .filter(({ status }) => status !== 'done')
      .map((task) => `${quoteText(task.title)}: ${task.status} (${command(`oka runs show ${run}`)})`),
  );
  const lines = [
    ...section('Waits for your word', approvals.map(askedLine)),
    ...section('Parked', parked.map(parkedLine)),
    ...section(
      'At work',
      open
        .filter(({ status }) => status === 'running')
        .map(({ id, goal }) => `${quoteText(goal)} (${command(`oka runs show ${id}`)})`),
    ),
    ...section('Open tasks', tasks),
    ...section('Failed, and not gone on with', failed.slice(0, MOST_FAILED).map(failedLine)),
  ];
  return ['# Open work', '', ...(lines.length === 0 ? ['Nothing is open.', ''] : lines)].join('\n');
}

function askedLine(approval: ApprovalSummary): string {
  const { id, kind, tool, question, run, requestedAt, expiresAt } = approval;
  const what = kind === 'tool' ? `may ${quoteText(tool ?? '')} be called?` : quoteText(question ?? '');
  const next = kind === 'tool' ? `oka approvals approve ${id}` : `oka approvals approve ${id} --answer …`;
  return `${what} Asked ${minuteOf(requestedAt)}, open until ${minuteOf(expiresAt)}, by the run ${quoteText(run)} (${command(next)})`;
}

function parkedLine({ id, goal, status, startedAt }: RunSummary): string {
  return `${quoteText(goal)}: ${status} since it began ${minuteOf(startedAt)} (${command(`oka runs resume ${id}`)})`;
}

function failedLine({ id, goal, failureCode, startedAt }: RunSummary): string {
  return `${quoteText(goal)}: ${quoteText(failureCode ?? 'failed')}, ${minuteOf(startedAt)} (${command(`oka runs resume ${id}`)})`;
}

function command(words: string): string {
  return quoteText(words);
}
