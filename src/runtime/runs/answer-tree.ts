// Owns: how a run with children is shown: its artifacts are those of its tree and of the attempts that it continues, and it
// waits for what its descendants wait for.
import type { RunAnswer, RunBlocker } from '../../api/index.ts';
import {
  canUndo,
  descendantsOf,
  earlierAttempts,
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
  ['interrupted', 'pending'],
  ['time', 'timer'],
  ['running'],
];
/** The rank of a reason to wait: the smallest is the most urgent. */
export function urgencyOf(what: string): number {
  return URGENCY.findIndex((group) => group.includes(what));
}
const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];

/** A run as it is shown, with the artifacts and the blockers of its descendants. */
export async function answerTree(run: RunState, reader: RunReader): Promise<RunAnswer> {
  const earlier = await earlierAttempts(run, reader);
  const alone = await withUndo(withAttempts(answerRun(run, reader.owners), earlier), run, reader);
  if (run.used.children === undefined) return alone;
  const below = await descendantsOf({ id: run.id, root: run.lineage.root }, reader.runs);
  const artifacts = await artifactsOf(
    [{ run, below }, ...(await treesOf(earlier, reader.runs))],
    reader.runs,
  );
  const answer = { ...alone, run: { ...alone.run, artifacts } };
  if (answer.run.waitingFor?.what !== 'children') return answer;
  const blockers = await blockersOf(run, below, reader);
  const [first] = blockers;
  if (first === undefined) return answer;
  const { runs: _, ...urgent } = first;
  const waitingFor = { ...urgent, detail: `run ${first.run} waits: ${first.detail}` };
  return { ...answer, run: { ...answer.run, waitingFor, blockers } };
}

/** A run that still works may change more, so nothing is offered yet. */
async function withUndo(answer: RunAnswer, run: RunState, reader: RunReader): Promise<RunAnswer> {
  if (answer.run.status === 'running' || !(await canUndo(run, reader))) return answer;
  return { ...answer, run: { ...answer.run, undoable: true } };
}

function withAttempts(answer: RunAnswer, earlier: readonly RunState[]): RunAnswer {
  if (earlier.length === 0) return answer;
  return { ...answer, run: { ...answer.run, attempts: earlier.map(({ id }) => id) } };
}

interface Tree {
  readonly run: RunState;
  readonly below: readonly RunSummary[];
}

async function treesOf(attempts: readonly RunState[], runs: RunStore): Promise<readonly Tree[]> {
  return Promise.all(
    attempts.map(async (run) => ({
      run,
      below: await descendantsOf({ id: run.id, root: run.lineage.root }, runs),
    })),
  );
}

/** What the runs of the trees have emitted, each content of a name once. */
async function artifactsOf(trees: readonly Tree[], runs: RunStore): Promise<RunState['artifacts']> {
  const found = new Map<string, RunState['artifacts'][number]>();
  const add = (artifact: RunState['artifacts'][number]): void => {
    const key = `${artifact.digest} ${artifact.name ?? ''}`;
    if (!found.has(key)) found.set(key, artifact);
  };
  for (const { run, below } of trees) {
    const members = new Set<string>(below.map(({ id }) => id));
    run.artifacts.forEach(add);
    for (const { run: by, ...artifact } of await runs.artifacts(run.lineage.root))
      if (members.has(by)) add(artifact);
  }
  return [...found.values()];
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
  found.sort((a, b) => urgencyOf(a.what) - urgencyOf(b.what) || (a.expiresAt ?? 0) - (b.expiresAt ?? 0));
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
    return { run: id, what: 'interrupted', detail: 'its process has exited', next: resume };
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
