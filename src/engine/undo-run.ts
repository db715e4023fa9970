// Owns: undoing what the tools of a run, its descendants and the attempts that it continues changed, newest first.
// I1 Undo is idempotent: it can be interrupted and restarted.
import { isOkaError, type Json, OkaError, toFailure } from '../kernel/index.ts';
import type { LedgerEvent, StreamAppend } from '../ledger/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { loadRun } from './load-run.ts';
import type { RunSummary } from './ports.ts';
import { runEvent, runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';
import { descendantsOf, earlierAttempts } from './run-tree.ts';
import { plainContext, type Tool } from './tool.ts';
import type { RunId } from './types.ts';

/** The result of undoing one change. */
export interface UndoneChange {
  /** The run that made the change: the undone run, an earlier attempt, or a descendant of one of them. */
  readonly run: RunId;
  readonly step: number;
  readonly tool: string;
  readonly restored: boolean;
  readonly what: string;
}

export interface UndoReport {
  readonly run: RunId;
  readonly changes: readonly UndoneChange[];
  /** The failed runs that it continues, the newest first; their changes are undone too. */
  readonly attempts?: readonly RunId[];
}

interface Change {
  readonly run: RunId;
  /** The position of the change in the ledger, which orders the changes of all runs. */
  readonly seq: number;
  readonly step: number;
  readonly tool: Tool;
  readonly input: Json;
  readonly preimage: Json;
}

/**
 * Restores the state before the run, its descendants and its earlier attempts, except where it has changed since; `force`
 * restores that too. Runs that were undone before are skipped without `force`.
 */
export async function undoRun(
  id: string,
  by: string,
  options: { force: boolean },
  parts: EngineParts,
): Promise<UndoReport> {
  const run = await loadRun(id, parts).catch((error: unknown) => {
    if (!isOkaError(error, 'engine.run_simulated')) throw error;
    const message = `Run ${id} was only simulated and changed nothing, so there is nothing to undo.`;
    throw new OkaError('engine.nothing_to_undo', message, { data: { run: id, simulated: true } });
  });
  const earlier = await earlierAttempts(run, parts);
  const members = await membersOf([run, ...earlier], parts);
  for (const one of members) requireReleased(one, run, parts);
  const changes: Change[] = [];
  let skipped = false;
  for (const one of members) {
    const events = await parts.events.read(runStream(one.id));
    if (!options.force && isUndone(events)) skipped = true;
    else changes.push(...changesIn(events).map((change) => toChange(one.id, change, parts)));
  }
  if (changes.length === 0) {
    const message = skipped
      ? `Run ${id} was already undone. Undo it again with --force.`
      : `Run ${id} has no changes that can be undone.`;
    throw new OkaError('engine.nothing_to_undo', message, { data: { run: id } });
  }
  changes.sort((a, b) => b.seq - a.seq);
  const runs = [...new Set([run.id, ...changes.map((change) => change.run)])];
  await append(
    by,
    parts,
    runs.map((one) => {
      const steps = changes.filter((change) => change.run === one).map(({ step }) => step);
      return [one, runEvent('run.undo_intended', { by, steps, within: withinOf(one, run) })];
    }),
  );
  const done: UndoneChange[] = [];
  for (const change of changes) done.push(await undoOne(change, options, parts));
  await append(
    by,
    parts,
    runs.map((one) => {
      // The undone run reports the whole tree.
      const files = one === run.id ? done : done.filter((change) => change.run === one);
      const restored = files.filter((change) => change.restored).length;
      const data = { by, restored, kept: files.length - restored, within: withinOf(one, run) };
      return [one, runEvent('run.undone', data, { files: files.map((change) => ({ ...change })) })];
    }),
  );
  const attempts = earlier.map((one) => one.id);
  return { run: run.id, changes: done, ...(attempts.length === 0 ? {} : { attempts }) };
}

function withinOf(one: RunId, run: RunState): RunId | undefined {
  return one === run.id ? undefined : run.id;
}

async function append(
  by: string,
  { events }: EngineParts,
  drafts: readonly (readonly [RunId, ReturnType<typeof runEvent>])[],
): Promise<void> {
  const appends = drafts.map(([run, draft]): StreamAppend => ({ stream: runStream(run), events: [draft] }));
  await events.commit({ actor: by, sync: 'full', appends });
}

function requireReleased(
  one: { readonly id: RunId; readonly owner?: string | undefined },
  { id }: RunState,
  { owners }: EngineParts,
): void {
  if (one.owner === undefined || !owners.isAlive(one.owner)) return;
  throw new OkaError(
    'engine.run_owned',
    `Run ${one.id} is still active in ${one.owner}. Cancel or pause ${id} first.`,
    { data: { run: one.id, owner: one.owner } },
  );
}

function isUndone(events: readonly LedgerEvent[]): boolean {
  return events.findLast(({ type }) => type === 'run.undone')?.data['kept'] === 0;
}

/** The calls that recorded what they changed. */
function changesIn(events: readonly LedgerEvent[]): readonly LedgerEvent[] {
  return events.filter((event) => preimageOf(event) !== undefined);
}

/** What a call changed: recorded before it acted or, where only its handler can tell, with its outcome. */
export function preimageOf({ type, body }: Pick<LedgerEvent, 'type' | 'body'>): Json | undefined {
  if (type !== 'tool.intended' && type !== 'tool.completed' && type !== 'tool.failed') return undefined;
  return (body as { preimage?: Json } | undefined)?.preimage;
}

function toChange(run: RunId, { seq, data, body }: LedgerEvent, parts: EngineParts): Change {
  const tool = parts.tools.require(data['tool'] as string);
  const { input = null, preimage } = body as { input?: Json; preimage: Json };
  return { run, seq, step: data['step'] as number, tool, input, preimage };
}

type Stores = Pick<EngineParts, 'events' | 'runs'>;

/** Runs with their descendants. */
async function membersOf(
  roots: readonly RunState[],
  { runs }: Stores,
): Promise<readonly (RunState | RunSummary)[]> {
  const members: (RunState | RunSummary)[] = [];
  for (const one of roots) {
    const { id, lineage, used } = one;
    const below = used.children === undefined ? [] : await descendantsOf({ id, root: lineage.root }, runs);
    members.push(one, ...below);
  }
  return members;
}

/** Whether a run, its descendants or its earlier attempts recorded a change that is not undone. */
export async function canUndo(run: RunState, stores: Stores): Promise<boolean> {
  for (const { id } of await membersOf([run, ...(await earlierAttempts(run, stores))], stores)) {
    const events = await stores.events.read(runStream(id));
    if (!isUndone(events) && changesIn(events).length > 0) return true;
  }
  return false;
}

async function undoOne(
  change: Change,
  options: { force: boolean },
  parts: EngineParts,
): Promise<UndoneChange> {
  const { tool, step, run: runId } = change;
  const about = { run: runId, step, tool: tool.name };
  const { capabilities, artifacts, clock, redactor } = parts;
  const context = plainContext({
    ...{ runId, step, use: 'undo', capabilities, artifacts, redactor, now: () => clock.now() },
  });
  if (tool.undo === undefined) return { ...about, restored: false, what: 'this tool cannot undo' };
  try {
    const what = await tool.undo(
      { input: change.input, preimage: change.preimage, force: options.force },
      context,
    );
    return { ...about, restored: true, what };
  } catch (error) {
    return { ...about, restored: false, what: toFailure(error, 'engine.undo_conflict').message };
  }
}
