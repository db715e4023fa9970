import type { WorkerListeners, WorkerOptions } from './run-worker.ts';

/** Works for the projects of some workspaces until the signal aborts. Loads Restate's packages, which nothing else needs. */
export async function runWorker(
  options: WorkerOptions,
  signal: AbortSignal,
  listeners: WorkerListeners,
): Promise<void> {
  const worker = await import('./run-worker.ts');
  await worker.runWorker(options, signal, listeners);
}
