import { lostModel } from '../../agent/index.ts';
import type {
  ApprovalView,
  EventView,
  ExplainAnswer,
  RunAnswer,
  RunListItem,
  RunView,
} from '../../api/index.ts';
import {
  type ApprovalSummary,
  dueAt,
  type Explanation,
  type Owners,
  type RunState,
  type RunSummary,
  recoveriesOf,
  statusOf,
  type Waiting,
} from '../../engine/index.ts';
import type { Json } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { showConfinement } from '../process/show-confinement.ts';

/** A run as every face shows it. */
function viewRun(run: RunState, owners: Owners): RunView {
  const lost = lostModel(run.evidence);
  return {
    id: run.id,
    kind: run.kind,
    status: shownStatus(statusOf(run), run.owner, owners),
    state: run.state,
    goal: run.goal,
    graphHash: run.pins.graph,
    ...(run.subject === undefined ? {} : { graph: run.subject }),
    startedAt: run.startedAt,
    budgets: { limits: run.limits, used: run.used },
    artifacts: run.artifacts,
    ...(run.lineage.parent ? { parent: run.lineage.parent } : {}),
    ...(run.lineage.resumedFrom ? { resumedFrom: run.lineage.resumedFrom } : {}),
    ...(run.lineage.forkedFrom ? { forkedFrom: run.lineage.forkedFrom } : {}),
    ...(run.ended ? { endedAt: run.ended.at } : {}),
    ...(run.waiting && !run.ended ? { waitingFor: viewWaiting(run, run.waiting) } : {}),
    ...(lost ? { lostModel: { ...lost } } : {}),
    ...(run.outcome ? { outcome: run.outcome.is, because: run.outcome.because } : {}),
    ...(run.failure ? { failure: { code: run.failure.code, message: run.failure.message } } : {}),
    ...(run.owner === undefined ? {} : { ownerAlive: owners.isAlive(run.owner) }),
  };
}

/** One word for each state of a run on every face. */
export function shownStatus(
  status: RunSummary['status'],
  owner: string | undefined,
  owners: Owners,
): RunView['status'] {
  return status === 'running' && owner !== undefined && !owners.isAlive(owner) ? 'interrupted' : status;
}

export function answerRun(run: RunState, owners: Owners): RunAnswer {
  return { run: viewRun(run, owners), output: run.output ?? null };
}

/** Why a run waits, until when, and the command that continues it. */
export function viewWaiting(run: RunState, waiting: Waiting): NonNullable<RunView['waitingFor']> {
  const until = dueAt(run);
  return { ...viewReason(run, waiting), ...(until === undefined ? {} : { until }) };
}

function viewReason(run: RunState, waiting: Waiting): NonNullable<RunView['waitingFor']> {
  switch (waiting.for) {
    case 'approval': {
      const { call, why } = waiting;
      const { for: _, id: __, call: ___, binding, ...about } = waiting;
      const { notRemembered } = binding ?? {};
      const reason = why === undefined ? '' : `: ${why}`;
      return {
        what: 'approval',
        detail: `${call.tool} ${short(call.input)} needs a person's approval${reason}`,
        next: `oka approvals approve ${waiting.id}`,
        approval: waiting.id,
        request: {
          ...about,
          kind: 'tool',
          tool: call.tool,
          arguments: call.input,
          ...(notRemembered === undefined ? {} : { notRemembered }),
        },
      };
    }
    case 'answer': {
      const { for: _, id, about: kind, ...about } = waiting;
      const call = about.arguments === undefined ? '' : `${about.tool ?? ''} ${short(about.arguments)}: `;
      return {
        what: 'answer',
        detail: `${call}${waiting.question}`,
        next: `oka approvals approve ${id} --answer …`,
        approval: id,
        request: { ...about, kind },
      };
    }
    case 'budget':
      return waitsForBudget(run.id, waiting);
    case 'time':
      return {
        what: 'time',
        detail: `put off until ${new Date(waiting.at).toISOString()}${waiting.busy === undefined ? '' : `: ${waiting.busy}`}`,
        next: `oka runs resume ${run.id}`,
      };
    case 'outcome':
      return viewPending(run, waiting);
  }
}

const MAX_ARGUMENTS_LENGTH = 300;

function short(input: Json): string {
  const written = JSON.stringify(input);
  return written.length > MAX_ARGUMENTS_LENGTH ? `${written.slice(0, MAX_ARGUMENTS_LENGTH)}…` : written;
}

function viewPending(
  run: RunState,
  waiting: Extract<Waiting, { for: 'outcome' }>,
): NonNullable<RunView['waitingFor']> {
  const { pending } = waiting;
  switch (pending.kind) {
    case 'timer':
      return {
        what: 'timer',
        detail: `waits until ${new Date(pending.at).toISOString()}`,
        next: `oka runs resume ${run.id}`,
      };
    case 'event':
      return {
        what: 'event',
        detail: `waits for the event ${pending.event}`,
        next: `oka runs signal ${run.id} ${pending.event}`,
      };
    case 'children': {
      const open = pending.children.filter((child) => pending.ended[child] === undefined);
      return {
        what: 'children',
        detail: `waits for ${open.length} child runs: ${open.slice(0, 5).join(', ')}`,
        next: `oka runs resume ${run.id}`,
      };
    }
  }
}

export function viewListItem(
  run: RunSummary,
  owners: Owners,
  waits?: RunListItem['waitingFor'],
): RunListItem {
  return {
    id: run.id,
    kind: run.kind,
    status: shownStatus(run.status, run.owner, owners),
    ...(waits === undefined ? {} : { waitingFor: waits }),
    goal: run.goal,
    startedAt: run.startedAt,
    ...(run.parent ? { parent: run.parent } : {}),
    ...(run.resumedFrom ? { resumedFrom: run.resumedFrom } : {}),
    ...(run.endedAt === undefined ? {} : { endedAt: run.endedAt }),
    ...(run.failureCode === undefined ? {} : { failureCode: run.failureCode }),
    ...(run.outcome === undefined ? {} : { outcome: run.outcome }),
    ...(run.owner === undefined ? {} : { ownerAlive: owners.isAlive(run.owner) }),
  };
}

export function viewExplanation(explanation: Explanation, run: RunView): ExplainAnswer {
  const { timeline, actions, notes, recoveries, artifacts, cost, untrusted } = explanation;
  return {
    run,
    timeline,
    actions: actions.map((action) => {
      const sandbox = showConfinement(action.output);
      return sandbox === undefined ? action : { ...action, verdicts: [...action.verdicts, sandbox] };
    }),
    notes,
    recoveries,
    artifacts,
    cost: cost as Record<string, number>,
    ...(untrusted === undefined ? {} : { untrusted }),
  };
}

/** An undecided approval past its time has expired, even if the run has not noticed yet. */
export function viewApproval(
  approval: ApprovalSummary,
  { now, root = approval.run }: { readonly now: number; readonly root?: string | undefined },
): ApprovalView {
  const isExpired = approval.status === 'pending' && approval.expiresAt <= now;
  return { ...approval, root, ...(isExpired ? { status: 'expired' } : {}) };
}

export function viewEvent(event: LedgerEvent): EventView {
  const recoveries = recoveriesOf(event);
  return {
    seq: event.seq,
    stream: event.stream,
    index: event.index,
    type: event.type,
    at: event.at,
    actor: event.actor,
    data: event.data as Json,
    ...(event.body === undefined ? {} : { body: event.body }),
    ...(event.bodyErased ? { erased: true as const } : {}),
    chain: event.chain,
    ...(recoveries.length === 0 ? {} : { recoveries }),
  };
}

function waitsForBudget(
  id: string,
  { budget, needed, pool }: Extract<NonNullable<RunState['waiting']>, { for: 'budget' }>,
): { readonly what: string; readonly detail: string; readonly next: string } {
  const amount = budget === 'cost_usd' ? Math.ceil(needed * 100) / 100 : Math.max(1, Math.ceil(needed));
  const add = `oka runs resume ${id} --add-budget ${budget}=${amount}`;
  const [kind, name] = pool?.split('/') ?? [];
  if (kind === 'day')
    return {
      what: 'budget',
      detail: `the daily limit of ${budget} is used up (${name})`,
      next: `wait for the next day (the daemon continues it), or raise daily_limits in config.json; then: oka runs resume ${id}`,
    };
  if (kind === 'conversation')
    return {
      what: 'budget',
      detail: `the limit of ${budget} for the conversation ${name} is used up`,
      next: `raise conversation_limits in config.json; then: oka runs resume ${id}`,
    };
  return {
    what: 'budget',
    detail: pool === undefined ? `the budget ${budget} is used up` : `the ${pool} has used up its ${budget}`,
    next: add,
  };
}
