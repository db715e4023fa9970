// Owns: one durable step that calls a tool, from the planner's decision to its recorded outcome. Does not own: planning.
// I1 An effect happens only between its recorded intent and its recorded outcome.
// I2 An effect with an idempotency key happens once over all runs; a later call with that key gets the recorded outcome.
// I3 An approved call runs exactly as the person saw it, or not at all.
import {
  canonicalJson,
  deepFreeze,
  type Failure,
  findTaggedMark,
  isOkaError,
  type Json,
  toFailure,
} from '../kernel/index.ts';
import type { StreamAppend } from '../ledger/index.ts';
import { APPLY_RULE, type Binding, type BindingPart, type BoundDraft, CHANGED_RULE } from './binding.ts';
import { largerOf, type Spend, sumOf } from './budgets.ts';
import { labelContent } from './content-events.ts';
import { EffectKey, KeyTaken, recordedOutput } from './effect-key.ts';
import { MemoryArtifactStore } from './memory-stores.ts';
import { leftOfVisit } from './middleware/check-budget.ts';
import { hashArguments, isAllowedByPerson } from './middleware/check-policy.ts';
import { parseInput } from './middleware/check-schema.ts';
import type { DecisionContext, ToolOutcome } from './middleware.ts';
import { recordPending } from './pending-calls.ts';
import type { ArtifactStore } from './ports.ts';
import { runEvent } from './run-events.ts';
import { ONE_CALL, type Session } from './session.ts';
import {
  type CallFacts,
  callCompleted,
  callIntended,
  modelReserved,
  outcomeRecorded,
  parked,
  type ReadMarks,
  spendOf,
} from './step-events.ts';
import {
  type ContentRead,
  hasEffects,
  mayRepeat,
  needsIntent,
  plainContext,
  type Tool,
  type ToolFace,
} from './tool.ts';
import { CallInProgress } from './tool-call.ts';
import type { Awaitable, CallTool } from './types.ts';

/** How many sources of untrusted content are recorded with a call. */
const MAX_SOURCES = 5;

/** A person's approval of one call with exactly these arguments. */
type Approval = NonNullable<DecisionContext['approval']>;

/** Makes the call that a planner decided on, or that a person approved, and records its outcome. */
export async function callTool(session: Session, proposed: CallTool, approval?: Approval): Promise<void> {
  const { run, parts, budgets, writer } = session;

  // Reserve the budget of one call.
  const missing = await budgets.reserve(proposed.again ? { ...ONE_CALL, retries: proposed.again } : ONE_CALL);
  if (missing !== undefined) return session.park(missing, spendOf(proposed));

  // Check the input. An approved input was checked before the person saw it, and stays as it is.
  let registered: Tool;
  let input: unknown;
  try {
    registered = parts.tools.require(proposed.tool);
    input = approval ? proposed.input : await parseInput(registered.input, registered.name, proposed.input);
  } catch (error) {
    const failure = toFailure(error, 'engine.tool_input_invalid');
    return session.refuse(proposed, failure, { approval: approval?.id });
  }
  const call: CallTool = { ...proposed, input: deepFreeze(input as Json) };
  if (session.repeatsTooOften(call)) return session.failRepeated(call);

  // Reserve what the tool says that it spends besides the call.
  let reserved: Spend | undefined;
  if (registered.spends !== undefined) {
    try {
      reserved = await spendsOf(session, registered, call.input);
    } catch (error) {
      return session.refuse(call, toFailure(error, 'engine.tool_failed'), { approval: approval?.id });
    }
    const short = await budgets.reserve(sumOf(sumOf(ONE_CALL, reserved), spendOf(call) ?? {}));
    if (short !== undefined) return session.park(short, spendOf(call));
  }
  const { tool, face } = parts.tools.forCall(registered, call.input, parts.capabilities);
  const mark = needsIntent(tool) && !tool.acceptsMarks ? findTaggedMark(call.input) : undefined;
  if (mark !== undefined) {
    const message = `The call contains ${mark}, which stands for a secret that Oka hides. ${tool.name} would use the mark instead of the secret. Leave it out, or name the secret of the vault.`;
    return session.refuse(call, { code: 'engine.redacted_input', message }, { approval: approval?.id });
  }
  if (budgets.account.shared && mayRepeat(tool)) await budgets.reserveRetries(call.retries);

  // Ask the decision chain: eligibility, policy, budgets, rate limits, users' middleware.
  const notes: DecisionContext['notes'] = {};
  // A simulation asks nobody, so no answer has to be bound to anything.
  const bind = parts.simulate ? undefined : binderOf(session, tool, call.input);
  const ruling = await session.rule(call, { notes, tool: face, approval, bind });
  const { policy, binding } = notes;
  const facts: CallFacts = { step: run.step, policy, approval: approval?.id, binding };
  if (ruling.kind === 'refuse') return session.refuse(call, ruling.failure, facts);
  const needsApproval = ruling.kind === 'park' && ruling.waiting.for === 'approval';
  // A call that cannot run is refused before a person is asked about it, and before a simulation counts it.
  if (needsApproval || parts.simulate) {
    const failure = await whyNotRunnable(session, tool, call.input, facts.step);
    if (failure !== undefined) return session.refuse(call, failure, facts);
  }
  // A simulation asks nobody: it reports that a person would be asked. Only a call on overlaid files is made anyway, as if
  // the person had allowed it.
  const isSimulated = needsApproval && parts.simulate;
  if (ruling.kind === 'park' && !isSimulated)
    return session.park(ruling.waiting, spendOf(call), needsApproval ? { call, tool } : undefined);

  // Look up the idempotency key; a recorded outcome is used again.
  let effect: EffectKey | undefined;
  if (call.idempotencyKey !== undefined) {
    effect = await findKey(session, call, facts);
    if (effect === undefined) return;
  }

  // Record the intent, synced to disk, before an effect.
  const key = call.idempotencyKey ?? `${run.lineage.origin}/${facts.step}`;
  const allowedByPerson = isSimulated || isAllowedByPerson(facts);
  const progress = startCall(session, {
    ...{ call, tool, key, step: facts.step, reserved, binding, allowedByPerson },
  });
  const isIntended = needsIntent(tool);
  if (isIntended) {
    let preimage: Json | undefined;
    try {
      preimage = toPlainJson(await tool.preimage?.(call.input, progress.context));
    } catch (error) {
      return session.refuse(call, toFailure(error, 'engine.tool_failed'), facts);
    }
    try {
      const drafts = [callIntended(run, call, facts, { key, preimage })];
      if (reserved !== undefined) drafts.push(modelReserved(run, reserved));
      await writer.commit(drafts, 'full', effect?.claim);
    } catch (error) {
      // Another run claimed the key in between: find what that run recorded.
      if (error instanceof KeyTaken) return callTool(session, proposed, approval);
      throw error;
    }
  }

  const outcome = await makeCall(session, progress, isSimulated);
  if (await session.wasInterrupted(tool, outcome)) {
    if (progress.charged !== undefined) await budgets.holdForModels(sumOf(spendOf(call), progress.charged));
    return;
  }
  await recordOutcome(session, progress, outcome, facts, effect);
}

/** Why a call cannot run at all, as its tool tells without an effect; undefined if it can. */
async function whyNotRunnable(
  { run, stop, parts: { capabilities, clock, redactor } }: Session,
  tool: Tool,
  input: Json,
  step: number,
): Promise<Failure | undefined> {
  if (tool.check === undefined && tool.preimage === undefined) return undefined;
  // Nobody needs the content of the preimage yet.
  const artifacts = new MemoryArtifactStore(clock, capabilities['artifacts'] as ArtifactStore | undefined);
  const context = plainContext({
    ...{ runId: run.id, step, use: 'check', artifacts, signal: stop.signal, now: () => clock.now() },
    ...{ redactor, evidence: run.evidence, modelAnswered: (run.used.model_calls ?? 0) > 0 },
    capabilities: { ...capabilities, artifacts },
  });
  try {
    await tool.check?.(input, context);
    await tool.preimage?.(input, context);
    return undefined;
  } catch (error) {
    return toFailure(error, 'engine.tool_failed');
  }
}

/** What a call spends at most, as its tool says. */
function spendsOf({ budgets, parts, run, stop }: Session, tool: Tool, input: Json): Awaitable<Spend> {
  const { spends = {} } = tool;
  if (typeof spends !== 'function') {
    const least = Object.entries(budgets.minimumForModels() ?? {}).filter(([name]) => name in spends);
    return largerOf(spends, Object.fromEntries(least));
  }
  const { capabilities } = parts;
  return spends(input, { runId: run.id, capabilities, left: budgets.left, signal: stop.signal });
}

/** The key of a call that still has to be made; undefined when its recorded outcome was used, or the call refused. */
async function findKey(session: Session, call: CallTool, facts: CallFacts): Promise<EffectKey | undefined> {
  const { parts, run, writer } = session;
  try {
    const effect = await keyOf(session, call, facts.step);
    const real = parts.recorded && (await keyOf(session, call, facts.step, parts.recorded)).recorded();
    const place = real ?? effect.recorded();
    if (place === undefined) return effect;
    const recorded = await recordedOutput((real && parts.recorded) ?? parts.events, place);
    if (recorded === undefined) {
      const message = `The outcome of this idempotency key in run ${place.run} was erased. Use another key for the call.`;
      await session.refuse(call, { code: 'engine.key_reused', message }, facts);
      return undefined;
    }
    const to = await session.allowedTarget(call.then);
    const { output, read } = recorded;
    const made = { to, attempts: 0, reused: { run: place.run, step: place.step }, ...read };
    await writer.commit([callCompleted(run, call, facts, { kind: 'output', output }, made)], 'normal');
  } catch (error) {
    if (!isOkaError(error, 'engine.key_reused') && !isOkaError(error, 'engine.effect_under_way')) throw error;
    await session.refuse(call, toFailure(error, error.code), facts);
  }
  return undefined;
}

/** What the ledger knows about the idempotency key of a call. */
export function keyOf(
  { parts, run }: Session,
  call: CallTool,
  step: number,
  events = parts.events,
): Promise<EffectKey> {
  const { tool, idempotencyKey, input } = call;
  return EffectKey.load(events, { tool, key: idempotencyKey as string, input, run: run.id, step });
}

/** Prepares a call. It gets as many retries as the decision and the budgets allow, at most `maxRetries`. */
export function startCall(
  { parts, run, graph, budgets, stop, checkCancelled }: Session,
  made: {
    readonly call: CallTool;
    readonly tool: Tool;
    readonly key: string;
    readonly step: number;
    readonly reserved?: Spend | undefined;
    readonly binding?: Binding | undefined;
    readonly allowedByPerson?: boolean;
    readonly repeated?: boolean;
  },
  maxRetries = Number.POSITIVE_INFINITY,
): CallInProgress {
  const { call, tool, key, step, reserved, binding, allowedByPerson, repeated } = made;
  const retriesLeft = Math.min(
    call.retries ?? Number.POSITIVE_INFINITY,
    run.limits.node_retries ?? 0,
    // A retry would spend what is not reserved.
    tool.spends === undefined ? maxRetries : 0,
    budgets.balance('retries'),
    Math.min(budgets.balance('tool_calls'), leftOfVisit(run, graph, 'tool_calls')) - 1,
  );
  const { face } = parts.tools.forCall(tool, call.input, parts.capabilities);
  const reserve = async (total: Spend): Promise<boolean> =>
    (await budgets.reserve(sumOf(sumOf(ONE_CALL, total), run.intent ? {} : (spendOf(call) ?? {})))) ===
    undefined;
  return new CallInProgress(parts, {
    ...{ run, tool, face, decision: call, key, step, retriesLeft, reserved, reserve, binding },
    ...{ stop, checkCancelled, allowedByPerson, repeated },
    judge: (input) => parts.judgeFurther({ run, graph }, tool, input, parts.capabilities),
  });
}

/** Runs the handler through the tool middleware. A simulation does not run handlers that have effects. */
export async function makeCall(
  { parts }: Session,
  progress: CallInProgress,
  isSimulated: boolean,
): Promise<ToolOutcome> {
  const { tool, input } = progress;
  if (parts.simulate && !tool.simulatable && (isSimulated || hasEffects(tool)))
    return { kind: 'output', output: { simulated: true, tool: tool.name, input } };
  try {
    return await parts.middleware.call(progress);
  } catch (error) {
    return { kind: 'failure', failure: toFailure(error, 'engine.tool_failed') };
  } finally {
    progress.close();
  }
}

/** Records what a call came to: the outcome, the artifacts, the handler's own events and the idempotency key. */
export async function recordOutcome(
  session: Session,
  progress: CallInProgress,
  outcome: ToolOutcome,
  facts: CallFacts,
  effect?: EffectKey,
): Promise<void> {
  const { run, writer } = session;
  const { tool, decision: call, artifacts, handlerRuns } = progress;
  const isIntended = needsIntent(tool);
  const read = readMarks(tool, progress.reads);
  if (outcome.kind === 'pending') return recordPending(session, call, tool, outcome.pending, facts, read);
  if (isIntended && outcome.kind === 'failure' && outcome.failure.code === 'engine.effect_unknown')
    return session.askAboutUnknown(tool, outcome.failure.message);
  if (isIntended && outcome.kind === 'failure' && outcome.failure.code === 'engine.binding_changed') {
    const registered = session.parts.tools.require(tool.name);
    const failure = await whyNotRunnable(session, registered, call.input, facts.step);
    if (failure === undefined) return withdrawCall(session, progress, outcome, facts, effect);
    return recordOutcome(session, progress, { kind: 'failure', failure }, facts, effect);
  }
  if (isIntended && outcome.kind === 'failure' && outcome.failure.code === 'engine.apply_asks')
    return withdrawCall(session, progress, outcome, facts, effect);

  const made = {
    to: outcome.kind === 'output' ? await session.allowedTarget(call.then) : undefined,
    attempts: handlerRuns,
    charged: progress.charged,
    ...read,
    cached: handlerRuns === 0 && outcome.kind === 'output' && !session.parts.simulate ? true : undefined,
    recovered: progress.recovered,
    changes: progress.changes,
    asks: progress.asks,
  } as const;
  const event = isIntended
    ? outcomeRecorded({ step: facts.step, tool: tool.name }, outcome, made)
    : callCompleted(run, call, facts, outcome, made);
  const drafts = [...progress.hookEvents, event];
  const place = drafts.length - 1;
  if (artifacts.length > 0) {
    const about = { step: facts.step, tool: tool.name, count: artifacts.length };
    drafts.push(runEvent('artifacts.emitted', about, artifacts));
  }
  const { writes } = progress;
  const labels =
    writes.length === 0
      ? []
      : await labelContent(run, facts.step, { writes, read: read.untrusted === true }, session.parts.content);
  const records = [...(outcome.kind === 'output' ? progress.records : []), ...labels];
  const others =
    effect === undefined && records.length === 0
      ? undefined
      : () => [...records, ...settleKey(session, effect, outcome, place, isIntended)];
  await writer.commit(drafts, isIntended ? 'full' : 'normal', others);
  const { hookFailure } = progress.notes;
  if (hookFailure !== undefined) await session.fail(hookFailure, call.rationale);
}

/** What to record about the content that a call read. */
function readMarks(tool: ToolFace, reads: readonly ContentRead[]): ReadMarks {
  if (reads.length === 0) return { untrusted: tool.untrusted ? true : undefined };
  const sources = reads.flatMap(({ untrusted }) => untrusted ?? []);
  return {
    untrusted: tool.untrusted || sources.length > 0 ? true : undefined,
    untrustedFrom: sources.length === 0 ? undefined : [...new Set(sources)].slice(0, MAX_SOURCES).join('; '),
  };
}

/** Tells what a call is bound to; undefined if its tool binds nothing. */
function binderOf({ parts }: Session, { binds }: Tool, input: Json): DecisionContext['bind'] {
  if (binds === undefined) return undefined;
  const { capabilities } = parts;
  return (part: BindingPart) => binds(input, { capabilities, part });
}

/**
 * The handler changed nothing: what the call is bound to changed, or what it did on its draft needs an approval. A person is
 * asked about the call as it is now.
 */
async function withdrawCall(
  session: Session,
  { tool, decision, hookEvents }: CallInProgress,
  { failure }: Extract<ToolOutcome, { kind: 'failure' }>,
  facts: CallFacts,
  effect: EffectKey | undefined,
): Promise<void> {
  const { run, writer, parts } = session;
  // The intent holds what the model said.
  const { model: _, ...call } = decision;
  const bound = await binderOf(session, parts.tools.require(tool.name), call.input)?.('all');
  const draft = failure.data?.['draft'] as BoundDraft | undefined;
  const binding = draft === undefined ? bound : { ...(bound ?? { part: 'all', files: [] }), draft };
  const argumentsHash = hashArguments(tool.name, call.input);
  const rule = draft === undefined ? CHANGED_RULE : APPLY_RULE;
  const waiting = { for: 'approval', why: failure.message, rule } as const;
  const withdrawn = runEvent('tool.withdrawn', { step: facts.step, tool: tool.name }, { failure });
  const asked = parked(
    run,
    { ...waiting, argumentsHash, binding, ...(draft === undefined || facts.approval ? { again: true } : {}) },
    session.asking(),
    undefined,
    { call, tool },
  );
  const settle = effect && (() => [effect.release()]);
  await writer.commit([...hookEvents, withdrawn, asked], 'full', settle);
}

/** Records an output under its key, or releases the key after a failure. `place`: where the outcome is in its commit. */
export function settleKey(
  { run }: Session,
  effect: EffectKey | undefined,
  outcome: ToolOutcome,
  place: number,
  isClaimed: boolean,
): StreamAppend[] {
  if (effect === undefined) return [];
  if (outcome.kind === 'output') return [effect.record(run.index + 1 + place)];
  return isClaimed ? [effect.release()] : [];
}

function toPlainJson(value: Json | undefined): Json | undefined {
  return value === undefined ? undefined : (JSON.parse(canonicalJson(value)) as Json);
}
