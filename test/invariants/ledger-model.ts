// Owns: what the ledger says about each run, read plainly from the events as they are stored. It shares no code with the
// engine's own fold, so that the two can be compared.
import type { BudgetLimits } from '../../src/engine/index.ts';
import { canonicalJson, type Json } from '../../src/kernel/index.ts';
import type { LedgerEvent } from '../../src/ledger/index.ts';

/** A recorded intent and what became of it. */
export interface IntentFacts {
  readonly run: string;
  readonly index: number;
  readonly step: number;
  readonly tool: string;
  readonly key: string;
  readonly input: string;
  outcomes: number;
  questions: number;
  /** How often a person said that it should be tried again. */
  retriesGranted: number;
  open: boolean;
  /** Its outcome on record is a failure. */
  failed: boolean;
}

export interface ApprovalFacts {
  readonly id: string;
  readonly run: string;
  readonly tool: string;
  readonly requestedHash: string;
  readonly expiresAt: number;
  status: 'pending' | 'approved' | 'denied' | 'expired';
}

/** A call as its outcome tells it. */
export interface RecordedCall {
  readonly index: number;
  readonly step: number;
  readonly tool: string;
  readonly input: string;
  readonly outcome: 'ok' | 'failed' | 'refused' | 'pending';
  readonly attempts: number;
  readonly cached: boolean;
  /** A person told the outcome; no handler did. */
  readonly told: boolean;
  readonly output: Json | undefined;
}

export interface RunFacts {
  readonly id: string;
  readonly parent: string | undefined;
  readonly root: string;
  readonly depth: number;
  readonly origin: string;
  readonly resumedFrom: string | undefined;
  readonly limits: BudgetLimits;
  readonly moves: { readonly from: string; readonly to: string; readonly by: string }[];
  readonly intents: IntentFacts[];
  readonly calls: RecordedCall[];
  /** Event types that came after the end. */
  readonly afterEnd: string[];
  /** Events that name another state than the run was in. */
  readonly misplaced: string[];
  /** How often a person was asked whether an effect had happened. */
  unknownAsked: number;
  state: string;
  ended: 'completed' | 'failed' | 'cancelled' | undefined;
  steps: number;
  spentUsd: number;
}

type Loose = Readonly<Record<string, Json | undefined>>;

/** What may still be said about a run that has ended: nothing that moves it. */
const HARMLESS_AFTER_END = new Set(['child.ended', 'run.corrected', 'run.undo_intended', 'run.undone']);

const STEPS = new Set(['step.completed', 'tool.intended', 'approval.requested', 'question.asked']);

export class LedgerModel {
  readonly runs = new Map<string, RunFacts>();
  readonly approvals = new Map<string, ApprovalFacts>();
  seq = 0;

  see = (events: readonly LedgerEvent[]): void => {
    for (const event of events) {
      this.seq = event.seq;
      if (event.stream.startsWith('run/')) this.#seeRunEvent(event);
    }
  };

  run(id: string): RunFacts {
    const run = this.runs.get(id);
    if (run === undefined) throw new Error(`the ledger knows no run ${id}`);
    return run;
  }

  tree(root: string): RunFacts[] {
    return [...this.runs.values()].filter((run) => run.root === root);
  }

  /** True when a run above this one is over. */
  isOrphaned(run: RunFacts): boolean {
    const parent = run.parent === undefined ? undefined : this.run(run.parent);
    return parent !== undefined && (parent.ended !== undefined || this.isOrphaned(parent));
  }

  /** The run and everything below it. */
  subtree(id: string): RunFacts[] {
    const below = [...this.runs.values()].filter((run) => run.parent === id);
    return [this.run(id), ...below.flatMap((run) => this.subtree(run.id))];
  }

  #seeRunEvent(event: LedgerEvent): void {
    const id = event.stream.slice('run/'.length);
    const data = event.data as Loose;
    const body = (event.body ?? {}) as Loose;
    if (event.type === 'run.started') {
      this.runs.set(id, started(id, data, body));
      return;
    }
    const run = this.run(id);
    if (run.ended !== undefined) {
      if (!HARMLESS_AFTER_END.has(event.type)) run.afterEnd.push(event.type);
      if (HARMLESS_AFTER_END.has(event.type)) return;
    }
    const named =
      event.type === 'run.completed' || event.type === 'run.failed' ? data['from'] : data['state'];
    if (named !== undefined && named !== run.state)
      run.misplaced.push(`${event.type} in ${named} while in ${run.state}`);
    if (takesStep(run, event.type, data)) run.steps += 1;
    run.spentUsd += ((data['spend'] as { cost_usd?: number } | undefined)?.cost_usd ?? 0) as number;
    this.#fold(run, event, data, body);
  }

  #fold(run: RunFacts, event: LedgerEvent, data: Loose, body: Loose): void {
    const move = (to: Json | undefined): void => {
      if (typeof to !== 'string') return;
      run.moves.push({ from: run.state, to, by: event.type });
      run.state = to;
    };
    const open = run.intents.find((intent) => intent.open);
    switch (event.type) {
      case 'step.completed':
        if (data['kind'] === 'call_tool')
          run.calls.push(toCall(event, data, body, canonicalJson(body['input'] ?? null)));
        if (data['outcome'] === 'ok') move(data['to']);
        return;
      case 'tool.intended':
        run.intents.push(toIntent(run.id, event, data, body));
        return;
      case 'tool.pending':
        run.calls.push({
          ...toCall(event, data, body, canonicalJson(body['input'] ?? null)),
          outcome: 'pending',
        });
        if (open) settle(open);
        return;
      case 'tool.completed':
      case 'tool.failed':
        if (open) {
          settle(open);
          open.failed = event.type === 'tool.failed';
          run.calls.push({
            ...toCall(event, data, body, open.input),
            outcome: event.type === 'tool.completed' ? 'ok' : 'failed',
          });
        }
        move(data['to']);
        return;
      case 'question.asked':
        if (data['about'] !== 'unknown_effect') return;
        run.unknownAsked += 1;
        if (open) open.questions += 1;
        return;
      case 'question.answered':
        if (open && body['answer'] === 'retry') open.retriesGranted += 1;
        return;
      case 'approval.requested':
        this.approvals.set(String(data['id']), toApproval(run.id, data));
        return;
      case 'approval.granted':
      case 'approval.denied':
      case 'approval.expired':
        this.#decide(event.type, String(data['id']));
        return;
      case 'run.completed':
      case 'run.failed':
        move(data['state'] === run.state && event.type === 'run.failed' ? undefined : data['state']);
        run.ended = event.type === 'run.completed' ? 'completed' : 'failed';
        return;
      case 'run.cancelled':
        run.ended = 'cancelled';
        return;
    }
  }

  #decide(type: string, id: string): void {
    const approval = this.approvals.get(id);
    if (approval === undefined) return;
    approval.status =
      type === 'approval.granted' ? 'approved' : type === 'approval.denied' ? 'denied' : 'expired';
  }
}

/** What a run takes over from the one that it goes on from: where it was, and an effect that nobody knows about. */
interface CarriedOver {
  readonly state?: string;
  readonly intent?: {
    readonly step: number;
    readonly key: string;
    readonly call: { readonly tool: string; readonly input: Json };
  };
}

function carriedIntent(run: string, intent: NonNullable<CarriedOver['intent']>): IntentFacts {
  const { step, key, call } = intent;
  const input = canonicalJson(call.input);
  return {
    run,
    index: 0,
    step,
    tool: call.tool,
    key,
    input,
    outcomes: 0,
    questions: 0,
    retriesGranted: 0,
    open: true,
    failed: false,
  };
}

/** Whether an event uses up a step: what tells more of a step that was taken before does not. */
function takesStep(run: RunFacts, type: string, data: Loose): boolean {
  if (type === 'tool.pending') return !run.intents.some((intent) => intent.open);
  return STEPS.has(type) && data['about'] !== 'unknown_effect';
}

function started(id: string, data: Loose, body: Loose): RunFacts {
  const lineage = data['lineage'] as Loose;
  const base = body['base'] as CarriedOver | undefined;
  return {
    id,
    parent: lineage['parent'] as string | undefined,
    root: lineage['root'] as string,
    depth: lineage['depth'] as number,
    origin: lineage['origin'] as string,
    resumedFrom: lineage['resumedFrom'] as string | undefined,
    limits: data['limits'] as BudgetLimits,
    moves: [],
    intents: base?.intent === undefined ? [] : [carriedIntent(id, base.intent)],
    calls: [],
    afterEnd: [],
    misplaced: [],
    unknownAsked: 0,
    state: base?.state ?? (data['state'] as string),
    ended: undefined,
    steps: 0,
    spentUsd: 0,
  };
}

function settle(intent: IntentFacts): void {
  intent.outcomes += 1;
  intent.open = false;
}

function toIntent(run: string, event: LedgerEvent, data: Loose, body: Loose): IntentFacts {
  return {
    run,
    index: event.index,
    step: data['step'] as number,
    tool: data['tool'] as string,
    key: data['key'] as string,
    input: canonicalJson(body['input'] ?? null),
    outcomes: 0,
    questions: 0,
    retriesGranted: 0,
    open: true,
    failed: false,
  };
}

function toCall(event: LedgerEvent, data: Loose, body: Loose, input: string): RecordedCall {
  return {
    index: event.index,
    step: data['step'] as number,
    tool: data['tool'] as string,
    input,
    outcome: (data['outcome'] ?? 'ok') as RecordedCall['outcome'],
    attempts: (data['attempts'] ?? 1) as number,
    cached: data['cached'] === true,
    told: data['by'] !== undefined,
    output: body['output'],
  };
}

function toApproval(run: string, data: Loose): ApprovalFacts {
  return {
    id: String(data['id']),
    run,
    tool: data['tool'] as string,
    requestedHash: data['argumentsHash'] as string,
    expiresAt: data['expiresAt'] as number,
    status: 'pending',
  };
}
