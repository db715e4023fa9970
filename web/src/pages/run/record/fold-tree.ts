// Owns: the record of a run and its descendants from their events. Folding the first events gives the record as of then.

import { foldStep } from './fold-steps.ts';
import type { RunFold } from './step-parts.ts';
import {
  bodyOf,
  dataOf,
  type Fields,
  isEnded,
  type RunEvent,
  type RunRecord,
  type RunStatus,
  type TreeRecord,
} from './types.ts';
import { type Counted, countUse } from './used.ts';

/** The run of an event; budgets have streams of their own. */
export const runOf = ({ stream }: RunEvent): string | undefined =>
  stream.startsWith('run/') ? stream.slice('run/'.length) : undefined;

/** Nothing if the events do not start with the start of a run. */
export function foldTree(events: readonly RunEvent[], count = events.length): TreeRecord | undefined {
  const folds = new Map<string, RunFold>();
  const runs = new Map<string, RunRecord>();
  let root: RunRecord | undefined;
  let at = 0;
  for (let place = 0; place < count; place++) {
    const event = events[place] as RunEvent;
    const id = runOf(event);
    if (id === undefined) continue;
    at = event.at;
    const fold = folds.get(id);
    if (fold !== undefined) applyEvent(fold, event);
    else if (event.type === 'run.started') {
      const run = startRun(id, event, runs);
      root ??= run;
      runs.set(id, run);
      folds.set(id, {
        run,
        cursor: event.at,
        hasIntent: false,
        byStep: new Map(),
        byApproval: new Map(),
        retried: new Map(),
      });
    }
  }
  return root && { root, runs, events: events.slice(0, count), at };
}

export function startRun(
  id: string,
  event: RunEvent,
  runs: Pick<ReadonlyMap<string, RunRecord>, 'get'>,
): RunRecord {
  const data = dataOf(event);
  const body = bodyOf(event);
  const lineage = (data['lineage'] ?? {}) as Fields;
  const parent = typeof lineage['parent'] === 'string' ? lineage['parent'] : undefined;
  const above = parent === undefined ? undefined : runs.get(parent);
  above?.children.push(id);
  const base = (body['base'] ?? {}) as Fields;
  return {
    id,
    kind: String(data['kind'] ?? ''),
    goal: String(body['goal'] ?? ''),
    vars: (body['vars'] ?? {}) as Fields,
    ...(parent !== undefined && { parent }),
    depth: above === undefined ? 0 : above.depth + 1,
    startedAt: event.at,
    firstSeq: event.seq,
    children: [],
    steps: [],
    used: { ...(base['used'] as Record<string, number> | undefined) },
    limits: { ...(data['limits'] as Record<string, number> | undefined) },
    status: data['status'] as RunStatus,
    state: String(data['to'] ?? base['state'] ?? data['state'] ?? ''),
    lastSeq: event.seq,
    lastAt: event.at,
    isUndone: false,
  };
}

/** Events that tell the new status by themselves. */
const STATUSES: Readonly<Record<string, RunStatus>> = {
  'run.claimed': 'running',
  'run.released': 'pending',
  'run.unpaused': 'pending',
  'approval.granted': 'pending',
  'approval.denied': 'pending',
  'approval.expired': 'pending',
  'question.answered': 'pending',
  'run.budget_added': 'pending',
};

function applyEvent(fold: RunFold, event: RunEvent): void {
  foldStep(fold, event);
  applyToRun(fold, event);
}

/** Applies an event to everything about a run except for its steps. */
export function applyToRun(counted: Counted, event: RunEvent): void {
  const { run } = counted;
  const data = dataOf(event);
  countUse(counted, event.type, data);
  const status = (data['status'] as RunStatus | undefined) ?? STATUSES[event.type];
  // A child's event has the child's status.
  if (status !== undefined && event.type !== 'child.ended') run.status = status;
  else if (event.type.startsWith('tool.') || event.type === 'step.completed') run.status = 'running';
  const isEntered = event.type !== 'tool.intended' && data['outcome'] !== 'failed';
  if (typeof data['to'] === 'string' && isEntered) run.state = data['to'];
  else if (isEnded(run.status) && typeof data['state'] === 'string') run.state = data['state'];
  if (isEnded(run.status)) run.endedAt ??= event.at;
  if (event.type === 'run.failed') run.failure = failureOf(data, bodyOf(event));
  if (event.type === 'run.undone') run.isUndone = data['kept'] === 0;
  run.lastSeq = event.seq;
  run.lastAt = event.at;
}

function failureOf(data: Fields, body: Fields): { readonly code: string; readonly message: string } {
  const failure = body['failure'] as { code: string; message: string } | undefined;
  return failure ?? { code: String(data['code']), message: 'The reason was erased.' };
}
