import { digestOf } from './digest.ts';

/**
 * The ids of a run in OpenTelemetry traces. They follow from the ids of the run and of its root, so that every process that works
 * on the run uses the same ones and none has to be recorded.
 */
export function traceIdOf(root: string): string {
  return digestOf(`oka trace ${root}`).slice(0, 32);
}

export function spanIdOf(run: string): string {
  return digestOf(`oka span ${run}`).slice(0, 16);
}
