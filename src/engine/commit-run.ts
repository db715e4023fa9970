import type { EventDraft, StreamAppend } from '../ledger/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { applyRunEvent } from './fold-run.ts';
import { runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';
import { mergeAppends } from './run-writer.ts';

/** Appends to a run from outside its session and updates `run`. Rejects when the run has changed meanwhile. */
export async function commitToRun(
  run: RunState,
  events: readonly EventDraft[],
  parts: EngineParts,
  options: {
    readonly by: string;
    readonly sync: 'full' | 'normal';
    readonly others?: readonly StreamAppend[];
  },
): Promise<void> {
  const stream = runStream(run.id);
  const own = { stream, expectedIndex: run.index + 1, events };
  const appends = mergeAppends([own, ...(options.others ?? [])]);
  const stored = await parts.events.commit({ actor: options.by, sync: options.sync, appends });
  for (const event of stored) if (event.stream === stream) applyRunEvent(run, event);
  if (parts.snapshotAlways) await parts.runs.saveSnapshot(run);
}
