// Owns: what a run did in each node: its state, the data that flowed, and the step to run again from.

import type { Answer } from '../../../api/query.ts';
import { formatDuration } from '../../../parts/format.ts';
import type { NodeRun } from '../../../parts/graph-canvas/canvas-node.tsx';
import { type GraphDocument, targetOf } from '../../../parts/graph-canvas/graph-document.ts';

type Explained = Pick<Answer<'/v1/runs/{run}/explain'>, 'timeline' | 'actions'> & {
  readonly run: Pick<Answer<'/v1/runs/{run}/explain'>['run'], 'status' | 'state' | 'endedAt'>;
};
type Checkpoint = Pick<Answer<'/v1/runs/{run}/checkpoints'>[number], 'node' | 'status' | 'last'>;

export interface NodeData {
  /** What the node was given, if it was entered. */
  readonly input?: unknown;
  readonly output?: unknown;
  /** What the node decided, in words. */
  readonly why?: string;
  readonly failure?: { readonly code: string; readonly message?: string };
  /** The step to start a new run from, with the data of this one. */
  readonly step?: number;
  readonly visits: number;
}

export interface RunData {
  readonly visited: readonly string[];
  readonly runs: ReadonlyMap<string, NodeRun>;
  readonly data: ReadonlyMap<string, NodeData>;
}

export function readRun(
  graph: GraphDocument,
  explained: Explained,
  checkpoints: readonly Checkpoint[],
): RunData {
  const visited = explained.timeline
    .map(({ state }) => state)
    .filter((state, at, all) => state !== all[at - 1]);
  const runs = new Map<string, NodeRun>();
  const data = new Map<string, NodeData>();
  for (const node of graph.nodes) {
    runs.set(node.node_id, nodeRun(node.node_id, graph, explained));
    data.set(node.node_id, nodeData(node.node_id, explained, checkpoints, visited));
  }
  return { visited, runs, data };
}

function nodeRun(id: string, graph: GraphDocument, { run, timeline }: Explained): NodeRun {
  const at = timeline.findLastIndex(({ state }) => state === id);
  const hasEnded = run.endedAt !== undefined;
  if (at < 0) return { state: hasEnded ? 'skipped' : 'idle' };
  const isHere = id === run.state;
  if (isHere && run.status === 'failed') return { state: 'failed' };
  if (isHere && !hasEnded)
    return { state: run.status === 'waiting' || run.status === 'paused' ? 'waiting' : 'running' };
  const until = timeline[at + 1]?.at ?? run.endedAt;
  const took = until === undefined ? undefined : formatDuration(until - (timeline[at]?.at ?? until));
  const note = branchTaken(id, graph, timeline[at + 1]?.state) ?? took;
  return { state: 'done', ...(note !== undefined && { note }) };
}

function branchTaken(id: string, { nodes }: GraphDocument, next: string | undefined): string | undefined {
  const node = nodes.find(({ node_id }) => node_id === id);
  if (node?.type !== 'typed_condition' || next === undefined) return undefined;
  const [yes, no] = [targetOf(node, 'if_true'), targetOf(node, 'if_false')];
  if (yes === no) return undefined;
  return next === yes ? 'true' : next === no ? 'false' : undefined;
}

function nodeData(
  id: string,
  { actions }: Explained,
  checkpoints: readonly Checkpoint[],
  visited: readonly string[],
): NodeData {
  const own = actions.filter(({ state }) => state === id);
  const last = own.at(-1);
  const entered = checkpoints.findLastIndex(
    ({ node }, at) => node === id && checkpoints[at - 1]?.node !== id,
  );
  const left = checkpoints.findIndex(({ node }, at) => at > entered && entered >= 0 && node !== id);
  // A run starts behind its first node, whose output is the input of the run.
  const isFirst = visited[0] === id && entered < 0;
  const input = isFirst ? checkpoints[0] : checkpoints[entered];
  const output = isFirst ? checkpoints[0] : checkpoints[left];
  return {
    ...(input !== undefined && { input: input.last }),
    ...(output !== undefined
      ? { output: output.last }
      : last?.output !== undefined && { output: last.output }),
    ...(last !== undefined && { why: last.rationale }),
    ...(last?.failure !== undefined && { failure: last.failure }),
    ...(own[0] !== undefined && { step: own[0].step }),
    visits: visited.filter((state) => state === id).length,
  };
}
