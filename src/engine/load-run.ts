import { OkaError } from '../kernel/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { foldRun } from './fold-run.ts';
import { runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';

/** The run as its events say, from its snapshot on where there is one. */
export async function loadRun(id: string, parts: Pick<EngineParts, 'events' | 'runs'>): Promise<RunState> {
  const stream = runStream(id);
  const snapshot = await parts.runs.loadSnapshot(id);
  const events = await parts.events.read(stream, snapshot === undefined ? 0 : snapshot.index + 1);
  const run = foldRun(events, snapshot);
  if (run === undefined) throw unknownRun(id);
  if (events.length === 0 && snapshot) {
    // The events were kept by a process that is gone; the snapshot is all there is, and the stream begins anew.
    run.index = Math.min(run.index, (await parts.events.end(stream)).index);
  }
  return run;
}

export function unknownRun(id: string): OkaError<'engine.unknown_run'> {
  return new OkaError(
    'engine.unknown_run',
    `there is no run "${id}" in this workspace; see: oka runs list.`,
    { data: { run: id } },
  );
}
