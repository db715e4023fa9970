import { type OkaApi, scopedOka, type Warning } from '../api/index.ts';
import { answersAreChecked } from '../config/index.ts';
import type { WorkerOptions, WorkerReady } from '../runtime/index.ts';

/** Opens Oka in this process. Loaded lazily, because few commands need it. */
export async function openInProcess(options: {
  readonly workspace: string;
  readonly home: string;
  readonly onWarning: (warning: Warning) => void;
  /** Why only what this machine knows of a ledger on a server is opened. */
  readonly away?: string;
  readonly patienceMs?: number;
}): Promise<OkaApi> {
  const { Oka } = await import('../runtime/index.ts');
  const { patienceMs, ...place } = options;
  const oka = scopedOka(new Oka(place), patienceMs === undefined ? {} : { patienceMs });
  return answersAreChecked() ? (await import('../api/index.ts')).checkedOka(oka) : oka;
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
