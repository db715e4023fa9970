import type { OkaApi } from '../api/index.ts';
import { answersAreChecked } from '../config/index.ts';
import type { WorkerOptions, WorkerReady } from '../runtime/index.ts';

/** Opens Oka in this process. Loaded lazily, because few commands need it. */
export async function openInProcess(options: {
  readonly workspace: string;
  readonly home: string;
  readonly onRepaired: (what: string) => void;
  readonly onIncomplete: (what: string) => void;
  readonly onWithheld: (what: string) => void;
  readonly onWarning: (what: string) => void;
}): Promise<OkaApi> {
  const { Oka } = await import('../runtime/index.ts');
  const oka = new Oka(options);
  if (!answersAreChecked()) return oka;
  return (await import('../api/index.ts')).checkedOka(oka);
}

/** Runs a worker of the cluster in this process until the signal aborts. */
export async function workInProcess(
  options: WorkerOptions,
  signal: AbortSignal,
  listeners: { readonly onReady: (ready: WorkerReady) => void; readonly onWarning: (what: string) => void },
): Promise<void> {
  const { runWorker } = await import('../runtime/index.ts');
  await runWorker(options, signal, listeners);
}
