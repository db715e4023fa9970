import type { Engine, RunState } from '../../engine/index.ts';
import { toDriveOptions, type WatchOptions } from '../services/workspace-services.ts';

/** Continues a run after a person or an event answered it; a paused run stays paused until it is resumed. */
export async function continueRun(
  engine: Engine,
  id: string,
  { by, ...options }: WatchOptions & { readonly by: string },
): Promise<RunState> {
  const run = await engine.load(id);
  return run.paused ? run : engine.resume(id, { by, ...toDriveOptions(options) });
}
