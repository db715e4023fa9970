import { useMemo } from 'react';
import { type Answer, useApi } from '../../api/query.ts';
import type { GraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { type RunData, readRun } from './document/run-data.ts';

export interface WatchedRun extends RunData {
  readonly run: Answer<'/v1/runs/{run}/explain'>['run'];
}

/** What a run did in the nodes of a graph, live. */
export function useRunData(graph: GraphDocument, run: string): WatchedRun | undefined {
  const enabled = run !== '';
  const input = { params: { path: { run } } };
  const { data: explained } = useApi('/v1/runs/{run}/explain', input, { enabled });
  const { data: checkpoints } = useApi('/v1/runs/{run}/checkpoints', input, { enabled });
  return useMemo(
    () =>
      !enabled || explained === undefined || checkpoints === undefined
        ? undefined
        : { run: explained.run, ...readRun(graph, explained, checkpoints) },
    [graph, enabled, explained, checkpoints],
  );
}
