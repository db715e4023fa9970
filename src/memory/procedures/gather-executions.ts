// Owns: reading finished goals from the ledger. Pure. It never reads the results of tools, so that no content can pose as
// a use of a procedure or a verdict about one.
import { asObject, type Json, type JsonObject } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { kindOfGoal } from './goal-kind.ts';
import { offeredIn } from './offered-in.ts';
import type { ReadGoalPieces } from './ports.ts';
import type { ExecutedCall, Execution, Objection } from './types.ts';

/** Calls that only organise or check other calls. */
const ORGANISING: ReadonlySet<string> = new Set(['engine.run_children', 'assistant.check']);
const CHECK = 'assistant.check';
const POLICY_DENIED = 'engine.policy_denied';

/**
 * The executions of goals, oldest first. A tree is the events of one run without a parent and of all runs below it.
 * Unfinished runs and goals that cannot repeat are left out.
 */
export function gatherExecutions(
  trees: Iterable<readonly LedgerEvent[]>,
  read: ReadGoalPieces,
): readonly Execution[] {
  const executions = [...trees].flatMap((tree) => readTree(tree, read) ?? []);
  executions.sort((a, b) => a.startedAt - b.startedAt || (a.run < b.run ? -1 : 1));
  return withLines(executions);
}

/** The origin of a fork may itself be a fork or a resumed run. */
function withLines(executions: readonly Execution[]): readonly Execution[] {
  const lines = new Map<string, string>();
  return executions.map((execution) => {
    const line = lines.get(execution.line) ?? execution.line;
    lines.set(execution.run, line);
    return { ...execution, line };
  });
}

/** What the events of one tree add up to. */
class Draft {
  readonly calls: ExecutedCall[] = [];
  readonly intended = new Map<string, { readonly tool: string; readonly input: JsonObject }>();
  readonly criteria: JsonObject[] = [];
  readonly setbacks = new Set<string>();
  readonly objections = new Set<Objection>();
  readonly offered = new Set<string>();
  readonly waits = new Waits();
  rejections = 0;
  approvals = 0;
  refusals = 0;
  untrusted = false;
}

function readTree(tree: readonly LedgerEvent[], read: ReadGoalPieces): Execution | undefined {
  const events = [...tree].sort((a, b) => a.seq - b.seq);
  const [first] = events;
  const body = asObject(first?.body);
  const goal = body['goal'];
  if (first?.type !== 'run.started' || typeof goal !== 'string') return undefined;
  const end = events.find(({ stream, type }) => stream === first.stream && type in ENDS);
  const kind = kindOfGoal(goal, read);
  if (end === undefined || kind === undefined) return undefined;
  const draft = new Draft();
  for (const event of events) note(event, draft);
  const { waits, intended: _intended, setbacks, objections, offered, ...figures } = draft;
  const lineage = asObject(first.data['lineage']);
  const run = first.stream.slice('run/'.length);
  const failureCode = end.data['code'];
  const { resumedFrom } = lineage;
  return {
    run,
    line: String(asObject(lineage['forkedFrom'])['run'] ?? lineage['origin'] ?? run),
    ...(typeof resumedFrom === 'string' ? { resumedFrom } : {}),
    goal,
    kind,
    outcome: ENDS[end.type] as Execution['outcome'],
    ...(typeof failureCode === 'string' ? { failureCode } : {}),
    startedAt: first.at,
    endedAt: end.at,
    activeMs: Math.max(0, end.at - first.at - waits.until(end.at)),
    ...figures,
    setbacks: [...setbacks],
    objections: [...objections],
    offered: [...offered],
  };
}

const ENDS: Readonly<Record<string, Execution['outcome']>> = {
  'run.completed': 'completed',
  'run.failed': 'failed',
  'run.cancelled': 'cancelled',
};

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
      const input = asObject(asObject(event.body)['input']);
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
      const { unmet } = asObject(asObject(event.body)['output']);
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

/** Counts requests to users and their answers. */
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

/** Adds the calls that a continuing run took over. Their effects are not known, so they count as effectful. */
function noteCarried(event: LedgerEvent, draft: Draft): void {
  const { evidence } = asObject(asObject(event.body)['base']);
  if (!Array.isArray(evidence)) return;
  for (const one of (evidence as Json[]).map(asObject)) {
    const { source, tool, failure } = one;
    if (source !== 'tool' || typeof tool !== 'string' || failure !== undefined) continue;
    if (!ORGANISING.has(tool)) draft.calls.push({ tool, input: asObject(one['input']), effects: true });
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
  const input = asObject(asObject(event.body)['input']);
  if (tool === CHECK && Array.isArray(input['criteria']))
    draft.criteria.push(...(input['criteria'] as Json[]).map(asObject));
  if (!ORGANISING.has(tool)) draft.calls.push({ tool, input, effects: false });
}

function noteSetback(event: LedgerEvent, draft: Draft): void {
  const { code } = asObject(asObject(event.body)['failure']);
  if (code === POLICY_DENIED) draft.refusals += 1;
  if (typeof code === 'string') draft.setbacks.add(`${event.data['tool']}: ${code}`);
}

function placeOf({ stream, data }: LedgerEvent): string {
  return `${stream}#${data['step']}`;
}

/** The time spent waiting for users; overlapping waits count once. */
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
