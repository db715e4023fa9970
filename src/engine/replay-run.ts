// Owns: repeating the decisions of a recorded run. Does not own: what is reported about them.
// I1 Each decision is repeated with the recorded evidence, so one difference does not cause others after it.
// I2 Nothing is recorded, and no model is called: planners continue from the recorded answers.
import { type Json, toFailure, toJson } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import { readDecision } from './check-decision.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import { applyRunEvent } from './fold-run.ts';
import { parseInput } from './middleware/check-schema.ts';
import { judgeCall } from './middleware/judge-call.ts';
import { PlanView } from './plan-input.ts';
import type { Policy, PolicyVerdict } from './ports.ts';
import { type RecordedCall, recordedCall, recordedDecision, recordedVerdict } from './recorded-decision.ts';
import type { RunState } from './run-state.ts';
import type { StateGraph } from './state-graph.ts';
import { StopSwitch } from './stop-switch.ts';
import type { Tool } from './tool.ts';
import { CallInProgress } from './tool-call.ts';
import type { Decision, ModelUse } from './types.ts';

/** What a run is replayed with. */
export interface ReplayParts {
  readonly kind: RunKind;
  /** The graph of the run, which repinning changes. */
  readonly graph: (run: RunState) => StateGraph | Promise<StateGraph>;
  readonly parts: EngineParts;
  /** Asks this policy again about each call. */
  readonly policy?: Policy;
  /** Makes the calls again whose effects stay on this machine and in the overlay that `parts` must provide. */
  readonly execute?: boolean;
}

/** A recorded decision, and the decision with the same evidence now. */
export interface ReplayedDecision {
  readonly kind: 'decision';
  /** The index of the event that recorded it. */
  readonly index: number;
  readonly step: number;
  readonly state: string;
  readonly recorded: Json;
  readonly replayed: Json;
  /** The recorded use of a model, and the use with the request as it is built now. */
  readonly model?: { readonly recorded: ModelUse; readonly replayed: ModelUse | undefined };
  /** The recorded decision of the policy on the call, and the verdict of the current policy. */
  readonly verdict?: { readonly recorded: PolicyVerdict['decision']; readonly replayed: PolicyVerdict };
}

/** A recorded outcome of a call; `replayed` is undefined when the call was not made again. */
interface ReplayedOutcome {
  readonly kind: 'outcome';
  readonly step: number;
  readonly tool: string;
  readonly recorded: Json;
  readonly replayed: Json | undefined;
}

/** A decision whose content was erased. */
interface ErasedDecision {
  readonly kind: 'erased';
  readonly step: number;
}

export type ReplayedStep = ReplayedDecision | ReplayedOutcome | ErasedDecision;

/** Repeats every decision of a run and, with `execute`, its calls; in the order of the record. */
export async function* replayRun(
  events: readonly LedgerEvent[],
  replay: ReplayParts,
): AsyncGenerator<ReplayedStep, RunState | undefined> {
  let run: RunState | undefined;
  for (const event of events) {
    if (run !== undefined) {
      // An event after an intent is its outcome, not another decision.
      const recorded = run.intent === undefined ? recordedDecision(event) : undefined;
      if (recorded !== undefined && event.bodyErased) yield { kind: 'erased', step: run.step };
      else if (recorded !== undefined) yield await replayDecision(event, recorded, run, replay);
      const call = replay.execute ? recordedCall(event, run) : undefined;
      if (call !== undefined) yield await replayCall(call, run, replay.parts);
    }
    run = applyRunEvent(run, event);
  }
  return run;
}

async function replayDecision(
  event: LedgerEvent,
  recorded: Json,
  run: RunState,
  replay: ReplayParts,
): Promise<ReplayedDecision> {
  const { parts } = replay;
  const asked = ((event.body ?? {}) as { model?: ModelUse }).model;
  const graph = await replay.graph(run);
  const decision = await decideAgain(run, graph, replay, asked ?? null);
  const verdict = replay.policy && replayVerdict(event, run, graph, replay.policy, parts);
  return {
    kind: 'decision',
    index: event.index,
    step: run.step,
    state: run.state,
    recorded,
    replayed: await toRecorded(decision, parts, event),
    ...(asked === undefined ? {} : { model: { recorded: asked, replayed: decision.model } }),
    ...(verdict === undefined ? {} : { verdict }),
  };
}

/** Asks the policy again about a recorded call; undefined if it was not asked, or the tool or the state is gone. */
function replayVerdict(
  event: LedgerEvent,
  run: RunState,
  graph: StateGraph,
  policy: Policy,
  { tools, capabilities }: EngineParts,
): ReplayedDecision['verdict'] {
  const found = recordedVerdict(event);
  const tool = tools.get(event.data['tool'] as string);
  if (found === undefined || tool === undefined || graph.spec.states[run.state] === undefined)
    return undefined;
  const { face } = tools.forCall(tool, found.input, capabilities);
  return { recorded: found.decision, replayed: judgeCall(policy, { run, graph }, face, found.input) };
}

/** As in a live run, an invalid answer may be repaired once. */
async function decideAgain(
  run: RunState,
  graph: StateGraph,
  { kind, parts }: ReplayParts,
  recorded: ModelUse | null,
): Promise<Decision> {
  const stop = new AbortController();
  try {
    const first = await kind.planner.plan(new PlanView(run, graph, parts, stop, { recorded }));
    const decision = readReplayed(first);
    if (typeof decision !== 'string') return decision;
    const repair = { answer: toJson(first), problem: decision };
    const second = readReplayed(
      await kind.planner.plan(new PlanView(run, graph, parts, stop, { repair, recorded })),
    );
    if (typeof second !== 'string') return second;
    return { kind: 'fail', reason: second, rationale: 'the answer is invalid' };
  } catch (error) {
    const { code, message: reason } = toFailure(error, 'engine.planner_failed');
    return { kind: 'fail', code, reason, rationale: 'the planner failed' };
  }
}

/** Checks a decision as a live run would: without the request, which a live run does not have. */
function readReplayed(answer: Decision): Decision | string {
  if (answer?.model?.request === undefined) return readDecision(answer);
  const { request, ...model } = answer.model;
  const decision = readDecision({ ...answer, model });
  return typeof decision === 'string' ? decision : { ...decision, model: { ...model, request } };
}

/** A decision in the form in which the event would record it. */
async function toRecorded(decision: Decision, parts: EngineParts, event: LedgerEvent): Promise<Json> {
  const known = parts.redactor.known(decision as unknown as Json) as unknown as Decision;
  switch (known.kind) {
    case 'call_tool': {
      const tool = parts.tools.get(known.tool);
      let { input } = known;
      try {
        if (tool) input = (await parseInput(tool.input, tool.name, input)) as Json;
      } catch {
        // The live run refused it too, with the input as proposed.
      }
      return {
        kind: 'call_tool',
        tool: known.tool,
        input,
        // The record omits the transition of a call that failed, and the key of a call that waits for its outcome.
        ...(known.then === undefined || event.data['to'] === undefined ? {} : { then: known.then }),
        ...(known.idempotencyKey === undefined || event.type === 'tool.pending'
          ? {}
          : { key: known.idempotencyKey }),
      };
    }
    case 'transition': {
      const { to, remedy, output } = known;
      const result =
        output === undefined || remedy?.kind === 'retry' || remedy?.kind === 'branch' ? {} : output;
      return { kind: 'transition', to, ...result, ...(remedy === undefined ? {} : { remedy: remedy.kind }) };
    }
    case 'ask_human': {
      const { question, options } = known;
      return { kind: 'ask_human', question, ...(options === undefined ? {} : { options: [...options] }) };
    }
    case 'finish':
      return { kind: 'finish', output: parts.redactor.json(known.output) };
    case 'fail': {
      const { code = 'engine.planner_failed', reason } = known;
      return { kind: 'fail', code, reason: parts.redactor.text(reason) };
    }
  }
}

/** Makes a recorded call again, if that contacts and changes nothing outside the overlay. */
async function replayCall(
  { step, call, recorded }: RecordedCall,
  run: RunState,
  parts: EngineParts,
): Promise<ReplayedOutcome> {
  const registered = parts.tools.get(call.tool);
  const made = registered && parts.tools.forCall(registered, call.input);
  const known = { kind: 'outcome', step, tool: call.tool, recorded: { ...recorded } } as const;
  if (made === undefined || !staysInside(made.tool)) return { ...known, replayed: undefined };
  const progress = new CallInProgress(parts, {
    ...{ run, tool: made.tool, face: made.face, decision: call, step },
    key: 'replay',
    retriesLeft: 0,
    stop: new StopSwitch(),
    checkCancelled: () => undefined,
  });
  const outcome = await parts.middleware.call(progress).catch((error: unknown) => ({
    kind: 'failure' as const,
    failure: toFailure(error, 'engine.tool_failed'),
  }));
  progress.close();
  const { tool, input } = call;
  if (outcome.kind === 'output')
    return { ...known, replayed: { tool, input, outcome: 'ok', output: outcome.output } };
  const failure = outcome.kind === 'failure' ? outcome.failure.code : 'engine.tool_failed';
  return { ...known, replayed: { tool, input, outcome: 'failed', failure } };
}

/** Whether a call reads or changes only what an overlay covers: no ledger, no model, no program and no other machine. */
export function staysInside(tool: Tool): boolean {
  const { annotations, simulatable, ledgerOnly, recordsOnly, untrusted, spends, reaches } = tool;
  if (!annotations.readOnly && simulatable !== true) return false;
  return !ledgerOnly && !recordsOnly && !untrusted && spends === undefined && reaches === undefined;
}
