import type { ApprovalSummary, RunSummary } from '../../engine/index.ts';
import type { TaskGraphView } from '../task-graph-of.ts';
import { minuteOf, quoteText, section } from './quote-text.ts';

const MAX_FAILED = 20;

interface OpenWork {
  /** Unfinished root runs, oldest first. */
  readonly open: readonly RunSummary[];
  readonly approvals: readonly ApprovalSummary[];
  /** The task graphs of open runs of the assistant. */
  readonly graphs: readonly TaskGraphView[];
  /** Failed runs that were not resumed, newest first. */
  readonly failed: readonly RunSummary[];
}

/** Renders the page of open work; each line ends with the command to continue. */
export function renderTodos({ open, approvals, graphs, failed }: OpenWork): string {
  const waiting = new Set(approvals.map(({ run }) => run as string));
  const parked = open.filter(({ id, status }) => status !== 'running' && !waiting.has(id));
  const tasks = graphs.flatMap(({ run, tasks: all }) =>
    all
      .filter(({ status }) => status !== 'done')
      .map((task) => `${quoteText(task.title)}: ${task.status} (${command(`oka runs show ${run}`)})`),
  );
  const lines = [
    ...section('Waiting for approval', approvals.map(askedLine)),
    ...section('Parked', parked.map(parkedLine)),
    ...section(
      'Running',
      open
        .filter(({ status }) => status === 'running')
        .map(({ id, goal }) => `${quoteText(goal)} (${command(`oka runs show ${id}`)})`),
    ),
    ...section('Open tasks', tasks),
    ...section('Failed, not resumed', failed.slice(0, MAX_FAILED).map(failedLine)),
  ];
  return ['# Open work', '', ...(lines.length === 0 ? ['Nothing is open.', ''] : lines)].join('\n');
}

function askedLine(approval: ApprovalSummary): string {
  const { id, kind, tool, question, run, requestedAt, expiresAt } = approval;
  const what = kind === 'tool' ? `may ${quoteText(tool ?? '')} be called?` : quoteText(question ?? '');
  const next = kind === 'tool' ? `oka approvals approve ${id}` : `oka approvals approve ${id} --answer …`;
  return `${what} Requested ${minuteOf(requestedAt)}, expires ${minuteOf(expiresAt)}, run ${quoteText(run)} (${command(next)})`;
}

function parkedLine({ id, goal, status, startedAt }: RunSummary): string {
  return `${quoteText(goal)}: ${status}, started ${minuteOf(startedAt)} (${command(`oka runs resume ${id}`)})`;
}

function failedLine({ id, goal, failureCode, startedAt }: RunSummary): string {
  return `${quoteText(goal)}: ${quoteText(failureCode ?? 'failed')}, ${minuteOf(startedAt)} (${command(`oka runs resume ${id}`)})`;
}

function command(words: string): string {
  return quoteText(words);
}
