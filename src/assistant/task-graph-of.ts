import { applyRunEvent, type RunState, type RunStatus } from '../engine/index.ts';
import type { Failure } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import { RUN_CHILDREN, readProgress, tasksIn } from './progress.ts';
import type { Task } from './task-graph.ts';
import type { Round } from './types.ts';

type TaskStatus = 'pending' | 'running' | 'done' | 'failed' | 'blocked';

/** A task and its current status. */
interface TaskView extends Task {
  readonly status: TaskStatus;
  readonly attempts: number;
  /** The child run that executes it. */
  readonly run?: string;
  readonly failure?: Pick<Failure, 'code' | 'message'>;
}

/** The newest task graph of a run, with the status of its tasks. */
export interface TaskGraphView {
  readonly run: string;
  readonly goal: string;
  readonly state: string;
  /** The number of the plan; more than 1 after a rejection. */
  readonly plan: number;
  readonly tasks: readonly TaskView[];
}

/**
 * The newest task graph in an assistant run's events; undefined before there is one. With `childStatus`, a task whose child run
 * waits is blocked; without it, that task counts as running.
 */
export function taskGraphOf(
  events: Iterable<LedgerEvent>,
  childStatus?: (run: string) => RunStatus | undefined,
): TaskGraphView | undefined {
  let run: RunState | undefined;
  for (const event of events) run = applyRunEvent(run, event);
  return run && taskGraphOfRun(run, childStatus);
}

/** The same for a folded run. */
export function taskGraphOfRun(
  run: Pick<RunState, 'id' | 'goal' | 'state' | 'evidence' | 'waiting'>,
  childStatus: (run: string) => RunStatus | undefined = () => undefined,
): TaskGraphView | undefined {
  const { rounds } = readProgress(run.evidence);
  const round = rounds.at(-1);
  if (round === undefined) return undefined;
  const open = openChildren(run);
  return {
    run: run.id,
    goal: run.goal,
    state: run.state,
    plan: rounds.length,
    tasks: round.graph.tasks.map((task) => viewTask(task, round, open.get(task.id), childStatus)),
  };
}

interface OpenChild {
  readonly run: string;
  readonly ended?: 'done' | 'failed' | undefined;
}

/** The child runs that the newest call waits for, by task. */
function openChildren({ waiting }: Pick<RunState, 'waiting'>): ReadonlyMap<string, OpenChild> {
  if (waiting?.for !== 'outcome' || waiting.tool !== RUN_CHILDREN || waiting.pending.kind !== 'children')
    return new Map();
  const { children, ended } = waiting.pending;
  return new Map(
    tasksIn(waiting.input).map((task, i) => {
      const run = children[i] as string;
      const status = ended[run]?.status;
      return [task, { run, ended: status && (status === 'completed' ? 'done' : 'failed') }];
    }),
  );
}

function viewTask(
  task: Task,
  round: Round,
  open: OpenChild | undefined,
  childStatus: (run: string) => RunStatus | undefined,
): TaskView {
  const { attempts = 0, status, failure } = round.results.get(task.id) ?? {};
  if (open !== undefined) {
    const live = open.ended ?? liveStatus(childStatus(open.run));
    return { ...task, status: live, attempts: attempts + 1, run: open.run };
  }
  if (status === 'done') return { ...task, status, attempts };
  if (status !== undefined) return { ...task, status: 'failed', attempts, ...(failure ? { failure } : {}) };
  return { ...task, status: waitsForFailed(task, round) ? 'blocked' : 'pending', attempts };
}

function liveStatus(status: RunStatus | undefined): TaskStatus {
  return status === 'waiting' || status === 'paused' ? 'blocked' : 'running';
}

/** Whether a task depends, directly or not, on a failed one. */
function waitsForFailed(task: Task, { graph, results }: Round): boolean {
  const needed = new Set(task.depends_on);
  for (const id of needed) {
    const result = results.get(id);
    if (result !== undefined && result.status !== 'done') return true;
    for (const other of graph.tasks.find((one) => one.id === id)?.depends_on ?? []) needed.add(other);
  }
  return false;
}
