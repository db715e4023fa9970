import { isOkaError, OkaError } from '../kernel/index.ts';
import { type EventStore, SYSTEM_STREAM } from '../ledger/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { foldRun } from './fold-run.ts';
import { runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';
import { isSimulated, simulatedRun } from './simulation.ts';
import type { EngineErrorCode } from './types.ts';

/** Loads a run by folding its events, starting at its snapshot if there is one. */
export async function loadRun(id: string, parts: Pick<EngineParts, 'events' | 'runs'>): Promise<RunState> {
  const stream = runStream(id);
  const snapshot = await parts.runs.loadSnapshot(id);
  const events = await parts.events.read(stream, snapshot === undefined ? 0 : snapshot.index + 1);
  const run = foldRun(events, snapshot);
  if (run === undefined) throw await missingRun(id, parts.events);
  if (events.length === 0 && snapshot) {
    // The events ended with their process, so only the snapshot is left and the stream restarts.
    run.index = Math.min(run.index, (await parts.events.end(stream)).index);
  }
  return run;
}

/** Whether the error means that a run does not exist or was archived. */
export function isMissingRun(error: unknown): boolean {
  return isOkaError(error, ['engine.unknown_run', 'engine.run_archived']);
}

/** The error for a run without events: it was simulated or archived, or it never existed. */
export async function missingRun(id: string, events: EventStore): Promise<OkaError<EngineErrorCode>> {
  if (await isSimulated(id, events)) return simulatedRun(id);
  const stream = runStream(id);
  // An archived stream keeps its end, so only those runs need the housekeeping events.
  const ended = (await events.end(stream)).index >= 0;
  const archived = ended
    ? (await events.read(SYSTEM_STREAM)).findLast(
        ({ type, data }) => type === 'stream.archived' && data['stream'] === stream,
      )
    : undefined;
  if (archived === undefined)
    return new OkaError('engine.unknown_run', `No run "${id}" in this workspace. See: oka runs list.`, {
      data: { run: id },
    });
  const day = new Date(archived.at).toISOString().slice(0, 10);
  const how = archived.data['reason'] === 'retention' ? 'by the configured retention' : 'with oka ledger gc';
  return new OkaError(
    'engine.run_archived',
    `Run ${id} was archived on ${day} ${how}. Its steps are no longer stored. See: oka runs list.`,
    { data: { run: id, archivedAt: archived.at, reason: archived.data['reason'] ?? null } },
  );
}
