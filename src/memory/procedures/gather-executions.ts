// Owns: reading finished goals out of the ledger. Pure. What tools gave is never looked into, so that no content can claim
// to be a use of a procedure or a verdict about one.
import type { Json, JsonObject } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { kindOfGoal } from './goal-kind.ts';
import { offeredIn } from './offered-in.ts';
import type { ReadGoalPieces } from './ports.ts';
import type { ExecutedCall, Execution, Objection } from './types.ts';

/** Calls that only arrange or check the work of others. */
const ARRANGING: ReadonlySet<string> = new Set(['engine.run_children', 'assistant.check']);
const CHECK = 'assistant.check';
const POLICY_DENIED = 'engine.policy_denied';

/**
 * The executions of goals. Each tree is the events of one run without a parent and of all the runs below it. Runs that have
 * not ended, and goals that say nothing that repeats, are left out. Oldest first.
 */
export function gatherExecutions(
  trees: Iterable<readonly LedgerEvent[]>,
  read: ReadGoalPieces,
): readonly Execution[] {
  const executions: Execution[] = [];
  for (const tree of trees) {
    const execution = readTree(tree, read);
    if (execution !== undefined) executions.push(execution);
  }
  executions.sort((a, b) => a.startedAt - b.startedAt || (a.run < b.run ? -1 : 1));
  return withLines(executions);
}

/** What a fork is forked from may itself be a fork, or a run that was resumed. */
function withLines(executions: readonly Execution[]): readonly Execution[] {
  const lines = new Map<string, string>();
  return executions.map((execution) => {
    const line = lines.get(execution.line) ?? execution.line;
    lines.set(execution.run, line);
    return { ...execution, line };
  });
}

interface Draft {
  readonly calls: ExecutedCall[];
  readonly intended: Map<string, { readonly tool: string; readonly input: JsonObject }>;
  readonly criteria: JsonObject[];
  readonly setbacks: Set<string>;
  readonly objections: Set<Objection>;
  readonly offered: Set<string>;
  rejections: number;
  approvals: number;
  refusals: number;
  untrusted: boolean;
  readonly waits: Waits;
}

function readTree(tree: readonly LedgerEvent[], read: ReadGoalPieces): Execution | undefined {
  const events = [...tree].sort((a, b) => a.seq - b.seq);
  const [first] = events;
  const body = objectOf(first?.body);
  const goal = body['goal'];
  if (first?.type !== 'run.started' || typeof goal !== 'string') return undefined;
  const end = events.find(({ stream, type }) => stream === first.stream && type in ENDS);
  const kind = kindOfGoal(goal, read);
  if (end === undefined || kind === undefined) return undefined;
  const draft = newDraft();
  for (const event of events) note(event, draft);
  const lineage = objectOf(first.data['lineage']);
  const run = first.stream.slice('run/'.length);
  const failureCode = end.data['code'];
  const { resumedFrom } = lineage;
  return {
    run,
    line: String(objectOf(lineage['forkedFrom'])['run'] ?? lineage['origin'] ?? run),
    ...(typeof resumedFrom === 'string' ? { resumedFrom } : {}),
    goal,
    kind,
    outcome: ENDS[end.type] as Execution['outcome'],
    ...(typeof failureCode === 'string' ? { failureCode } : {}),
    startedAt: first.at,
    endedAt: end.at,
    activeMs: Math.max(0, end.at - first.at - draft.waits.until(end.at)),
    rejections: draft.rejections,
    approvals: draft.approvals,
    refusals: draft.refusals,
    calls: draft.calls,
    setbacks: [...draft.setbacks],
    criteria: draft.criteria,
    objections: [...draft.objections],
    untrusted: draft.untrusted,
    offered: [...draft.offered],
  };
}

const ENDS: Readonly<Record<string, Execution['outcome']>> = {
  'run.completed': 'completed',
  'run.failed': 'failed',
  'run.cancelled': 'cancelled',
};

function newDraft(): Draft {
  return {
    calls: [],
    intended: new Map(),
    criteria: [],
    setbacks: new Set(),
    objections: new Set(),
    offered: new Set(),
    rejections: 0,
    approvals: 0,
    refusals: 0,
    untrusted: false,
    waits: new Waits(),
  };
}

function note(event: LedgerEvent, draft: Draft): void {
  if (event.data['untrusted'] === true) draft.untrusted = true;
  for (const id of offeredIn(event)) draft.offered.add(id);
  switch (event.type) {
    case 'run.started':
      noteCarried(event, draft);
      return;
    case 'step.completed':
      noteStep(event, draft);
      return;
    case 'tool.intended': {
      const input = objectOf(objectOf(event.body)['input']);
      draft.intended.set(placeOf(event), { tool: String(event.data['tool']), input });
      return;
    }
    case 'tool.completed': {
      const call = draft.intended.get(placeOf(event));
      if (call) draft.calls.push({ ...call, effects: true });
      return;
    }
    case 'tool.failed':
      noteSetback(event, draft);
      return;
    case 'run.completed': {
      const { unmet } = objectOf(objectOf(event.body)['output']);
      if (Array.isArray(unmet) && unmet.length > 0) draft.rejections += 1;
      return;
    }
    case 'run.failed':
      if (event.data['code'] === POLICY_DENIED) draft.refusals += 1;
      return;
    default:
      notePeople(event, draft);
  }
}

/** What people were asked and what they said. */
function notePeople(event: LedgerEvent, draft: Draft): void {
  const id = String(event.data['id']);
  switch (event.type) {
    case 'approval.requested':
    case 'question.asked':
      draft.approvals += 1;
      draft.waits.open(id, event.at);
      return;
    case 'approval.denied':
    case 'approval.expired':
      draft.refusals += 1;
      draft.waits.close(id, event.at);
      return;
    case 'approval.granted':
      if (event.data['edited'] === true) draft.objections.add('edited');
      draft.waits.close(id, event.at);
      return;
    case 'question.answered':
      draft.waits.close(id, event.at);
      return;
    case 'run.corrected':
      draft.objections.add('corrected');
      return;
    case 'run.undone':
      draft.objections.add('undone');
      return;
  }
}

/** What a run that goes on from another has taken over. Whether it changed anything is not known, so it counts as if. */
function noteCarried(event: LedgerEvent, draft: Draft): void {
  const { evidence } = objectOf(objectOf(event.body)['base']);
  if (!Array.isArray(evidence)) return;
  for (const one of (evidence as Json[]).map(objectOf)) {
    const { source, tool, failure } = one;
    if (source !== 'tool' || typeof tool !== 'string' || failure !== undefined) continue;
    if (!ARRANGING.has(tool)) draft.calls.push({ tool, input: objectOf(one['input']), effects: true });
  }
}

function noteStep(event: LedgerEvent, draft: Draft): void {
  const { kind, state, to, outcome, tool } = event.data;
  if (kind === 'transition' && state === 'critique' && to === 'plan') draft.rejections += 1;
  if (kind !== 'call_tool' || typeof tool !== 'string') return;
  if (outcome !== 'ok') {
    noteSetback(event, draft);
    return;
  }
  const input = objectOf(objectOf(event.body)['input']);
  if (tool === CHECK && Array.isArray(input['criteria']))
    draft.criteria.push(...(input['criteria'] as Json[]).map(objectOf));
  if (!ARRANGING.has(tool)) draft.calls.push({ tool, input, effects: false });
}

function noteSetback(event: LedgerEvent, draft: Draft): void {
  const { code } = objectOf(objectOf(event.body)['failure']);
  if (code === POLICY_DENIED) draft.refusals += 1;
  if (typeof code === 'string') draft.setbacks.add(`${event.data['tool']}: ${code}`);
}

function placeOf({ stream, data }: LedgerEvent): string {
  return `${stream}#${data['step']}`;
}

/** How long somebody was waited for; overlapping waits count once. */
class Waits {
  readonly #open = new Set<string>();
  #since = 0;
  #total = 0;

  open(id: string, at: number): void {
    if (this.#open.size === 0) this.#since = at;
    this.#open.add(id);
  }

  close(id: string, at: number): void {
    if (this.#open.delete(id) && this.#open.size === 0) this.#total += at - this.#since;
  }

  until(end: number): number {
    return this.#total + (this.#open.size > 0 ? Math.max(0, end - this.#since) : 0);
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
