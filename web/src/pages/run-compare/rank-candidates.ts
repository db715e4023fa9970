// Owns: the order in which runs are offered for a comparison: relatives first, then runs of the same goal, then the newest.

import type { RunListItem } from '../../api/types.ts';

/** What is known about the run that is compared. */
export interface Compared {
  readonly id: string;
  readonly goal?: string;
  readonly resumedFrom?: string;
  readonly forkedFrom?: { readonly run: string; readonly step: number };
  readonly attempts?: readonly string[];
}

export interface Candidate {
  readonly run: RunListItem;
  /** How it is related; missing for any other run. */
  readonly relation?: string;
}

const RELATIONS = [
  'Forked from this run',
  'This run is its fork',
  'Earlier attempt',
  'Later attempt',
  'Same goal',
];

/** `forks` are the ids of runs that were forked from this one. */
export function rankCandidates(
  compared: Compared,
  runs: readonly RunListItem[],
  forks: ReadonlySet<string>,
): readonly Candidate[] {
  const others = [...new Map(runs.map((run) => [run.id, run])).values()].filter(
    ({ id }) => id !== compared.id,
  );
  const candidates = others.map((run): Candidate => {
    const relation = relationOf(compared, run, forks);
    return { run, ...(relation !== undefined && { relation }) };
  });
  const rank = ({ relation }: Candidate): number =>
    relation === undefined ? RELATIONS.length : RELATIONS.indexOf(relation);
  return candidates.sort((a, b) => rank(a) - rank(b) || b.run.startedAt - a.run.startedAt);
}

function relationOf(
  { id, goal, resumedFrom, forkedFrom, attempts = [] }: Compared,
  run: RunListItem,
  forks: ReadonlySet<string>,
): string | undefined {
  if (forks.has(run.id)) return RELATIONS[0];
  if (forkedFrom?.run === run.id) return RELATIONS[1];
  if (attempts.includes(run.id) || resumedFrom === run.id) return RELATIONS[2];
  if (run.resumedFrom === id) return RELATIONS[3];
  return goal !== undefined && run.goal === goal ? RELATIONS[4] : undefined;
}
