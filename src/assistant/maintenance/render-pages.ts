import type { ApprovalSummary, RunSummary } from '../../engine/index.ts';
import type { Episode, Fact } from '../../memory/index.ts';
import type { TaskGraphView } from '../task-graph-of.ts';

const MAX_LENGTH = 300;

/** Quotes text as one line of inline code, so that it contains no Markdown and no invisible characters. */
export function quoteText(text: string, maxLength = MAX_LENGTH): string {
  const flat = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('`', "'")
    .trim();
  if (flat === '') return '(nothing)';
  const cut = flat.length > maxLength ? `${flat.slice(0, maxLength).toWellFormed().trimEnd()}…` : flat;
  return `\`${cut}\``;
}

/** A UTC time, to the minute. */
export function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** A Markdown list under a heading, cut after `max` lines. Empty lists give no section. */
export function section(heading: string, lines: readonly string[], max = 500): readonly string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > max ? [`- … and ${lines.length - max} more`] : [];
  return [`## ${heading}`, '', ...lines.slice(0, max).map((line) => `- ${line}`), ...rest, ''];
}

/** What happened on one UTC day. */
export interface DayPage {
  readonly runs: RunSummary[];
  readonly turns: Pick<Episode, 'text' | 'conversation' | 'at' | 'namespace'>[];
  readonly facts: Fact[];
}

export function renderDay(day: string, { runs, turns, facts }: DayPage): string {
  return [
    `# ${day}`,
    '',
    ...section('Runs', inOrder(runs, ({ startedAt }) => startedAt).map(runLine)),
    ...section('Turns', [...turns].sort((one, other) => one.at - other.at).map(turnLine)),
    ...section('Learned', inOrder(facts, ({ at }) => at).map(factLine)),
  ].join('\n');
}

function runLine(run: RunSummary): string {
  const { id, goal, status, failureCode, startedAt, endedAt } = run;
  const why = failureCode === undefined ? '' : ` (${quoteText(failureCode)})`;
  const took = endedAt === undefined ? '' : ` after ${Math.round((endedAt - startedAt) / 1_000)} s`;
  return `${timeOf(startedAt)} ${quoteText(goal)}: ${status}${why}${took} (${quoteText(`oka runs explain ${id}`)})`;
}

function turnLine({ at, conversation, text }: DayPage['turns'][number]): string {
  const where = conversation === undefined ? '' : `${quoteText(conversation, 80)} `;
  return `${timeOf(at)} ${where}${quoteText(text)}`;
}

function factLine({ id, text, confidence, source }: Fact): string {
  const from = source === undefined ? '' : `, from ${quoteText(source, 120)}`;
  return `${quoteText(text)}, ${Math.round(confidence * 100)} % sure${from} (${quoteText(`oka memory fact get ${id}`)})`;
}

function inOrder<Item extends { readonly id: string }>(
  items: readonly Item[],
  at: (item: Item) => number,
): readonly Item[] {
  return [...items].sort((one, other) => at(one) - at(other) || (one.id < other.id ? -1 : 1));
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

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
      .map((task) => `${quoteText(task.title)}: ${task.status} (${quoteText(`oka runs show ${run}`)})`),
  );
  const lines = [
    ...section('Waiting for approval', approvals.map(askedLine)),
    ...section('Parked', parked.map(parkedLine)),
    ...section(
      'Running',
      open
        .filter(({ status }) => status === 'running')
        .map(({ id, goal }) => `${quoteText(goal)} (${quoteText(`oka runs show ${id}`)})`),
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
  return `${what} Requested ${minuteOf(requestedAt)}, expires ${minuteOf(expiresAt)}, run ${quoteText(run)} (${quoteText(next)})`;
}

function parkedLine({ id, goal, status, startedAt, waitsFor, waitsUntil }: RunSummary): string {
  const what = status === 'waiting' && waitsFor !== undefined ? ` (${waitsFor})` : '';
  const until = waitsUntil === undefined ? '' : ` until ${minuteOf(waitsUntil)}`;
  return `${quoteText(goal)}: ${status}${what}${until}, started ${minuteOf(startedAt)} (${quoteText(`oka runs resume ${id}`)})`;
}

function failedLine({ id, goal, failureCode, startedAt }: RunSummary): string {
  return `${quoteText(goal)}: ${quoteText(failureCode ?? 'failed')}, ${minuteOf(startedAt)} (${quoteText(`oka runs resume ${id}`)})`;
}
