// Owns: how a goal that a person gives is worked on: by one agent, or as tasks that are planned, done and checked.
// I1 A goal that reads as one thing goes straight to an agent: a plan of one task would cost and gain nothing.
// I2 Whoever names a level of autonomy, or wants to see the plan, gets tasks; whoever names an agent gets that agent alone.
import { WorkspaceFiles } from '../../adapters/files/index.ts';
import type { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import { chooseModel, DEFAULT_AGENT, modelOfAgent } from '../../agent/index.ts';
import type { DoRequest, RunAnswer } from '../../api/index.ts';
import {
  ASKING_GRAPH,
  type AssistantProcedures,
  benefitsFromPlanning,
  DIRECT_GRAPH,
  isDoneByCalls,
  type KnownProcedure,
  NO_PROCEDURES,
} from '../../assistant/index.ts';
import type { OkaConfig } from '../../config/index.ts';
import type { Engine, RunRequest } from '../../engine/index.ts';
import { saysSeveral, splitGoal } from '../../language/index.ts';
import { parseScript } from '../../models/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { Surroundings } from '../services/surroundings.ts';
import type { Workbench } from '../services/workbench.ts';
import { withBlocker } from './with-blocker.ts';

const MOST_PROCEDURES = 3;

/** What working on a goal needs of the workspace; a `Workbench` has it all. */
export interface GoalBench
  extends Pick<
    Workbench,
    'requireTrust' | 'config' | 'tools' | 'acting' | 'reading' | 'start' | 'simulate' | 'answer'
  > {
  readonly folder: Pick<WorkspaceFolder, 'workspace' | 'directory'>;
  readonly ledger: () => Pick<OpenLedger, 'events' | 'runs'>;
  readonly surroundings: () => Promise<Pick<Surroundings, 'agentRuns' | 'agents'>>;
}

/** Works on a goal until it is done, blocked, or needs somebody. */
export async function pursueGoal(
  bench: GoalBench,
  request: DoRequest,
  procedures: AssistantProcedures = NO_PROCEDURES,
): Promise<RunAnswer> {
  bench.requireTrust();
  const prepare = await goalRun(bench, request, procedures);
  if (request.simulate) return bench.simulate(prepare, request);
  return withBlocker(bench, await bench.start(await prepare(await bench.acting()), request));
}

/** How an engine makes the run that works on a goal: one of an agent, or one of tasks. */
export async function goalRun(
  bench: GoalBench,
  request: DoRequest,
  procedures: AssistantProcedures,
): Promise<(engine: Pick<Engine, 'storeGraph'>) => Promise<RunRequest>> {
  const known = await knownFor(bench, request, procedures);
  const level = request.autonomy ?? ((await wantsTasks(bench, request, known)) ? 'guided' : undefined);
  const runs = (await bench.surroundings()).agentRuns();
  const { autonomy: _, ...asked } = request;
  const made = await runs.request(level === undefined ? asked : { ...asked, autonomy: level });
  if (level === undefined) return async () => made;
  return async (engine) => {
    const asking = await engine.storeGraph(ASKING_GRAPH);
    const vars = { ...made.vars, asking, ...(request.planOnly ? { plan_only: true } : {}) };
    if (known === undefined || !isDoneByCalls(request.goal, known)) return { ...made, vars };
    return { ...made, vars: { ...vars, direct: true }, graph: DIRECT_GRAPH };
  };
}

/** The procedures that may fit a goal which is planned without a model; undefined where a model plans it. */
async function knownFor(
  bench: GoalBench,
  request: DoRequest,
  procedures: AssistantProcedures,
): Promise<readonly KnownProcedure[] | undefined> {
  if (request.agent !== undefined && request.autonomy === undefined) return undefined;
  if ((await modelOf(bench, request)) !== undefined) return undefined;
  return procedures.find(request.goal, MOST_PROCEDURES);
}

async function wantsTasks(
  bench: GoalBench,
  request: DoRequest,
  known: readonly KnownProcedure[] | undefined,
): Promise<boolean> {
  const { goal, agent, planOnly } = request;
  if (planOnly) return true;
  if (agent !== undefined) return false;
  const model = await modelOf(bench, request);
  if (model !== undefined)
    return model.provider === 'scripted' ? hasPlanner(bench, model.script) : saysSeveral(goal);
  // Most goals are one thing; only for others the tools are looked at.
  const procedures = known ?? [];
  return (
    (procedures.length > 0 || splitGoal(goal).flat().length > 1) &&
    benefitsFromPlanning(goal, await bench.tools(), procedures)
  );
}

type Model = { readonly provider: string; readonly script?: string };

/** The model that would plan, if one would. */
async function modelOf(bench: GoalBench, { model: named }: DoRequest): Promise<Model | undefined> {
  const agent = await (await (await bench.surroundings()).agents()).load(DEFAULT_AGENT.name);
  const { models, defaultModel }: OkaConfig = await bench.config();
  const name = chooseModel({ named, agent, defaultModel });
  if (name === undefined) return undefined;
  return name === modelOfAgent(agent.name) ? agent.model : (models[name] ?? { provider: name });
}

/** A script that has no turn for a planner cannot plan; its agent works on the goal alone. */
async function hasPlanner({ folder }: GoalBench, script: string | undefined): Promise<boolean> {
  try {
    const { content } = await new WorkspaceFiles(folder.workspace).read(script ?? '', {
      maxBytes: 16_777_216,
    });
    const { turns } = parseScript(JSON.parse(new TextDecoder().decode(content)));
    return turns.some(({ role }) => role === 'planner');
  } catch {
    // The agent's own run says what is wrong with the script.
    return false;
  }
}
