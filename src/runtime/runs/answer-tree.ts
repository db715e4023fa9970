// Owns: how a run with children is shown: its artifacts are those of its tree, and it waits for what its descendants wait for.
import type { RunAnswer, RunBlocker } from '../../api/index.ts';
import {
  descendantsOf,
  loadRun,
  type Owners,
  type RunState,
  type RunStore,
  type RunSummary,
} from '../../engine/index.ts';
import type { EventStore } from '../../ledger/index.ts';
import { answerRun, viewWaiting } from '../services/views.ts';

export interface RunReader {
  readonly events: EventStore;
  readonly runs: RunStore;
  readonly owners: Owners;
}

/** The reasons to wait, the most urgent first: what a person decides, then budget, then what ends by itself. */
const URGENCY: readonly (readonly string[])[] = [
  ['approval', 'answer'],
  ['budget'],
  ['event'],
  ['paused'],
  ['stopped', 'pending'],
  ['time', 'timer'],
  ['running'],
];
const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];

/** A run as it is shown, with the artifacts and the blockers of its descendants. */
export async function answerTree(run: RunState, reader: RunReader): Promise<RunAnswer> {
  const answer = answerRun(run, reader.owners);
  if (run.used.children === undefined) return answer;
  const below = await descendantsOf({ id: run.id, root: run.lineage.root }, reader.runs);
  if (below.length === 0) return answer;
  const artifacts = await artifactsOf(run, below, reader.runs);
  if (answer.run.waitingFor?.what !== 'children') return { ...answer, run: { ...answer.run, artifacts } };
  const blockers = await blockersOf(run, below, reader);
  const [first] = blockers;
  if (first === undefined) return { ...answer, run: { ...answer.run, artifacts } };
  const { runs: _, ...urgent } = first;
  const waitingFor = { ...urgent, detail: `run ${first.run} waits: ${first.detail}` };
  return { ...answer, run: { ...answer.run, artifacts, waitingFor, blockers } };
}

async function artifactsOf(
  run: RunState,
  below: readonly RunSummary[],
  runs: RunStore,
): Promise<RunState['artifacts']> {
  const members = new Set<string>(below.map(({ id }) => id));
  const keyOf = ({ digest, name = '' }: RunState['artifacts'][number]): string => `${digest} ${name}`;
  const found = [...run.artifacts];
  const known = new Set(found.map(keyOf));
  for (const { run: by, ...artifact } of await runs.artifacts(run.lineage.root)) {
    if (!members.has(by) || known.has(keyOf(artifact))) continue;
    known.add(keyOf(artifact));
    found.push(artifact);
  }
  return found;
}

/** What the descendants wait for. Runs that the same command continues are one blocker. */
async function blockersOf(
  root: RunState,
  below: readonly RunSummary[],
  reader: RunReader,
): Promise<readonly RunBlocker[]> {
  const found: (RunBlocker & { readonly expiresAt?: number })[] = [];
  const needed = new Map<string, { runs: number; amount: number; first: RunBlocker }>();
  for (const summary of below) {
    if (ENDED.includes(summary.status)) continue;
    const run = await loadRun(summary.id, reader);
    const { waiting } = run;
    if (waiting?.for === 'budget' && !run.paused) {
      const before = needed.get(waiting.budget) ?? { runs: 0, amount: 0 };
      const first = { run: run.id, ...viewWaiting(run, waiting) };
      const amount = before.amount + Math.max(1, Math.ceil(waiting.needed));
      needed.set(waiting.budget, { first, ...before, runs: before.runs + 1, amount });
    } else {
      const blocker = blockerOf(run, root, reader.owners);
      if (blocker) found.push(blocker);
    }
  }
  for (const [budget, { runs, amount, first }] of needed) {
    const next = `oka runs resume ${root.id} --add-budget ${budget}=${amount}`;
    found.push({ ...first, next, ...(runs > 1 ? { runs } : {}) });
  }
  const rank = ({ what }: RunBlocker): number => URGENCY.findIndex((group) => group.includes(what));
  found.sort((a, b) => rank(a) - rank(b) || (a.expiresAt ?? 0) - (b.expiresAt ?? 0));
  return mergeSame(found.map(({ expiresAt: _, ...blocker }) => blocker));
}

function blockerOf(
  run: RunState,
  root: RunState,
  owners: Owners,
): (RunBlocker & { readonly expiresAt?: number }) | undefined {
  const { id, waiting, owner } = run;
  const resume = `oka runs resume ${root.id}`;
  if (waiting?.for === 'approval' || waiting?.for === 'answer')
    return { run: id, ...viewWaiting(run, waiting), expiresAt: waiting.expiresAt };
  if (run.paused) return { run: id, what: 'paused', detail: 'is paused', next: resume };
  if (waiting?.for === 'outcome' && waiting.pending.kind === 'children') return undefined;
  if (waiting?.for === 'outcome' && waiting.pending.kind === 'event')
    return { run: id, ...viewWaiting(run, waiting) };
  if (waiting !== undefined) return { run: id, ...viewWaiting(run, waiting), next: resume };
  if (owner === undefined) return { run: id, what: 'pending', detail: 'no process drives it', next: resume };
  if (!owners.isAlive(owner))
    return { run: id, what: 'stopped', detail: 'its process has exited', next: resume };
  return { run: id, what: 'running', detail: `runs in ${owner}`, next: `oka runs show ${root.id}` };
}

/** Timers differ in their detail, so only the first of those with the same command is shown. */
function mergeSame(blockers: readonly RunBlocker[]): readonly RunBlocker[] {
  const merged = new Map<string, RunBlocker>();
  for (const blocker of blockers) {
    const key = `${blocker.what} ${blocker.next}`;
    const first = merged.get(key);
    merged.set(key, first ? { ...first, runs: (first.runs ?? 1) + 1 } : blocker);
  }
  return [...merged.values()];
}
