import type { RunListItem } from '../../api/types.ts';

/** What the list shows. Empty texts do not filter. */
export interface RunFilter {
  readonly status: string;
  /** Part of the goal. */
  readonly text: string;
  readonly rootsOnly: boolean;
}

interface Changes {
  /** Runs as they are now. */
  readonly runs: readonly RunListItem[];
  readonly filter: RunFilter;
  /** False if older runs are not loaded yet: those are left out. */
  readonly isComplete: boolean;
}

/** The loaded runs, newest first, with changed and new ones in their places. */
export function mergeRuns(
  loaded: readonly RunListItem[],
  { runs, filter, isComplete }: Changes,
): readonly RunListItem[] {
  const byId = new Map(loaded.map((run) => [run.id, run]));
  const oldest = loaded.at(-1);
  for (const run of runs) {
    const isLoaded = isComplete || oldest === undefined || compareNewest(run, oldest) <= 0;
    if (isLoaded && isListed(run, filter)) byId.set(run.id, run);
    else byId.delete(run.id);
  }
  return [...byId.values()].sort(compareNewest);
}

/** The same decision as the server's. */
function isListed({ status, goal = '', parent }: RunListItem, filter: RunFilter): boolean {
  if (filter.status !== '' && status !== filter.status) return false;
  if (filter.rootsOnly && parent !== undefined) return false;
  return goal.toLowerCase().includes(filter.text.toLowerCase());
}

function compareNewest(one: RunListItem, other: RunListItem): number {
  return other.startedAt - one.startedAt || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}
