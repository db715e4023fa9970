// Owns: how a goal that a person gives is worked on: by one agent, or as tasks that are planned, done and checked.
// I1 A goal that reads as one thing goes straight to an agent: a plan of one task would cost and gain nothing.
// I2 Whoever names a level of autonomy, or wants to see the plan, gets tasks; whoever names an agent gets that agent alone.
import { WorkspaceFiles } from '../adapters/files/index.ts';
import type { WorkspaceFolder } from '../adapters/workspace/index.ts';
import { DEFAULT_AGENT, NO_MODEL } from '../agent/index.ts';
import type { DoRequest, RunAnswer } from '../api/index.ts';
import {
  ASKING_GRAPH,
  type AssistantProcedures,
  gainsByPlanning,
  NO_PROCEDURES,
  saysSeveral,
} from '../assistant/index.ts';
import type { OkaConfig } from '../config/index.ts';
import type { Engine, RunRequest } from '../engine/index.ts';
import { parseScript } from '../models/index.ts';
import type { OpenLedger } from './open-ledger.ts';
import type { Surroundings } from './surroundings.ts';
import { withBlocker } from './with-blocker.ts';
import type { Workbench } from './workbench.ts';

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
  const level = request.autonomy ?? ((await wantsTasks(bench, request, procedures)) ? 'guided' : undefined);
  const runs = (await bench.surroundings()).agentRuns();
  const { autonomy: _, ...asked } = request;
  const made = await runs.request(level === undefined ? asked : { ...asked, autonomy: level });
  if (level === undefined) return bench.start(made, request);
  const prepare = async (engine: Engine): Promise<RunRequest> => {
    const asking = await engine.keepGraph(ASKING_GRAPH);
    return { ...made, vars: { ...made.vars, asking, ...(request.planOnly ? { plan_only: true } : {}) } };
  };
  if (request.simulate) return bench.simulate(prepare, request);
  return withBlocker(bench, await bench.start(await prepare(await bench.acting()), request));
}

async function wantsTasks(
  bench: GoalBench,
  request: DoRequest,
  procedures: AssistantProcedures,
): Promise<boolean> {
  const { goal, agent, planOnly } = request;
  if (planOnly) return true;
  if (agent !== undefined) return false;
  const model = await modelOf(bench, request);
  if (model !== undefined)
    return model.provider === 'scripted' ? hasPlanner(bench, model.script) : saysSeveral(goal);
  const known = await procedures.find(goal, MOST_PROCEDURES);
  // Most goals are one thing; only for others the tools are looked at.
  return (known.length > 0 || mayBeSeveral(goal)) && gainsByPlanning(goal, await bench.tools(), known);
}

function mayBeSeveral(goal: string): boolean {
  return /[,;\n]|[.!?]\s|\b(?:and|then|as well as)\b/i.test(goal);
}

type Model = { readonly provider: string; readonly script?: string };

/** The model that would plan, if one would. */
async function modelOf(bench: GoalBench, { model: named }: DoRequest): Promise<Model | undefined> {
  if (named === NO_MODEL) return undefined;
  const { model: own } = await (await (await bench.surroundings()).agents()).load(DEFAULT_AGENT.name);
  const { models, defaultModel }: OkaConfig = await bench.config();
  if (named === undefined && own !== undefined) return own;
  const name = named ?? defaultModel;
  return name === undefined ? undefined : (models[name] ?? { provider: name });
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
