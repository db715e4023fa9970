// Owns: running a case with the configured models, and comparing its result and cost with the recorded run.
// I1 Nothing is recorded or sent: calls are answered from the record, or stay on an overlay of the workspace. Only what models
//    cost is recorded, in the limits of the day.
import type { OverlayFiles } from '../../adapters/files/index.ts';
import type { EvalFigures, EvalResult } from '../../api/index.ts';
import { ASKING_GRAPH } from '../../assistant/index.ts';
import {
  type BudgetLimits,
  type BudgetName,
  Engine,
  type EngineOptions,
  type RunKind,
  type RunState,
  type Spend,
  statusOf,
  sumOf,
} from '../../engine/index.ts';
import { caseEvents, checkAcceptance, type EvalCase } from '../../eval/index.ts';
import { checkLive, without } from './check-live.ts';
import type { CurrentGraphs } from './current-graphs.ts';
import { stateOf } from './record-case.ts';
import { RecordedCalls } from './recorded-calls.ts';

const MAX_ROUNDS = 200;

export interface LiveOptions {
  readonly options: EngineOptions;
  readonly overlay: OverlayFiles;
  readonly graphs: CurrentGraphs;
  /** What is left for this case and those after it. */
  readonly budgets: BudgetLimits;
  readonly signal: AbortSignal | undefined;
}

/** The result of a live case, what it cost, and whether no other case can be run. */
export interface LiveResult {
  readonly result: EvalResult;
  readonly spent: Spend;
  /** Why the cases after it are not run. */
  readonly stopped?: string;
}

export async function runLive(one: EvalCase, live: LiveOptions): Promise<LiveResult> {
  const { graphs, signal, options, overlay } = live;
  const record = new RecordedCalls(one);
  const recorded = stateOf(caseEvents(one.runs[0] as EvalCase['runs'][number]));
  const engine = new Engine({ ...options, tools: [...options.tools].map((tool) => record.answering(tool)) });
  const kind = engine.parts.kinds.get(recorded.kind) as RunKind;
  const graph = await graphs.graphOf(recorded, kind);
  for (const used of [...graphs.used, ASKING_GRAPH]) await engine.storeGraph(used);
  const driving = { patienceMs: 0, ...(signal === undefined ? {} : { signal }) };
  const budgets = smallerOf(startLimits(one), live.budgets);
  let run = await engine.run(
    {
      ...{ kind: kind.name, goal: recorded.goal, vars: recorded.vars, budgets, graph },
      namedHosts: recorded.namedHosts ?? [],
      ...(recorded.subject === undefined ? {} : { subject: recorded.subject }),
    },
    driving,
  );
  for (let round = 0; round < MAX_ROUNDS && !run.ended && (await decideOpen(engine, record)); round++)
    run = await engine.resume(run.id, driving);
  const end = { status: statusOf(run), output: run.output ?? null };
  const left = { ...live.budgets, ...without(budgets, run.used) };
  const { acceptance, spent } = await checkLive(checkAcceptance(one.acceptance, end, ''), one.acceptance, {
    ...{ engine, run, overlay, signal },
    budgets: left,
  });
  const short = run.ended ? undefined : await shortageOf(engine, live.budgets);
  const result = {
    ...{ name: one.name, goal: one.recorded.goal, compared: 0, divergences: [], changes: [], acceptance },
    passed: short === undefined && acceptance.every(({ holds }) => holds !== false),
    figures: { recorded: figuresOf(recorded, {}), live: figuresOf(run, spent) },
    ...(short === undefined ? {} : { error: { code: 'engine.budget_exhausted', message: short.message } }),
  };
  return {
    result,
    spent: sumOf(run.used, spent),
    ...(short?.isShared ? { stopped: short.message } : {}),
  };
}

/** The budget that a run of the tree waits for, and whether other cases share it. */
async function shortageOf(
  engine: Engine,
  shared: BudgetLimits,
): Promise<{ readonly message: string; readonly isShared: boolean } | undefined> {
  for (const { id } of await engine.parts.runs.list({ status: 'waiting' })) {
    const { waiting } = await engine.load(id);
    if (waiting?.for !== 'budget') continue;
    const { budget, pool } = waiting;
    const [kind] = pool?.split('/') ?? [];
    if (kind === 'day')
      return {
        message: `The daily limit of ${budget} is used up. Raise daily_limits in config.json.`,
        isShared: true,
      };
    if (shared[budget] !== undefined)
      return {
        message: `The budget ${budget} of the eval is used up. Raise it with --budget.`,
        isShared: true,
      };
    return { message: `The live run used up the budget ${budget} of the recorded run.`, isShared: false };
  }
  return undefined;
}

/** The limits that the run started with, without budget that was added later. */
function startLimits(one: EvalCase): BudgetLimits {
  return (one.runs[0]?.events[0]?.data as { limits?: BudgetLimits } | undefined)?.limits ?? {};
}

function smallerOf(limits: BudgetLimits, others: BudgetLimits): BudgetLimits {
  const smaller: { [name in BudgetName]?: number } = { ...limits };
  for (const [key, other] of Object.entries(others)) {
    const name = key as BudgetName;
    smaller[name] = Math.min(other, limits[name] ?? other);
  }
  return smaller;
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

/** The figures of a run; judging its result adds to its cost, not to its steps. */
function figuresOf(run: RunState, judging: Spend): EvalFigures {
  const { model_calls = 0, input_tokens = 0, output_tokens = 0, cost_usd = 0 } = sumOf(run.used, judging);
  const tokens = input_tokens + output_tokens;
  const { steps = 0 } = run.used;
  return { status: statusOf(run), steps, modelCalls: model_calls, tokens, costUsd: cost_usd };
}
