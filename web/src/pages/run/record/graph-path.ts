// Owns: what a run did in each node of its graph. Each node is a state of the run.

import { formatDuration } from '../../../parts/format.ts';
import type { NodeRun } from '../../../parts/graph-canvas/canvas-node.tsx';
import type { RunRecord, Step } from './types.ts';

const STATES: Readonly<Record<Step['status'], NodeRun['state']>> = {
  ok: 'done',
  failed: 'failed',
  refused: 'failed',
  cancelled: 'skipped',
  waiting: 'waiting',
  running: 'running',
};

/** The last step in a node decides its mark. */
export function nodeRuns({ steps }: RunRecord): ReadonlyMap<string, NodeRun> {
  const found = new Map<string, NodeRun>();
  for (const { state, status, startedAt, endedAt } of steps)
    found.set(state, {
      state: STATES[status],
      ...(status === 'ok' && endedAt !== undefined && { note: formatDuration(endedAt - startedAt) }),
    });
  return found;
}

/** The nodes in the order in which the run entered them. */
export function visitedNodes({ steps, state }: RunRecord, start: string | undefined): readonly string[] {
  const entered = [...(start === undefined ? [] : [start]), ...steps.map((step) => step.state), state];
  return entered.filter((node, index) => node !== entered[index - 1]);
}
