// Owns: the status of each node of a graph in a run, and the run's checkpoints. Pure.
import type { CheckpointView } from '../../api/index.ts';
import { applyRunEvent, type RunState } from '../../engine/index.ts';
import type { GraphDefinition, NodeStatus, RunStatuses } from '../../graph/index.ts';
import type { Failure, Json } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';

/** The status of each node, for drawings. */
export function nodeStatuses(
  definition: GraphDefinition,
  run: RunState,
  events: readonly LedgerEvent[],
): RunStatuses {
  const last = events.findLast(({ type }) => type === 'run.failed' || type === 'run.completed');
  const from = last?.data['from'] as string | undefined;
  const nodes = new Map(
    definition.nodes.map(({ node_id: id }) => {
      const visits = Object.hasOwn(run.visits, id) ? (run.visits[id] ?? 0) : 0;
      return [id, { status: statusOfNode(id, visits, run, from), visits }];
    }),
  );
  const status = run.ended?.status ?? (run.waiting ? 'waiting' : run.paused ? 'paused' : 'running');
  return { run: run.id, status, nodes };
}

function statusOfNode(id: string, visits: number, run: RunState, endedIn: string | undefined): NodeStatus {
  if (visits === 0) return run.ended ? 'skipped' : 'waiting';
  if (run.ended?.status === 'failed' && id === endedIn) return 'failed';
  if (!run.ended && id === run.state) return 'running';
  return 'completed';
}

const MOVES = new Set([
  'step.completed',
  'tool.completed',
  'tool.failed',
  'remediation.retried',
  'remediation.branched',
  'remediation.substituted',
  'question.asked',
  'approval.requested',
  'run.failed',
]);

/** One checkpoint per event that moved the run to a node. */
export function checkpointsOf(events: readonly LedgerEvent[]): CheckpointView[] {
  const checkpoints: CheckpointView[] = [];
  let folded: RunState | undefined;
  for (const event of events) {
    const run = applyRunEvent(folded, event);
    folded = run;
    const moves = event.type === 'run.started' ? event.data['to'] !== undefined : MOVES.has(event.type);
    if (!moves) continue;
    const failure = (event.body as { failure?: Failure } | undefined)?.failure;
    const last = run.stay.last < 0 ? run.vars['input'] : run.evidence[run.stay.last]?.output;
    checkpoints.push({
      step: event.type === 'run.started' ? 0 : ((event.data['step'] as number | undefined) ?? run.step),
      node: event.type === 'run.failed' ? (event.data['from'] as string) : run.state,
      at: event.at,
      status: failure ? 'failed' : run.waiting ? 'waiting' : 'ok',
      last: (last ?? null) as Json,
      ...(failure ? { failure: { code: failure.code, message: failure.message } } : {}),
    });
  }
  return checkpoints;
}
