import type { EpochMs, Failure, Json } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import type { Spend } from './budgets.ts';
import { applyRunEvent } from './fold-run.ts';
import { type Recovery, recoveriesOf } from './recoveries.ts';
import { type RunState, statusOf } from './run-state.ts';
import type { ArtifactRef, ModelUse, RunId, RunStatus } from './types.ts';
import { type UntrustedSource, untrustedSources } from './untrusted-sources.ts';

export interface ExplainedAction {
  readonly step: number;
  readonly at: EpochMs;
  readonly state: string;
  readonly decision: string;
  readonly tool?: string;
  readonly input?: Json;
  readonly rationale: string;
  /** The model that made the decision, its cost and its input. */
  readonly model?: Pick<ModelUse, 'provider' | 'model' | 'spend' | 'manifest'>;
  /** The verdicts of policy, people and budgets. */
  verdicts: string[];
  outcome?: 'ok' | 'failed' | 'refused' | 'pending' | 'waiting';
  output?: Json;
  failure?: Failure;
  artifacts?: readonly ArtifactRef[];
  attempts?: number;
  cached?: boolean;
  /** The run whose outcome of the same idempotency key was used. */
  reused?: string;
  /** A person said what the outcome is. */
  by?: string;
  /** The failure is an answer that the planner expected. */
  expected?: true;
  /** What was done about failures of this action, and why. */
  recoveries?: string[];
}

export interface ExplainedRecovery extends Recovery {
  readonly at: EpochMs;
  readonly step: number;
}

export interface Explanation {
  readonly run: {
    readonly id: RunId;
    readonly kind: string;
    readonly goal: string;
    readonly status: RunStatus;
    readonly state: string;
    readonly startedAt: EpochMs;
    readonly endedAt?: EpochMs;
    readonly output?: Json;
    readonly failure?: Failure;
  };
  readonly timeline: readonly { readonly state: string; readonly at: EpochMs }[];
  readonly actions: readonly ExplainedAction[];
  readonly notes: readonly { readonly at: EpochMs; readonly what: string }[];
  /** Every recovery action, in order. */
  readonly recoveries: readonly ExplainedRecovery[];
  readonly artifacts: readonly ArtifactRef[];
  readonly cost: Spend;
  /** Why the run is untrusted, and what follows from it. */
  readonly untrusted?: {
    readonly sources: readonly UntrustedSource[];
    readonly consequences: readonly string[];
  };
}

interface Draft {
  timeline: { state: string; at: number }[];
  actions: ExplainedAction[];
  notes: { at: number; what: string }[];
  recoveries: ExplainedRecovery[];
}

/** Explains a run from its events: its states, its actions and why, who allowed them, the cost. */
export function explainRun(events: readonly LedgerEvent[]): Explanation | undefined {
  const draft: Draft = { timeline: [], actions: [], notes: [], recoveries: [] };
  let run: RunState | undefined;
  for (const event of events) {
    run = applyRunEvent(run, event);
    const passed = event.type === 'run.started' && event.data['to'] !== undefined;
    if (passed) draft.timeline.push({ state: event.data['state'] as string, at: event.at });
    if (draft.timeline.at(-1)?.state !== run.state) draft.timeline.push({ state: run.state, at: event.at });
    explainEvent(event, draft);
    explainRecoveries(event, draft, run);
  }
  if (run === undefined) return undefined;
  return {
    run: {
      id: run.id,
      kind: run.kind,
      goal: run.goal,
      status: statusOf(run),
      state: run.state,
      startedAt: run.startedAt,
      ...(run.ended ? { endedAt: run.ended.at } : {}),
      ...(run.output === undefined ? {} : { output: run.output }),
      ...(run.failure === undefined ? {} : { failure: run.failure }),
    },
    ...draft,
    artifacts: run.artifacts,
    cost: run.used,
    ...(run.untrusted
      ? { untrusted: { sources: untrustedSources(events), consequences: CONSEQUENCES } }
      : {}),
  };
}

/** What follows from having read untrusted content. */
const CONSEQUENCES: readonly string[] = [
  'it asks before it changes something outside the workspace',
  'it asks before it sets or cancels a reminder',
  'it asks before it changes instructions for agents, hidden files and other files that make programs act',
  'the files and values that it writes are untrusted, and its facts are quarantined (oka memory review)',
  'no procedure is learned from it',
];

/** Events of a planner that came to no decision; what they say is about no action. */
const UNPLANNED = ['run.failed', 'run.deferred', 'budget.exhausted'];

/** Adds what an event says about recovery, also to the action that it is about. */
function explainRecoveries(event: LedgerEvent, draft: Draft, run: RunState): void {
  const found = recoveriesOf(event);
  if (found.length === 0) return;
  const step = (event.data['step'] ?? run.step) as number;
  // A remedy is a step of its own, after the one that failed.
  const about = UNPLANNED.includes(event.type)
    ? undefined
    : (draft.actions.findLast((action) => action.step === step) ?? draft.actions.at(-1));
  for (const recovery of found) {
    draft.recoveries.push({ at: event.at, step, ...recovery });
    if (about === undefined) draft.notes.push({ at: event.at, what: recovery.what });
    else about.recoveries = [...(about.recoveries ?? []), recovery.what];
  }
}

type Loose = Record<string, Json | undefined>;

function explainEvent(event: LedgerEvent, draft: Draft): void {
  const data = event.data as Loose;
  const body = (event.body ?? {}) as Loose;
  const last = draft.actions.at(-1);
  const note = NOTES[event.type]?.(data, body);
  if (note !== undefined) draft.notes.push({ at: event.at, what: note });
  const [outcome, verdict] = VERDICTS[event.type]?.(data, body) ?? [];
  if (last && outcome && verdict) {
    last.outcome = outcome;
    last.verdicts.push(verdict);
  }
  switch (event.type) {
    case 'step.completed':
      draft.actions.push({
        ...action(event, String(data['kind'])),
        ...result(data, body),
        outcome: data['outcome'] as 'ok',
      });
      return;
    case 'tool.intended':
      if (last?.outcome === 'waiting' && last.step === (data['step'] as number) - 1) {
        last.verdicts.push(`executed as step ${data['step']} under approval ${data['approval']}`);
      }
      draft.actions.push({ ...action(event, 'call_tool'), outcome: 'pending' });
      return;
    case 'tool.pending':
      draft.actions.push({ ...action(event, 'call_tool'), outcome: 'pending' });
      return;
    case 'tool.completed':
    case 'tool.failed': {
      const done = draft.actions.findLast((candidate) => candidate.step === data['step']);
      if (done)
        Object.assign(done, result(data, body), {
          outcome: event.type === 'tool.completed' ? 'ok' : 'failed',
        });
      if (data['by'] && done) done.verdicts.push(`outcome set by a ${data['by']}`);
      return;
    }
    case 'artifacts.emitted': {
      const made = draft.actions.findLast((candidate) => candidate.step === data['step']);
      if (made) made.artifacts = (event.body ?? []) as unknown as ArtifactRef[];
      return;
    }
    case 'approval.requested':
      draft.actions.push({
        ...action(event, 'call_tool', body['arguments']),
        outcome: 'waiting',
        verdicts: [`ask${data['rule'] === undefined ? '' : ` (rule ${data['rule']})`}: ${data['why']}`],
      });
      return;
    case 'question.asked':
      draft.actions.push({ ...action(event, 'ask_human', body['question']), outcome: 'waiting' });
      return;
    case 'question.answered':
      if (last) Object.assign(last, { output: body['answer'] });
      return;
    case 'run.completed':
      draft.actions.push({ ...action(event, 'finish'), state: String(data['from']), outcome: 'ok' });
      return;
    case 'run.failed':
      if (data['planned'])
        draft.actions.push({ ...action(event, 'fail'), state: String(data['from']), outcome: 'ok' });
  }
}

/** How a person's decision, or its absence, changes the last action. */
const VERDICTS: Readonly<Record<string, (data: Loose, body: Loose) => ['ok' | 'refused', string]>> = {
  'approval.granted': ({ by, edited }, body) => [
    'ok',
    `approved by ${by}${edited ? `, with edited arguments: ${JSON.stringify(body['arguments'] ?? '(erased)')}` : ''}`,
  ],
  'approval.denied': ({ by }, body) => [
    'refused',
    `denied by ${by}${body['reason'] === undefined ? '' : `: ${body['reason']}`}`,
  ],
  'approval.expired': () => ['refused', 'expired, which counts as a denial'],
  'question.answered': ({ by }) => ['ok', `answered by ${by}`],
};

/** What the notes of a run say about its events. */
const NOTES: Readonly<Record<string, (data: Loose, body: Loose) => string>> = {
  'run.failed': (data, body) =>
    `failed: ${(body['failure'] as unknown as Failure | undefined)?.message ?? data['code']}`,
  'budget.exhausted': ({ budget, used, limit, needed }) =>
    `stopped: the budget ${budget} is used up (${used} of ${limit}; ${needed} more needed)`,
  'run.budget_added': ({ by, amounts }) => `${by} added budget: ${JSON.stringify(amounts)}`,
  'run.claimed': ({ owner }) => `claimed by ${owner}`,
  'run.cancelled': ({ by, reason }) => `cancelled by ${by}: ${reason}`,
  'run.paused': ({ by }) => `paused by ${by}`,
  'run.unpaused': ({ by }) => `resumed by ${by}`,
  'run.deferred': ({ why }) => `deferred: ${why}`,
  'run.signalled': ({ by, event }) => `${by} sent the event ${event}`,
  'run.corrected': ({ by }, { text }) => `${by} corrected: ${text ?? 'erased'}`,
  'run.undone': ({ by, restored, kept }) => `${by} undid the run: ${restored} restored, ${kept} kept`,
  'hook.ran': ({ hook, ok }, { output }) =>
    `hook ${hook} ${ok ? 'ran' : 'failed'}: ${String(output ?? '').trim()}`,
  'child.ended': ({ child, status }, { failure }) => {
    const { message } = (failure ?? {}) as { message?: string };
    return `child run ${child} ${status}${message === undefined ? '' : `: ${message}`}`;
  },
};

function action(event: LedgerEvent, decision: string, input?: Json): ExplainedAction {
  const data = event.data as Loose;
  const body = (event.body ?? {}) as Loose;
  const shown = input ?? body['input'] ?? (data['kind'] === 'transition' ? data['to'] : undefined);
  return {
    step: data['step'] as number,
    at: event.at,
    state: (data['state'] ?? '') as string,
    decision,
    rationale: (body['rationale'] ?? '(erased)') as string,
    verdicts: [
      ...(data['policy'] ? [`policy ${data['policy']}`] : []),
      ...(data['approval'] ? [`under approval ${data['approval']}`] : []),
      ...(data['cached'] ? ['from the cache'] : []),
    ],
    ...(data['tool'] === undefined ? {} : { tool: data['tool'] as string }),
    ...(shown === undefined ? {} : { input: shown }),
    ...(body['model'] === undefined ? {} : { model: askedModel(body['model'] as unknown as ModelUse) }),
  };
}

function askedModel({ provider, model, spend, manifest }: ModelUse): NonNullable<ExplainedAction['model']> {
  return { provider, model, spend, ...(manifest === undefined ? {} : { manifest }) };
}

function result(data: Loose, body: Loose): Partial<ExplainedAction> {
  return {
    ...(body['output'] === undefined ? {} : { output: body['output'] }),
    ...(body['failure'] === undefined ? {} : { failure: body['failure'] as unknown as Failure }),
    ...(data['attempts'] === undefined ? {} : { attempts: data['attempts'] as number }),
    ...(data['cached'] === undefined ? {} : { cached: true }),
    ...(data['reused'] === undefined ? {} : { reused: (data['reused'] as { run: string }).run }),
    ...(data['by'] === undefined ? {} : { by: data['by'] as string }),
    ...(data['expected'] === undefined ? {} : { expected: true as const }),
  };
}
