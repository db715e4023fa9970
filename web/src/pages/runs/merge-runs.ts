import type { RunListItem } from '../../api/types.ts';

interface Changes {
  /** Runs as they are now. */
  readonly runs: readonly RunListItem[];
  /** Only these are listed; empty for all. */
  readonly status: string;
  /** False if older runs are not loaded yet: those are left out. */
  readonly isComplete: boolean;
}

/** The loaded runs, newest first, with changed and new ones in their places. */
export function mergeRuns(
  loaded: readonly RunListItem[],
  { runs, status, isComplete }: Changes,
): readonly RunListItem[] {
  const byId = new Map(loaded.map((run) => [run.id, run]));
  const oldest = loaded.at(-1);
  for (const run of runs) {
    const isListed = status === '' || run.status === status;
    const isLoaded = isComplete || oldest === undefined || compareNewest(run, oldest) <= 0;
    if (isListed && isLoaded) byId.set(run.id, run);
    else byId.delete(run.id);
  }
  return [...byId.values()].sort(compareNewest);
}

function compareNewest(one: RunListItem, other: RunListItem): number {
  return other.startedAt - one.startedAt || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}
