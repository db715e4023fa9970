// Owns: the record as of an earlier event, fast enough to follow a scrubber through tens of thousands of events: what had ended by
// then is taken from the whole record, and only steps and runs that were open are folded again.

import { foldStep } from './fold-steps.ts';
import { applyToRun, runOf, startRun } from './fold-tree.ts';
import type { RunEvent, RunRecord, Step, TreeRecord } from './types.ts';
import type { Counted } from './used.ts';

/** The record after the first `count` events. */
export function asOf(whole: TreeRecord, count: number): TreeRecord {
  const events = whole.events.slice(0, Math.max(1, count));
  const { seq } = events.at(-1) as RunEvent;
  const then = runsThen(whole, events.length);
  const runs = new Map<string, RunRecord>();
  for (const run of whole.runs.values()) {
    if (run.firstSeq > seq) continue;
    const known = then.get(run.id)?.run ?? run;
    const children = run.children.filter((id) => (whole.runs.get(id)?.firstSeq ?? seq + 1) <= seq);
    runs.set(run.id, run.lastSeq <= seq ? run : { ...known, children, steps: stepsThen(run, seq) });
  }
  const last = events.findLast((event) => runOf(event) !== undefined);
  return { root: runs.get(whole.root.id) ?? whole.root, runs, events, at: last?.at ?? whole.root.startedAt };
}

function stepsThen(run: RunRecord, seq: number): Step[] {
  const steps: Step[] = [];
  for (const step of run.steps) {
    if ((step.events[0] as RunEvent).seq > seq) break;
    steps.push((step.events.at(-1) as RunEvent).seq <= seq ? step : stepThen(run, step, seq));
  }
  return steps;
}

/** Folds the events of one step up to an event. */
function stepThen(run: RunRecord, step: Step, seq: number): Step {
  const alone = { ...run, state: step.state, steps: [] as Step[] };
  const fold = {
    ...{ run: alone, cursor: step.startedAt, hasIntent: false },
    ...{ byStep: new Map(), byApproval: new Map(), retried: new Map() },
  };
  for (const event of step.events) if (event.seq <= seq) foldStep(fold, event);
  return { ...(alone.steps[0] ?? step), key: step.key, step: step.step };
}

const EVERY = 1_024;
type Runs = Map<string, Counted>;
const known = new WeakMap<TreeRecord, readonly Runs[]>();

/** What is known about the runs after `count` events, besides their steps. */
function runsThen(whole: TreeRecord, count: number): Runs {
  const checkpoints = known.get(whole) ?? makeCheckpoints(whole.events);
  known.set(whole, checkpoints);
  const place = Math.floor(count / EVERY);
  const runs = copyOf(checkpoints[place] as Runs);
  for (let index = place * EVERY; index < count; index++) apply(runs, whole.events[index] as RunEvent);
  return runs;
}

function makeCheckpoints(events: readonly RunEvent[]): readonly Runs[] {
  const runs: Runs = new Map();
  const checkpoints = [copyOf(runs)];
  for (const [index, event] of events.entries()) {
    apply(runs, event);
    if ((index + 1) % EVERY === 0) checkpoints.push(copyOf(runs));
  }
  return checkpoints;
}

function apply(runs: Runs, event: RunEvent): void {
  const id = runOf(event);
  if (id === undefined) return;
  const counted = runs.get(id);
  if (counted !== undefined) applyToRun(counted, event);
  else if (event.type === 'run.started')
    runs.set(id, { run: startRun(id, event, parentsIn(runs)), hasIntent: false });
}

/** Only the depth of the parent is needed. */
const parentsIn = (runs: Runs): Pick<ReadonlyMap<string, RunRecord>, 'get'> => ({
  get: (id) => runs.get(id)?.run,
});

function copyOf(runs: Runs): Runs {
  const copy: Runs = new Map();
  for (const [id, { run, hasIntent }] of runs)
    copy.set(id, { run: { ...run, used: { ...run.used }, children: [] }, hasIntent });
  return copy;
}
