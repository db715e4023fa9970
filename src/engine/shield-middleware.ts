// Owns: the contract of user middleware.
// I1 It gets read-only views, so that it cannot change the run, the tools or the record.
// I2 It may call next() once, while it runs itself; a call in progress is awaited.
// I3 An answer of its own is converted to a recordable form, or counts as a violation.
import { canonicalJson, type Failure, type Json, OkaError, readOnly, textOf } from '../kernel/index.ts';
import { hashArguments } from './middleware/check-policy.ts';
import type {
  DecisionContext,
  Middleware,
  Ruling,
  ToolCall,
  ToolOutcome,
  TransitionContext,
} from './middleware.ts';
import type { ToolContext } from './tool.ts';
import type { Awaitable } from './types.ts';

/** Wraps user middleware to enforce its contract: it can stop, delay, observe and replace; it cannot allow more. */
export function shieldMiddleware(user: Middleware): Middleware {
  const { onDecision, onTool, onTransition } = user;
  const shielded: { -readonly [Member in keyof Middleware]: Middleware[Member] } = { name: user.name };
  if (onDecision)
    shielded.onDecision = (context, next) =>
      guard(
        next,
        (once) => onDecision.call(user, showDecision(context), once),
        (answer, given) => toApproval(answer, given, context) ?? toRuling(answer),
      );
  if (onTransition)
    shielded.onTransition = (context, next) =>
      guard(next, (once) => onTransition.call(user, showTransition(context), once), toRuling);
  if (onTool)
    shielded.onTool = (call, next) =>
      guard(
        next,
        (once) => onTool.call(user, showCall(call), once),
        (answer) => {
          call.notes.altered = true;
          return toOutcome(answer);
        },
      );
  return shielded;
}

async function guard<Answer extends object>(
  next: () => Promise<Answer>,
  ask: (once: () => Promise<Answer>) => Awaitable<Answer>,
  ownAnswer: (answer: unknown, given: Answer | undefined) => Answer,
): Promise<Answer> {
  let open = true;
  let inner: Promise<Answer> | undefined;
  const once = async (): Promise<Answer> => {
    if (!open) throw violation('it may call next() once, before it returns');
    open = false;
    inner = next();
    return readOnly(await inner);
  };
  try {
    const answer = await ask(once);
    const given = inner === undefined ? undefined : await inner.catch(() => undefined);
    return given !== undefined && answer === readOnly(given) ? given : ownAnswer(answer, given);
  } finally {
    open = false;
    if (inner !== undefined) await inner.catch(() => undefined);
  }
}

function violation(why: string): OkaError {
  return new OkaError('engine.middleware_violation', `A middleware broke its contract: ${why}.`);
}

function showDecision(context: DecisionContext): DecisionContext {
  const { run, decision, approval, notes, bind: _, ...rest } = context;
  return Object.freeze({
    ...rest,
    run: readOnly(run),
    decision: readOnly(decision),
    ...(approval ? { approval: readOnly(approval) } : {}),
    notes: { ...notes },
  });
}

function showTransition(context: TransitionContext): TransitionContext {
  return Object.freeze({ ...context, run: readOnly(context.run) });
}

function showCall(call: ToolCall): ToolCall {
  const { runId, step, idempotencyKey, now } = call.context;
  const refuse = (): never => {
    throw violation('only a tool has capabilities, emits artifacts and records');
  };
  const context: ToolContext = {
    runId,
    step,
    idempotencyKey,
    now,
    get signal() {
      return call.context.signal;
    },
    capabilities: {},
    emitArtifact: refuse,
    record: refuse,
    charge: refuse,
    redactor: { tagged: refuse, restore: refuse },
  };
  return Object.freeze({
    run: readOnly(call.run),
    tool: call.tool,
    decision: readOnly(call.decision),
    input: readOnly(call.input),
    context: Object.freeze(context),
    retriesLeft: call.retriesLeft,
    checkCancelled: call.checkCancelled,
    abort: () => undefined,
    noteHook: () => undefined,
    notes: { attempts: call.notes.attempts },
  });
}

/**
 * A middleware may ask a person, and gives the reason and the rule. It cannot change the call that the person approves: that is
 * always the engine's own copy.
 */
function toApproval(
  answer: unknown,
  given: Ruling | undefined,
  { decision }: DecisionContext,
): Ruling | undefined {
  const ruling = answer as Ruling | null | undefined;
  if (ruling?.kind !== 'park' || ruling.waiting?.for !== 'approval' || decision.kind !== 'call_tool')
    return undefined;
  const { why, rule } = ruling.waiting;
  const asked = given?.kind === 'park' && given.waiting.for === 'approval' ? given.waiting : undefined;
  return {
    kind: 'park',
    waiting: {
      ...(asked ?? { for: 'approval', argumentsHash: hashArguments(decision.tool, decision.input) }),
      why: textOf(why).toWellFormed(),
      ...(rule === undefined ? {} : { rule: textOf(rule).toWellFormed() }),
    },
  };
}

function toRuling(answer: unknown): Ruling {
  const ruling = answer as Ruling | null | undefined;
  if (ruling?.kind === 'go') return { kind: 'go' };
  if (ruling?.kind === 'refuse') return { kind: 'refuse', failure: toRecordable(ruling.failure) };
  if (ruling?.kind === 'park' && ruling.waiting?.for === 'time' && Number.isFinite(ruling.waiting.at)) {
    const { at, why } = ruling.waiting;
    return { kind: 'park', waiting: { for: 'time', at, why: textOf(why).toWellFormed() } };
  }
  throw violation('it returned an invalid ruling');
}

function toOutcome(answer: unknown): ToolOutcome {
  const outcome = answer as ToolOutcome | null | undefined;
  if (outcome?.kind === 'failure') return { kind: 'failure', failure: toRecordable(outcome.failure) };
  if (outcome?.kind !== 'output') throw violation('it returned an invalid outcome');
  return { kind: 'output', output: JSON.parse(canonicalJson(outcome.output ?? null)) as Json };
}

function toRecordable(failure: Failure | undefined): Failure {
  return {
    code: textOf(failure?.code ?? 'engine.middleware_violation').toWellFormed(),
    message: textOf(failure?.message ?? 'no reason given').toWellFormed(),
  };
}
