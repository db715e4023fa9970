import { canonicalJson, type Json, toFailure, toJson } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import { readDecision } from './check-decision.ts';
import type { EngineParts, RunKind } from './engine-parts.ts';
import { applyRunEvent } from './fold-run.ts';
import { parseInput } from './middleware/check-schema.ts';
import { PlanView } from './plan-input.ts';
import type { RunState } from './run-state.ts';
import type { StateGraph } from './state-graph.ts';
import type { Decision, ModelUse } from './types.ts';

export interface ReplayDifference {
  readonly step: number;
  readonly recorded: Json;
  readonly replayed: Json;
}

export interface ReplayReport {
  readonly mode: 'narrative' | 'decision' | 'full';
  readonly compared: number;
  readonly differences: readonly ReplayDifference[];
  readonly notes: readonly string[];
}

/** The planner's decision at an event, without its rationale; undefined if no planner was involved. */
function recordedDecision(event: LedgerEvent): Json | undefined {
  const data = event.data as Record<string, Json | undefined>;
  const body = (event.body ?? {}) as Record<string, Json | undefined>;
  const call = (input: Json | undefined): Json => ({
    kind: 'call_tool',
    tool: data['tool'] as string,
    input: input ?? null,
    ...(data['to'] === undefined ? {} : { then: data['to'] }),
  });
  switch (event.type) {
    case 'step.completed':
      if (data['approval'] !== undefined) return undefined;
      return data['kind'] === 'transition'
        ? { kind: 'transition', to: data['to'] as string }
        : call(body['input']);
    case 'tool.intended':
    case 'tool.pending':
      return data['approval'] === undefined ? call(body['input']) : undefined;
    case 'approval.requested':
      return call(body['arguments']);
    case 'question.asked':
      return data['about'] === 'question'
        ? { kind: 'ask_human', question: body['question'] as string }
        : undefined;
    case 'run.completed':
      return { kind: 'finish', output: body['output'] ?? null };
    case 'run.failed':
      return data['planned']
        ? { kind: 'fail', reason: (body['failure'] as { message: string } | undefined)?.message ?? '' }
        : undefined;
    default:
      return undefined;
  }
}

/** Calls the planner again at every decision, with the evidence of that moment. */
export async function replayDecisions(
  events: readonly LedgerEvent[],
  kind: RunKind,
  graph: StateGraph,
  parts: EngineParts,
): Promise<ReplayReport> {
  if (!kind.planner.deterministic) {
    const note = `the planner ${kind.planner.name} is not deterministic, so its decisions cannot be compared`;
    return { mode: 'decision', compared: 0, differences: [], notes: [note] };
  }
  const differences: ReplayDifference[] = [];
  const notes: string[] = [];
  let compared = 0;
  let run: RunState | undefined;
  for (const event of events) {
    if (run !== undefined) {
      // An event after an intent is its outcome, not another decision.
      const recorded = run.intent === undefined ? recordedDecision(event) : undefined;
      if (recorded !== undefined && event.bodyErased)
        notes.push(`step ${run.step}: its content was erased, so it is not compared`);
      else if (recorded !== undefined) {
        compared += 1;
        const asked = ((event.body ?? {}) as { model?: ModelUse }).model ?? null;
        const decision = await decideAgain(run, kind, graph, parts, asked);
        const replayed = await comparable(decision, parts, recorded);
        if (asked !== null && decision.model?.requestDigest !== asked.requestDigest)
          notes.push(`step ${run.step}: today the model would be asked another question`);
        if (canonicalJson(replayed) !== canonicalJson(recorded))
          differences.push({ step: run.step, recorded, replayed });
      }
    }
    run = applyRunEvent(run, event);
  }
  return { mode: 'decision', compared, differences, notes };
}

/** As in a live run, an invalid answer may be repaired once. */
async function decideAgain(
  run: RunState,
  kind: RunKind,
  graph: StateGraph,
  parts: EngineParts,
  recorded: ModelUse | null,
): Promise<Decision> {
  const stop = new AbortController();
  try {
    const first = await kind.planner.plan(new PlanView(run, graph, parts, stop, { recorded }));
    const decision = readDecision(first);
    if (typeof decision !== 'string') return decision;
    const repair = { answer: toJson(first), problem: decision };
    const second = readDecision(
      await kind.planner.plan(new PlanView(run, graph, parts, stop, { repair, recorded })),
    );
    if (typeof second !== 'string') return second;
    return { kind: 'fail', reason: second, rationale: 'the answer is invalid' };
  } catch (error) {
    return {
      kind: 'fail',
      reason: toFailure(error, 'engine.planner_failed').message,
      rationale: 'the planner failed',
    };
  }
}

/** A decision in the form in which it is recorded. */
async function comparable(decision: Decision, parts: EngineParts, recorded: Json): Promise<Json> {
  // The record omits the transition of a call that failed; compare it only if it is there.
  const leads = (recorded as Record<string, Json>)['then'] !== undefined;
  switch (decision.kind) {
    case 'call_tool': {
      const tool = parts.tools.get(decision.tool);
      let input = decision.input;
      try {
        if (tool) input = (await parseInput(tool.input, tool.name, decision.input)) as Json;
      } catch {
        // The live run refused it too, with the input as proposed.
      }
      return {
        kind: 'call_tool',
        tool: decision.tool,
        input,
        ...(decision.then === undefined || !leads ? {} : { then: decision.then }),
      };
    }
    case 'transition':
      return { kind: 'transition', to: decision.to };
    case 'ask_human':
      return { kind: 'ask_human', question: decision.question };
    case 'finish':
      return { kind: 'finish', output: parts.redactor.json(decision.output) };
    case 'fail':
      return { kind: 'fail', reason: parts.redactor.text(decision.reason) };
  }
}
