// Owns: how each event changes a run. Does not own: deciding or writing.
// I1 The only way to change a RunState is applyRunEvent; live, resumed and replayed runs go through the same code.
import { deepFreeze, type Failure, type Json, sameJson } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import { addSpend, type BudgetName } from './budgets.ts';
import { hostsNamedBy } from './named-hosts.ts';
import type { RunEventBodies, RunEventData, RunEventType } from './run-events.ts';
import { lastFact, type PendingOutcome, type RunState } from './run-state.ts';
import type { CallTool, Evidence, ModelUse, RunId } from './types.ts';

/** Folds a whole stream, or its tail on top of a snapshot. */
export function foldRun(events: Iterable<LedgerEvent>, from?: RunState): RunState | undefined {
  let run = from;
  for (const event of events) run = applyRunEvent(run, event);
  return run;
}

type Handler<Type extends RunEventType> = (
  run: RunState,
  data: RunEventData[Type],
  body: Type extends keyof RunEventBodies ? RunEventBodies[Type] | undefined : undefined,
  event: LedgerEvent,
) => void;

/** Applies one event in place and returns the run. */
export function applyRunEvent(run: RunState | undefined, event: LedgerEvent): RunState {
  if (run === undefined) return startRun(event);
  run.index = event.index;
  run.lastAt = event.at;
  if (SETTLES.has(event.type) && event.data['about'] !== 'unknown_effect') run.reserved = undefined;
  const handler = HANDLERS[event.type as RunEventType] as Handler<RunEventType> | undefined;
  handler?.(run, event.data as never, event.body as never, event);
  if (!run.begun && !BEFORE_WORK.has(event.type)) run.begun = true;
  return run;
}

/** Events that record what the model calls before them have cost. A question about an unknown effect does not know it. */
const SETTLES: ReadonlySet<string> = new Set<RunEventType>([
  'step.completed',
  'tool.intended',
  'tool.completed',
  'tool.failed',
  'tool.withdrawn',
  'tool.pending',
  'remediation.retried',
  'remediation.branched',
  'remediation.substituted',
  'approval.requested',
  'question.asked',
  'budget.exhausted',
  'run.deferred',
  'run.completed',
  'run.failed',
]);

/** Events that may precede the first work on a run. */
const BEFORE_WORK: ReadonlySet<string> = new Set<RunEventType>([
  'run.claimed',
  'run.released',
  'run.repinned',
  'run.pause_requested',
  'run.paused',
  'run.unpaused',
  'run.cancel_requested',
]);

function startRun(event: LedgerEvent): RunState {
  const data = event.data as unknown as RunEventData['run.started'];
  const body = (event.body ?? { goal: '', vars: {} }) as unknown as RunEventBodies['run.started'];
  const state = body.base?.state ?? data.state;
  const run: RunState = {
    id: event.stream.slice('run/'.length) as RunId,
    kind: data.kind,
    goal: body.goal,
    lineage: data.lineage,
    pins: data.pins,
    startedAt: event.at,
    limits: data.limits,
    group: data.group,
    vars: deepFreeze(body.vars),
    index: event.index,
    lastAt: event.at,
    state,
    step: body.base?.step ?? 1,
    evidence: (body.base?.evidence ?? []).map(deepFreeze),
    used: { ...body.base?.used },
    childrenUsed: {},
    stay: { steps: 0, tool_calls: 0, since: 0, last: -1, ...body.base?.stay },
    visits: body.base === undefined ? { [state]: 1 } : { ...body.base.visits },
    latest: { ...body.base?.latest },
    subject: data.subject,
    asked: body.asked,
    artifacts: [...(body.base?.artifacts ?? [])],
    signals: [],
    owner: data.owner,
    epoch: data.epoch,
    begun: false,
    activeMs: 0,
    claimedAt: data.owner === undefined ? undefined : event.at,
    paused: false,
    pauseRequestedBy: undefined,
    cancelRequested: undefined,
    intent: body.base?.intent === undefined ? undefined : { ...body.base.intent },
    waiting: undefined,
    approved: undefined,
    denied: undefined,
    ended: undefined,
    output: undefined,
    failure: undefined,
    repeats: 0,
    untrusted: data.untrusted ?? false,
    namedHosts: body.namedHosts ?? [],
    undone: false,
  };
  if (data.to !== undefined) enter(run, data.to);
  return run;
}

const HANDLERS: { readonly [Type in RunEventType]?: Handler<Type> } = {
  'model.reserved': (run, data) => {
    run.reserved = data.amounts;
  },
  'run.claimed': (run, data, _, event) => {
    if (run.owner !== undefined && run.owner !== data.owner) {
      const before = run.crashes?.step === run.step ? run.crashes.count : 0;
      run.crashes = { step: run.step, count: before + 1 };
    }
    chargeReserved(run);
    run.owner = data.owner;
    run.epoch = data.epoch;
    run.claimedAt = event.at;
    if (run.waiting?.for === 'time') run.waiting = undefined;
  },
  'run.released': release,
  'run.repinned': (run, data) => {
    run.pins = data.pins;
  },
  'evidence.recalled': (run, data, body) => {
    noteContent(run, data);
    for (const fact of body ?? []) run.evidence.push(deepFreeze(fact));
    run.stay.since = run.evidence.length;
  },
  'step.completed': (run, data, body) => {
    countStep(run, data);
    noteContent(run, data);
    const { step, state } = data;
    addModelResponse(run, data, body?.model);
    if (data.kind === 'call_tool') {
      const marked = untrustedMark(body);
      addToolResult(run, { step, state, source: 'tool', tool: data.tool as string, ...marked }, body);
      run.approved = undefined;
      run.denied = undefined;
    } else if (body?.output !== undefined)
      addEvidence(run, { step, state, source: 'decision', output: body.output });
    if (data.to !== undefined && data.outcome === 'ok') enter(run, data.to, data.of);
  },
  'remediation.retried': (run, data) => {
    countStep(run, data);
    addEvidence(run, { step: data.step, state: data.state, source: 'remedy' });
    run.waiting = { for: 'time', at: data.at };
    release(run);
  },
  'remediation.branched': (run, data) => {
    countStep(run, data);
    enter(run, data.to, run.stay.last);
  },
  'remediation.substituted': (run, data, body) => {
    countStep(run, data);
    addEvidence(run, { step: data.step, state: data.state, source: 'remedy', output: body?.output ?? null });
    enter(run, data.to);
  },
  'tool.intended': (run, data, body, event) => {
    addModelResponse(run, data, body?.model);
    const call: CallTool = {
      kind: 'call_tool',
      tool: data.tool,
      input: body?.input ?? null,
      rationale: body?.rationale ?? '',
      ...(data.to === undefined ? {} : { then: data.to }),
      ...(data.timeoutMs === undefined ? {} : { timeoutMs: data.timeoutMs }),
      ...(data.keyed ? { idempotencyKey: data.key } : {}),
    };
    run.approved = undefined;
    run.intent = {
      step: data.step,
      call,
      key: data.key,
      at: event.at,
      ...(data.keyed ? { keyed: true } : {}),
      ...(data.policy === undefined ? {} : { policy: data.policy }),
      ...(data.approval === undefined ? {} : { approval: data.approval }),
      ...given({ binding: body?.binding }),
    };
    countStep(run, { step: data.step, spend: data.spend });
  },
  'tool.completed': (run, data, body) => {
    settleCall(run, data, { output: body?.output ?? null }, untrustedMark(body));
    if (data.to !== undefined) enter(run, data.to);
  },
  'tool.failed': (run, data, body) => settleCall(run, data, { ...body }, untrustedMark(body)),
  'tool.withdrawn': (run) => {
    run.intent = undefined;
  },
  'artifacts.emitted': (run, _, body) => {
    run.artifacts.push(...(body ?? []));
  },
  'tool.retried': (run) => {
    if (run.intent === undefined) return;
    delete run.intent.answer;
    run.intent.attempts = (run.intent.attempts ?? 1) + 1;
  },
  'tool.pending': (run, data, body) => {
    addModelResponse(run, data, body?.model);
    if (run.intent) countCalls(run, 1);
    else countStep(run, { step: data.step, kind: 'call_tool' });
    if (data.spend) addSpend(run.used, data.spend);
    noteContent(run, data);
    run.intent = undefined;
    run.approved = undefined;
    const pending: PendingOutcome =
      data.kind === 'children'
        ? {
            kind: 'children',
            children: data.children ?? [],
            onError: data.onError ?? 'fail',
            ended: {},
            ...(data.single ? { single: true } : {}),
            ...(data.concurrency === undefined ? {} : { concurrency: data.concurrency }),
          }
        : data.kind === 'timer'
          ? { kind: 'timer', at: data.at ?? 0 }
          : { kind: 'event', event: data.event ?? '', ...(data.at === undefined ? {} : { at: data.at }) };
    run.waiting = {
      for: 'outcome',
      step: data.step,
      tool: data.tool,
      input: body?.input ?? null,
      pending,
      ...(data.to === undefined ? {} : { to: data.to }),
    };
    release(run);
  },
  'child.ended': (run, data, body) => {
    addSpend(run.used, data.used);
    addSpend(run.childrenUsed, data.used);
    noteContent(run, data);
    nameHosts(run, body?.namedHosts);
    const waiting = run.waiting;
    if (waiting?.for === 'outcome' && waiting.pending.kind === 'children') {
      waiting.pending.ended[data.child] = {
        status: data.status,
        ...given({ output: body?.output, failure: body?.failure }),
      };
    }
  },
  'run.signalled': (run, data, body) => {
    run.signals.push({ event: data.event, payload: body ?? null });
  },
  'approval.requested': (run, data, body) => {
    countStep(run, data);
    addModelResponse(run, data, body?.model);
    run.waiting = {
      for: 'approval',
      id: data.id,
      argumentsHash: data.argumentsHash,
      expiresAt: data.expiresAt,
      ...given({ why: data.why, rule: data.rule, risk: data.risk, sideEffect: data.sideEffect }),
      ...given({ effect: body?.effect, binding: body?.binding, known: body?.known }),
      call: {
        kind: 'call_tool',
        tool: data.tool,
        input: body?.arguments ?? null,
        rationale: body?.rationale ?? '',
        ...(data.to === undefined ? {} : { then: data.to }),
        ...(data.key === undefined ? {} : { idempotencyKey: data.key }),
        ...(data.timeoutMs === undefined ? {} : { timeoutMs: data.timeoutMs }),
        ...(data.retries === undefined ? {} : { retries: data.retries }),
      },
    };
    run.approved = undefined;
    release(run);
  },
  'approval.granted': (run, data, body) => {
    if (run.waiting?.for !== 'approval' || run.waiting.id !== data.id) return;
    const call = data.edited ? { ...run.waiting.call, input: body?.arguments ?? null } : run.waiting.call;
    const binding = data.edited ? body?.binding : run.waiting.binding;
    nameHosts(run, body?.namedHosts);
    run.approved = { id: data.id, call, argumentsHash: data.argumentsHash, ...given({ binding }) };
    run.waiting = undefined;
  },
  'approval.denied': (run, data, body) =>
    refuse(run, data.id, 'engine.approval_denied', given({ reason: body?.reason })),
  'approval.expired': (run, data) => refuse(run, data.id, 'engine.approval_expired'),
  'question.asked': (run, data, body) => {
    if (data.about === 'question') countStep(run, data);
    addModelResponse(run, data, body?.model);
    run.waiting = {
      for: 'answer',
      about: data.about,
      id: data.id,
      question: body?.question ?? '',
      expiresAt: data.expiresAt,
      ...(body?.options === undefined ? {} : { options: body.options }),
      ...given({ tool: data.tool, risk: data.risk, sideEffect: data.sideEffect }),
      ...given({
        arguments: body?.arguments,
        effect: body?.effect,
        known: body?.known,
        answers: body?.answers,
      }),
    };
    release(run);
  },
  'question.answered': (run, data, body) => {
    if (run.waiting?.for !== 'answer' || run.waiting.id !== data.id) return;
    if (run.waiting.about === 'unknown_effect' && run.intent) run.intent.answer = body?.answer ?? '';
    else {
      // Options are the planner's words, and not the person's.
      if (run.waiting.options === undefined) nameHosts(run, hostsNamedBy(body?.answer ?? ''));
      const answer = { question: run.waiting.question, answer: body?.answer ?? '', by: data.by };
      addEvidence(run, { step: run.step - 1, state: run.state, source: 'person', output: answer });
    }
    run.waiting = undefined;
  },
  'budget.exhausted': (run, data) => {
    if (data.spend) addSpend(run.used, data.spend);
    const { budget, needed, used, limit, pool } = data;
    run.waiting = {
      for: 'budget',
      budget: budget as BudgetName,
      needed,
      left: limit - used,
      ...(pool === undefined ? {} : { pool }),
    };
    release(run);
  },
  'run.deferred': (run, data) => {
    if (data.spend) addSpend(run.used, data.spend);
    const isBusy = data.spend?.wait_ms !== undefined;
    if (isBusy) {
      const before = run.busy?.step === run.step ? run.busy.attempts : 0;
      run.busy = { step: run.step, attempts: before + 1 };
    }
    run.waiting = { for: 'time', at: data.at, ...(isBusy ? { busy: data.why } : {}) };
    release(run);
  },
  'run.budget_added': (run, data) => {
    const limits: { [name in BudgetName]?: number } = { ...run.limits };
    for (const name in data.amounts) {
      const key = name as BudgetName;
      const limit = limits[key];
      if (limit !== undefined) limits[key] = limit + (data.amounts[key] ?? 0);
    }
    run.limits = limits;
    // What a person adds also applies to the current visit of a state with a limit of its own.
    run.stay.steps -= data.amounts.steps ?? 0;
    run.stay.tool_calls -= data.amounts.tool_calls ?? 0;
    if (run.waiting?.for === 'budget') run.waiting = undefined;
  },
  'run.pause_requested': (run, data) => {
    run.pauseRequestedBy = data.by;
  },
  'run.paused': (run) => {
    run.paused = true;
    run.pauseRequestedBy = undefined;
    release(run);
  },
  'run.unpaused': (run) => {
    run.paused = false;
    run.pauseRequestedBy = undefined;
  },
  'run.cancel_requested': (run, data) => {
    run.cancelRequested = data;
  },
  'run.cancelled': (run, data, _, event) => {
    run.failure = { code: 'engine.cancelled', message: data.reason };
    end(run, 'cancelled', event);
  },
  'run.completed': (run, data, body, event) => {
    if (data.spend) addSpend(run.used, data.spend);
    run.state = data.state;
    run.output = body?.output ?? null;
    if (data.outcome) run.outcome = { is: data.outcome, because: body?.because ?? [] };
    end(run, 'completed', event);
  },
  'run.failed': (run, data, body, event) => {
    if (data.spend) addSpend(run.used, data.spend);
    run.state = data.state;
    run.failure = body?.failure ?? { code: data.code, message: 'the reason was erased' };
    end(run, 'failed', event);
  },
  'run.undone': (run, data) => {
    run.undone = data.kept === 0;
  },
};

/** The members that are not undefined, which older events lack. */
function given<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: NonNullable<Members[Name]>;
  };
}

function countStep(run: RunState, data: Partial<RunEventData['step.completed']>): void {
  run.step = (data.step ?? run.step) + 1;
  run.used.steps = (run.used.steps ?? 0) + 1;
  run.stay.steps += 1;
  if (data.kind === 'call_tool' && data.outcome !== 'refused' && !data.cached && !data.reused)
    countCalls(run, data.attempts ?? 1);
  if (data.spend) addSpend(run.used, data.spend);
}

function countCalls(run: RunState, attempts: number): void {
  run.used.tool_calls = (run.used.tool_calls ?? 0) + attempts;
  run.stay.tool_calls += attempts;
  if (attempts > 1) run.used.retries = (run.used.retries ?? 0) + attempts - 1;
}

/** Closes the open intent or the pending outcome, and adds its result. */
function settleCall(
  run: RunState,
  data: RunEventData['tool.failed'],
  result: Content,
  marked: { untrusted?: true },
): void {
  const input = run.intent?.call.input ?? (run.waiting?.for === 'outcome' ? run.waiting.input : null);
  if (run.intent) countCalls(run, data.attempts ?? 1);
  else if (run.waiting?.for === 'outcome') {
    const { pending } = run.waiting;
    const taken =
      pending.kind === 'event' ? run.signals.findIndex((signal) => signal.event === pending.event) : -1;
    if (taken >= 0) run.signals.splice(taken, 1);
  }
  run.intent = undefined;
  run.waiting = undefined;
  noteContent(run, data);
  if (data.spend) addSpend(run.used, data.spend);
  const { step, tool } = data;
  addToolResult(run, { step, state: run.state, source: 'tool', tool, ...marked }, { input, ...result });
}

/** What a person names stays named for the run. */
function nameHosts(run: RunState, hosts: readonly string[] = []): void {
  if (hosts.length > 0) run.namedHosts = [...new Set([...(run.namedHosts ?? []), ...hosts])];
}

/** A run that has read untrusted content stays so. */
function noteContent(run: RunState, data: { readonly untrusted?: true | undefined }): void {
  if (data.untrusted) run.untrusted = true;
}

/** Marks the result of a call that read untrusted content, so that a model sees it marked. */
function untrustedMark(body: { readonly untrustedFrom?: string | undefined } | undefined): {
  untrusted?: true;
} {
  return body?.untrustedFrom === undefined ? {} : { untrusted: true };
}

type Content = { input?: Json | undefined; output?: Json | undefined; failure?: Failure | undefined };

function addToolResult(
  run: RunState,
  fact: Evidence & { input?: Json; output?: Json; failure?: Failure },
  content: Content | undefined,
): void {
  if (content?.input !== undefined) fact.input = content.input;
  if (content?.output !== undefined) fact.output = content.output;
  if (content?.failure !== undefined) fact.failure = content.failure;
  const last = lastFact(run);
  const again =
    last?.source === 'tool' &&
    last.tool === fact.tool &&
    sameJson(last.input, fact.input) &&
    sameJson(last.output, fact.output) &&
    last.failure?.code === fact.failure?.code;
  run.repeats = again ? run.repeats + 1 : 1;
  addEvidence(run, fact);
}

/** Stores a model's response as evidence for the next planner call. */
function addModelResponse(
  run: RunState,
  { step, state }: { readonly step: number; readonly state: string },
  model: ModelUse | undefined,
): void {
  if (model?.response !== undefined)
    addEvidence(run, { step, state, source: 'model', output: model.response });
}

function addEvidence(run: RunState, fact: Evidence): void {
  run.evidence.push(deepFreeze(fact));
}

/** Enters another state. `of` is the evidence index of the result, if that is not the newest output. */
function enter(run: RunState, state: string, of?: number): void {
  const last = of ?? indexOfOutput(run);
  run.latest[run.state] = last;
  run.state = state;
  run.visits[state] = (run.visits[state] ?? 0) + 1;
  run.stay = { steps: 0, tool_calls: 0, since: run.evidence.length, last };
}

function indexOfOutput({ evidence, stay }: RunState): number {
  for (let place = evidence.length - 1; place >= stay.since; place--)
    if (evidence[place]?.output !== undefined && evidence[place]?.source !== 'model') return place;
  return stay.last;
}

/** Model calls that were under way when their process stopped may have been made, so they are charged in full. */
function chargeReserved(run: RunState): void {
  if (run.reserved) addSpend(run.used, run.reserved);
  run.reserved = undefined;
}

function release(run: RunState, ..._: readonly unknown[]): void {
  chargeReserved(run);
  if (run.claimedAt !== undefined) run.activeMs += Math.max(0, run.lastAt - run.claimedAt);
  run.owner = undefined;
  run.claimedAt = undefined;
}

function refuse(
  run: RunState,
  id: string,
  code: 'engine.approval_denied' | 'engine.approval_expired',
  why: { readonly reason?: string } = {},
): void {
  const call = run.waiting?.for === 'approval' ? { call: run.waiting.call } : {};
  run.denied = { id, code, ...call, ...why };
  run.waiting = undefined;
}

function end(run: RunState, status: 'completed' | 'failed' | 'cancelled', event: LedgerEvent): void {
  release(run);
  run.ended = { status, at: event.at };
  run.waiting = undefined;
  run.intent = undefined;
  run.approved = undefined;
}
