// Owns: the content of the derived files. I1 They are a pure function of the ledger. I2 Erased or deleted content appears in
// none of them.
import type { RunSummary } from '../../engine/index.ts';
import { dayOf, parseDay } from '../../memory/index.ts';
import { taskGraphOf } from '../task-graph-of.ts';
import { byTopic, groupBy, isInstructive, renderLearnings, reworkIn, type TriedRun } from './learnings.ts';
import { MAINTENANCE } from './maintenance-events.ts';
import type { DerivedSources, Span } from './ports.ts';
import { type DayPage, renderDay, renderTodos } from './render-pages.ts';

/** The page of open work, in the workspace folder. It exists whenever any derived file does. */
export const TODOS = 'brain/TODOS.md';

/** Whether a path can hold a derived file. Maintenance changes no other files. */
export function isDerivedPath(path: string): boolean {
  return path === TODOS || /^(?:brain\/LEARNINGS-[a-z0-9-]+\.md|memory\/\d{4}-\d{2}-\d{2}\.md)$/.test(path);
}

/** How many assistant runs are read for rejections, newest first. */
const MAX_READ = 500;
const MAX_TURN_LENGTH = 2_000;

/** Every derived file, by its path in the workspace folder. */
export async function deriveFiles(sources: DerivedSources): Promise<ReadonlyMap<string, string>> {
  const all = await sources.runs();
  const roots = knownRoots(all);
  const files = new Map<string, string>();
  for (const [topic, runs] of byTopic(await tried(sources, roots)))
    if (isInstructive(topic, runs)) files.set(`brain/LEARNINGS-${topic}.md`, renderLearnings(topic, runs));
  files.set(TODOS, await todos(sources, all, roots));
  for (const [path, text] of await dayFiles(sources, roots)) files.set(path, text);
  return files;
}

/** Derives only the pages of some days, for callers that know no other file changes. */
export async function deriveDays(
  sources: DerivedSources,
  days: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const roots = knownRoots(await sources.runs());
  const files = new Map<string, string>();
  for (const day of days) {
    const span = parseDay(day);
    const then = roots.filter(({ startedAt }) => startedAt >= span.from && startedAt < span.to);
    for (const [path, text] of await dayFiles(sources, then, span)) files.set(path, text);
  }
  return files;
}

/** Root runs. A run whose goal was erased appears in no file. */
function knownRoots(all: readonly RunSummary[]): readonly RunSummary[] {
  return all.filter(({ kind, goal, parent }) => parent === undefined && kind !== MAINTENANCE && goal !== '');
}

async function dayFiles(
  sources: DerivedSources,
  roots: readonly RunSummary[],
  span?: Span,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const [day, page] of await daysOf(sources, roots, span)) {
    const path = `memory/${day}.md`;
    // Years beyond four digits have no page.
    if (isDerivedPath(path)) files.set(path, renderDay(day, page));
  }
  return files;
}

/** Ended runs with their rejections and corrections. */
async function tried(sources: DerivedSources, roots: readonly RunSummary[]): Promise<readonly TriedRun[]> {
  const corrections = groupBy(await sources.corrections(), ({ run }) => run);
  const ended = roots.filter(({ endedAt, kind }) => endedAt !== undefined && kind !== 'call');
  const read = new Set(
    newestFirst(ended.filter(({ kind }) => kind === 'assistant'))
      .slice(0, MAX_READ)
      .map(({ id }) => id),
  );
  const runs: TriedRun[] = [];
  for (const run of ended) {
    const rework = read.has(run.id) ? reworkIn(await sources.events(run.id)) : [];
    const said = (corrections.get(run.id) ?? []).map(({ text }) => text);
    runs.push({ ...run, rework, corrections: said });
  }
  return runs;
}

async function todos(
  sources: DerivedSources,
  all: readonly RunSummary[],
  roots: readonly RunSummary[],
): Promise<string> {
  const resumed = new Set(all.flatMap(({ resumedFrom }) => resumedFrom ?? []));
  const kinds = new Map(all.map(({ id, kind, goal }) => [id, goal === '' ? MAINTENANCE : kind]));
  const statuses = new Map(all.map(({ id, status }) => [id as string, status]));
  const open = newestFirst(roots.filter(({ endedAt }) => endedAt === undefined)).reverse();
  const graphs = [];
  for (const { id, kind } of open) {
    const graph =
      kind === 'assistant' ? taskGraphOf(await sources.events(id), (run) => statuses.get(run)) : undefined;
    if (graph !== undefined) graphs.push(graph);
  }
  const approvals = (await sources.approvals()).filter(({ run }) => kinds.get(run) !== MAINTENANCE);
  const failed = newestFirst(roots.filter(({ id, status }) => status === 'failed' && !resumed.has(id)));
  return renderTodos({ open, approvals, graphs, failed });
}

async function daysOf(
  sources: DerivedSources,
  roots: readonly RunSummary[],
  span?: Span,
): Promise<ReadonlyMap<string, DayPage>> {
  const days = new Map<string, DayPage>();
  const page = (at: number): DayPage => {
    const day = dayOf(at);
    const found = days.get(day) ?? { runs: [], turns: [], facts: [] };
    days.set(day, found);
    return found;
  };
  for (const run of roots) page(run.startedAt).runs.push(run);
  for await (const { text, conversation, at, namespace } of sources.episodes(span)) {
    const where = conversation === undefined ? {} : { conversation };
    page(at).turns.push({ text: text.slice(0, MAX_TURN_LENGTH), at, namespace, ...where });
  }
  for (const fact of await sources.facts(span)) page(fact.at).facts.push(fact);
  return days;
}

function newestFirst(runs: readonly RunSummary[]): RunSummary[] {
  return [...runs].sort((one, other) => other.startedAt - one.startedAt || (one.id < other.id ? 1 : -1));
}
