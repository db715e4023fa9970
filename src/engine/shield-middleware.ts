// Owns: what users' middleware gets to see and may answer.
// I1 It sees views that cannot be changed, so that nothing it does reaches the run, the tools or the record.
// I2 It may ask the next one once, while it is asked itself; what it has begun is waited for.
// I3 What it answers of its own is made recordable, or counts as a violation.
import { canonicalJson, type Failure, type Json, OkaError, readOnly, textOf } from '../kernel/index.ts';
import type {
  Awaitable,
  DecisionContext,
  Middleware,
  Ruling,
  ToolCall,
  ToolOutcome,
  TransitionContext,
} from './middleware.ts';
import type { ToolContext } from './tool.ts';

/** A user's middleware, held to its contract: it can stop, delay, observe and answer otherwise; it cannot widen. */
export function shieldMiddleware(user: Middleware): Middleware {
  const { onDecision, onTool, onTransition } = user;
  const shielded: { -readonly [Member in keyof Middleware]: Middleware[Member] } = { name: user.name };
  if (onDecision)
    shielded.onDecision = (context, next) =>
      guard(next, (once) => onDecision.call(user, showDecision(context), once), toRuling);
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
  ownAnswer: (answer: unknown) => Answer,
): Promise<Answer> {
  let open = true;
  let inner: Promise<Answer> | undefined;
  const once = async (): Promise<Answer> => {
    if (!open) throw violation('it may call next() once, while it is asked itself');
    open = false;
    inner = next();
    return readOnly(await inner);
  };
  try {
    const answer = await ask(once);
    const given = inner === undefined ? undefined : await inner.catch(() => undefined);
    return given !== undefined && answer === readOnly(given) ? given : ownAnswer(answer);
  } finally {
    open = false;
    if (inner !== undefined) await inner.catch(() => undefined);
  }
}

function violation(why: string): OkaError {
  return new OkaError('engine.middleware_violation', `a middleware broke its contract: ${why}.`);
}

function showDecision(context: DecisionContext): DecisionContext {
  const { run, decision, approval, notes, ...rest } = context;
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
  };
  return Object.freeze({
    run: readOnly(call.run),
    tool: call.tool,
    decision: readOnly(call.decision),
    input: readOnly(call.input),
    context: Object.freeze(context),
    retriesLeft: call.retriesLeft,
    look: call.look,
    abort: () => undefined,
    noteHook: () => undefined,
    notes: { attempts: call.notes.attempts },
  });
}

function toRuling(answer: unknown): Ruling {
  const ruling = answer as Ruling | null | undefined;
  if (ruling?.kind === 'go') return { kind: 'go' };
  if (ruling?.kind === 'refuse') return { kind: 'refuse', failure: toRecordable(ruling.failure) };
  if (ruling?.kind === 'park' && ruling.waiting?.for === 'time' && Number.isFinite(ruling.waiting.at)) {
    const { at, why } = ruling.waiting;
    return { kind: 'park', waiting: { for: 'time', at, why: textOf(why).toWellFormed() } };
  }
  throw violation('its answer is no ruling that it may give');
}

function toOutcome(answer: unknown): ToolOutcome {
  const outcome = answer as ToolOutcome | null | undefined;
  if (outcome?.kind === 'failure') return { kind: 'failure', failure: toRecordable(outcome.failure) };
  if (outcome?.kind !== 'output') throw violation('its answer is no outcome that it may give');
  return { kind: 'output', output: JSON.parse(canonicalJson(outcome.output ?? null)) as Json };
}

function toRecordable(failure: Failure | undefined): Failure {
  return {
    code: textOf(failure?.code ?? 'engine.middleware_violation').toWellFormed(),
    message: textOf(failure?.message ?? 'no reason given').toWellFormed(),
  };
}
