// Owns: running a case with the configured models, and comparing its result and cost with the recorded run.
// I1 Nothing is recorded or sent: calls are answered from the record, or stay on an overlay of the workspace.
import type { EvalFigures, EvalResult } from '../../api/index.ts';
import { ASKING_GRAPH, checkableCriterion } from '../../assistant/index.ts';
import {
  type BudgetLimits,
  Engine,
  type EngineOptions,
  type RunKind,
  type RunState,
  statusOf,
} from '../../engine/index.ts';
import {
  type Acceptance,
  type CheckedAcceptance,
  caseEvents,
  checkAcceptance,
  type EvalCase,
} from '../../eval/index.ts';
import type { Json } from '../../kernel/index.ts';
import type { CurrentGraphs } from './current-graphs.ts';
import { stateOf } from './record-case.ts';
import { RecordedCalls } from './recorded-calls.ts';

const CHECK = 'assistant.check';
const MAX_ROUNDS = 200;

export async function runLive(
  one: EvalCase,
  options: EngineOptions,
  graphs: CurrentGraphs,
  signal: AbortSignal | undefined,
): Promise<EvalResult> {
  const record = new RecordedCalls(one);
  const recorded = stateOf(caseEvents(one.runs[0] as EvalCase['runs'][number]));
  const engine = new Engine({ ...options, tools: [...options.tools].map((tool) => record.answering(tool)) });
  const kind = engine.parts.kinds.get(recorded.kind) as RunKind;
  const graph = await graphs.graphOf(recorded, kind);
  for (const used of [...graphs.used, ASKING_GRAPH]) await engine.storeGraph(used);
  const driving = { patienceMs: 0, ...(signal === undefined ? {} : { signal }) };
  let run = await engine.run(
    {
      ...{ kind: kind.name, goal: recorded.goal, vars: recorded.vars, budgets: startLimits(one), graph },
      ...(recorded.subject === undefined ? {} : { subject: recorded.subject }),
    },
    driving,
  );
  for (let round = 0; round < MAX_ROUNDS && !run.ended && (await decideOpen(engine, record)); round++)
    run = await engine.resume(run.id, driving);
  const end = { status: statusOf(run), output: run.output ?? null };
  const acceptance = await checkFiles(checkAcceptance(one.acceptance, end), one.acceptance, engine);
  return {
    ...{ name: one.name, goal: one.recorded.goal, compared: 0, divergences: [], changes: [], acceptance },
    passed: acceptance.every(({ holds }) => holds !== false),
    figures: { recorded: figuresOf(recorded), live: figuresOf(run) },
  };
}

/** The limits that the run started with, without budget that was added later. */
function startLimits(one: EvalCase): BudgetLimits {
  return (one.runs[0]?.events[0]?.data as { limits?: BudgetLimits } | undefined)?.limits ?? {};
}

/** Decides open approvals and questions as the record does. Calls that nobody approved are denied. False if none is open. */
async function decideOpen(engine: Engine, record: RecordedCalls): Promise<boolean> {
  const open = await engine.parts.runs.approvals({ status: 'pending' });
  let decided = false;
  for (const { id, run, kind } of open) {
    const { waiting } = await engine.load(run);
    if (kind === 'tool' && waiting?.for === 'approval') {
      const { tool, input } = waiting.call;
      const approve = record.isApproved(tool, input);
      await engine.decide(id, approve ? { kind: 'approve' } : { kind: 'deny' }, 'the record');
    } else if (waiting?.for === 'answer') {
      const answer = record.answerTo(waiting.question) ?? waiting.options?.[0];
      if (answer === undefined) continue;
      await engine.decide(id, { kind: 'answer', answer }, 'the record');
    } else continue;
    decided = true;
  }
  return decided;
}

/** Checks the criteria for files on the overlay that the run has changed. */
async function checkFiles(
  checked: readonly CheckedAcceptance[],
  conditions: readonly Acceptance[],
  engine: Engine,
): Promise<readonly CheckedAcceptance[]> {
  const places = conditions.flatMap((condition, i) =>
    'criterion' in condition && checkableCriterion.safeParse(condition.criterion).success ? [i] : [],
  );
  if (places.length === 0) return checked;
  const criteria = places.map((i) => (conditions[i] as { criterion: Json }).criterion);
  const vars = { tool: CHECK, input: { criteria } };
  const { output } = await engine.run({ kind: 'call', goal: 'check the criteria', vars });
  const { results = [] } = (output ?? {}) as { results?: readonly { ok: boolean }[] };
  const holds = new Map(places.map((i, place) => [i, results[place]?.ok ?? false]));
  return checked.map((one, i) => ({ ...one, holds: holds.get(i) ?? one.holds }));
}

function figuresOf(run: RunState): EvalFigures {
  const { steps = 0, model_calls = 0, input_tokens = 0, output_tokens = 0, cost_usd = 0 } = run.used;
  const tokens = input_tokens + output_tokens;
  return { status: statusOf(run), steps, modelCalls: model_calls, tokens, costUsd: cost_usd };
}
