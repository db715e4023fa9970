import type { DriveOptions } from '../../engine/index.ts';

/** How long to stay with a run, of a request that says more. */
export function staying({
  patienceMs,
  signal,
}: {
  readonly patienceMs?: number;
  readonly signal?: AbortSignal | undefined;
}): DriveOptions {
  return {
    ...(patienceMs === undefined ? {} : { patienceMs }),
    ...(signal === undefined ? {} : { signal }),
  };
}
