// Owns: what a run did in each node: its state, the data that flowed, and the step to run again from.

import type { Answer } from '../../../api/query.ts';
import { formatDuration } from '../../../parts/format.ts';
import type { NodeRun } from '../../../parts/graph-canvas/canvas-node.tsx';
import { type GraphDocument, type GraphNode, targetOf } from '../../../parts/graph-canvas/graph-document.ts';

type Explained = Pick<Answer<'/v1/runs/{run}/explain'>, 'timeline' | 'actions'> & {
  readonly run: Pick<Answer<'/v1/runs/{run}/explain'>['run'], 'status' | 'endedAt'>;
};
type Checkpoint = Pick<Answer<'/v1/runs/{run}/checkpoints'>[number], 'node' | 'status' | 'last'>;

interface NodeData {
  /** What the node was given. Missing if it was given before the run, which was then started from this node. */
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
  // The timeline ends with how the run ended, in parentheses.
  const timeline = explained.timeline.filter(({ state }) => !state.startsWith('('));
  const visited = timeline.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1]);
  const runs = new Map<string, NodeRun>();
  const data = new Map<string, NodeData>();
  for (const node of graph.nodes) {
    runs.set(node.node_id, nodeRun(node.node_id, graph, { ...explained, timeline }));
    data.set(node.node_id, nodeData(node, explained, checkpoints, visited));
  }
  return { visited, runs, data };
}

function nodeRun(id: string, graph: GraphDocument, { run, timeline }: Explained): NodeRun {
  const at = timeline.findLastIndex(({ state }) => state === id);
  const hasEnded = run.endedAt !== undefined;
  if (at < 0) return { state: hasEnded ? 'skipped' : 'idle' };
  const isLast = at === timeline.length - 1;
  if (isLast && run.status === 'failed') return { state: 'failed' };
  if (isLast && run.status === 'cancelled') return { state: 'failed', note: 'Cancelled' };
  if (isLast && !hasEnded)
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
  { node_id: id, type }: GraphNode,
  { actions }: Explained,
  checkpoints: readonly Checkpoint[],
  visited: readonly string[],
): NodeData {
  const own = actions.filter(({ state }) => state === id);
  const last = own.at(-1);
  const failure = own.findLast((action) => action.failure !== undefined)?.failure;
  const entered = checkpoints.findLastIndex(
    ({ node }, at) => node === id && checkpoints[at - 1]?.node !== id,
  );
  // The checkpoints begin behind the first node: behind the start, whose output is the input of the run, or behind the node
  // that the run was started from.
  const isFirst = entered < 0 && visited[0] === id;
  const left =
    entered >= 0 || isFirst ? checkpoints.findIndex(({ node }, at) => at > entered && node !== id) : -1;
  const input = isFirst && type === 'start' ? checkpoints[0] : checkpoints[entered];
  const output = checkpoints[left];
  return {
    ...(input !== undefined && { input: input.last }),
    ...(output !== undefined
      ? { output: output.last }
      : last?.output !== undefined && { output: last.output }),
    ...(last !== undefined && { why: last.rationale }),
    ...(failure !== undefined && { failure }),
    ...(own[0] !== undefined && { step: own[0].step }),
    visits: visited.filter((state) => state === id).length,
  };
}
