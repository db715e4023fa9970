// Owns: the file changes of runs, as a comparison of the recorded earlier versions with the files on disk.
import type { FileChangeView } from '../../api/index.ts';
import {
  descendantsOf,
  type Engine,
  earlierAttempts,
  loadRun,
  preimageOf,
  type RunId,
  type RunStore,
  runStream,
} from '../../engine/index.ts';
import { asObject, type Json, type JsonObject } from '../../kernel/index.ts';
import type { EventStore, LedgerEvent } from '../../ledger/index.ts';
import { compareFiles, type Files, type WorkReader } from '../../tools/index.ts';

/** The files that runs, their descendants and earlier attempts changed, by path. */
export async function runChanges(
  engine: Engine,
  runs: readonly string[],
): Promise<readonly FileChangeView[]> {
  const { artifacts, capabilities } = engine.parts;
  const files = capabilities['files'] as Files;
  const changed = await compareFiles(await statesBefore(engine, runs), { files, artifacts });
  return changed.map(({ digest: _, ...change }) => change);
}

/** The files that each task of a run changed, as they were before. Provided as the capability `work`. */
export function workReader({
  runs,
  events,
}: {
  readonly runs: Pick<RunStore, 'list' | 'get'>;
  readonly events: Pick<EventStore, 'read'>;
}): WorkReader {
  return {
    async below(run) {
      const tasks = new Map<string, LedgerEvent[]>();
      const children = (
        await Promise.all((await withEarlier(run, runs)).map((parent) => runs.list({ parent })))
      ).flat();
      for (const { id, root } of children) {
        const own = await events.read(runStream(id));
        const task = taskOf(own);
        if (task === undefined) continue;
        const all = [...(tasks.get(task) ?? []), ...own];
        for (const below of await descendantsOf({ id, root }, runs))
          all.push(...(await events.read(runStream(below.id))));
        tasks.set(task, all);
      }
      return [...tasks].map(([task, all]) => ({ task, before: firstStates(all) }));
    },
  };
}

/** A run and the failed runs that it continues. */
async function withEarlier(run: RunId, runs: Pick<RunStore, 'get'>): Promise<readonly RunId[]> {
  const found: RunId[] = [];
  for (let id: RunId | undefined = run; id !== undefined; id = (await runs.get(id))?.resumedFrom)
    found.push(id);
  return found;
}

/** The id of the task that a child run was started for. */
function taskOf([started]: readonly LedgerEvent[]): string | undefined {
  const { id } = asObject(asObject(asObject(started?.body)['vars'])['task']);
  return typeof id === 'string' ? id : undefined;
}

/** The states of paths in a preimage, whose form depends on its tool: fields `path` and `existed` belong to a state. */
export function statesIn(preimage: Json | undefined): readonly JsonObject[] {
  if (Array.isArray(preimage)) return (preimage as Json[]).flatMap(statesIn);
  const found = asObject(preimage);
  if (typeof found['path'] === 'string' && typeof found['existed'] === 'boolean') return [found];
  return Object.values(found).flatMap(statesIn);
}

/** The state of each path before the first change. */
async function statesBefore({ parts }: Engine, runs: readonly string[]): Promise<Map<string, JsonObject>> {
  const members = new Set<string>();
  for (const id of runs) {
    const run = await loadRun(id, parts);
    for (const one of [run, ...(await earlierAttempts(run, parts))]) {
      members.add(one.id);
      if (one.used.children === undefined) continue;
      const below = await descendantsOf({ id: one.id, root: one.lineage.root }, parts.runs);
      for (const child of below) members.add(child.id);
    }
  }
  const events: LedgerEvent[] = [];
  for (const id of members)
    events.push(...(await parts.events.read(runStream(id as Parameters<typeof runStream>[0]))));
  return firstStates(events);
}

/** The state of each path before the first call that changed it. */
function firstStates(events: readonly LedgerEvent[]): Map<string, JsonObject> {
  const states = new Map<string, JsonObject>();
  for (const event of [...events].sort((a, b) => a.seq - b.seq))
    for (const state of statesIn(preimageOf(event))) {
      const path = String(state['path']);
      if (!states.has(path)) states.set(path, state);
    }
  return states;
}
