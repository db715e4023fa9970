// Owns: undoing what a run's tools changed, newest first. I1 Undo is idempotent: it can be interrupted and restarted.
import { isOkaError, type Json, OkaError, toFailure } from '../kernel/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { loadRun } from './load-run.ts';
import { runEvent, runStream } from './run-events.ts';
import type { Tool, ToolContext } from './tool.ts';
import type { RunId } from './types.ts';

/** The result of undoing one change. */
export interface UndoneChange {
  readonly step: number;
  readonly tool: string;
  readonly restored: boolean;
  readonly what: string;
}

export interface UndoReport {
  readonly run: RunId;
  readonly changes: readonly UndoneChange[];
}

/** Restores the state before the run, except where it has changed since; `force` restores that too. */
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
  if (!run.ended && run.owner !== undefined && parts.owners.isAlive(run.owner)) {
    throw new OkaError(
      'engine.run_owned',
      `Run ${id} is still active in ${run.owner}. Cancel or pause it first.`,
      { data: { run: id, owner: run.owner } },
    );
  }
  if (run.undone && !options.force) {
    throw new OkaError(
      'engine.nothing_to_undo',
      `Run ${id} was already undone. Undo it again with --force.`,
      { data: { run: id } },
    );
  }
  const changes = (await parts.events.read(runStream(id)))
    .filter(
      (event) =>
        event.type === 'tool.intended' &&
        (event.body as { preimage?: Json } | undefined)?.preimage !== undefined,
    )
    .map((event) => ({
      step: event.data['step'] as number,
      tool: parts.tools.require(event.data['tool'] as string),
      ...(event.body as { input: Json; preimage: Json }),
    }))
    .reverse();
  if (changes.length === 0) {
    throw new OkaError('engine.nothing_to_undo', `Run ${id} has no changes that can be undone.`, {
      data: { run: id },
    });
  }
  const append = (draft: ReturnType<typeof runEvent>): Promise<unknown> =>
    parts.events.commit({ actor: by, sync: 'full', appends: [{ stream: runStream(id), events: [draft] }] });
  await append(runEvent('run.undo_intended', { by, steps: changes.map((change) => change.step) }));
  const done: UndoneChange[] = [];
  for (const change of changes) done.push(await undoOne(change, run.id, options, parts));
  const restored = done.filter((change) => change.restored).length;
  await append(
    runEvent(
      'run.undone',
      { by, restored, kept: done.length - restored },
      { files: done.map((change) => ({ ...change })) },
    ),
  );
  return { run: run.id, changes: done };
}

async function undoOne(
  change: { step: number; tool: Tool; input: Json; preimage: Json },
  runId: RunId,
  options: { force: boolean },
  parts: EngineParts,
): Promise<UndoneChange> {
  const { tool, step } = change;
  const context: ToolContext = {
    runId,
    step,
    signal: new AbortController().signal,
    idempotencyKey: `${runId}/${step}/undo`,
    capabilities: parts.capabilities,
    emitArtifact: (content, about) => parts.artifacts.put(content, about),
    record: () => undefined,
    charge: () => undefined,
    now: () => parts.clock.now(),
  };
  if (tool.undo === undefined)
    return { step, tool: tool.name, restored: false, what: 'this tool cannot undo' };
  try {
    const what = await tool.undo(
      { input: change.input, preimage: change.preimage, force: options.force },
      context,
    );
    return { step, tool: tool.name, restored: true, what };
  } catch (error) {
    return { step, tool: tool.name, restored: false, what: toFailure(error, 'engine.undo_conflict').message };
  }
}
