// Owns: whether one agent works on a goal, or a plan of tasks.
// I1 A goal that reads as one task goes to an agent directly: a plan of one task costs and gains nothing.
// I2 A request with a level of autonomy or `planOnly` gets tasks; a request with an agent gets that agent only.
import { WorkspaceFiles } from '../../adapters/files/index.ts';
import { chooseModel, DEFAULT_AGENT, FALLBACK, modelOfAgent } from '../../agent/index.ts';
import type { DoRequest, RunAnswer } from '../../api/index.ts';
import {
  ASKING_GRAPH,
  type AssistantProcedures,
  DIRECT_GRAPH,
  isDoneByCalls,
  type KnownProcedure,
  NO_PROCEDURES,
  needsTasks,
} from '../../assistant/index.ts';
import type { OkaConfig } from '../../config/index.ts';
import { type Engine, hostsNamedBy, type RunRequest } from '../../engine/index.ts';
import { parseJson } from '../../kernel/index.ts';
import { parseScript } from '../../models/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { keyedStart } from './start-key.ts';

const MAX_PROCEDURES = 3;

/** Works on a goal until it is done, is blocked or needs a person. */
export async function pursueGoal(
  services: WorkspaceServices,
  request: DoRequest,
  procedures: AssistantProcedures = NO_PROCEDURES,
): Promise<RunAnswer> {
  services.requireTrust();
  const prepare = await goalRun(services, request, procedures);
  if (request.simulate) return services.simulate(prepare, request);
  const run = await prepare(await services.acting());
  return services.start({ ...run, ...keyedStart('do', request) }, request);
}

/** Returns a function that creates the run for a goal: of one agent, or of tasks. */
export async function goalRun(
  services: WorkspaceServices,
  request: DoRequest,
  procedures: AssistantProcedures,
): Promise<(engine: Pick<Engine, 'storeGraph'>) => Promise<RunRequest>> {
  const known = await knownFor(services, request, procedures);
  const level = request.autonomy ?? ((await wantsTasks(services, request, known)) ? 'guided' : undefined);
  const runs = await services.agentRuns();
  const { autonomy: _, ...asked } = request;
  const requested = await runs.request(level === undefined ? asked : { ...asked, autonomy: level });
  const isFree = known === undefined && request.model === undefined && request.agent === undefined;
  const namedHosts = hostsNamedBy(request.goal);
  const made = { ...requested, namedHosts, vars: { ...requested.vars, ...(isFree ? FALLBACK : {}) } };
  if (level === undefined) return async () => made;
  return async (engine) => {
    const asking = await engine.storeGraph(ASKING_GRAPH);
    const vars = { ...made.vars, asking, ...(request.planOnly ? { plan_only: true } : {}) };
    if (known === undefined || !isDoneByCalls(request.goal, known)) return { ...made, vars };
    return { ...made, vars: { ...vars, direct: true }, graph: DIRECT_GRAPH };
  };
}

/** The procedures that match a goal planned without a model; undefined if a model plans it. */
async function knownFor(
  services: WorkspaceServices,
  request: DoRequest,
  procedures: AssistantProcedures,
): Promise<readonly KnownProcedure[] | undefined> {
  if (request.agent !== undefined && request.autonomy === undefined) return undefined;
  if ((await modelOf(services, request)) !== undefined) return undefined;
  return procedures.find(request.goal, MAX_PROCEDURES);
}

async function wantsTasks(
  services: WorkspaceServices,
  request: DoRequest,
  procedures: readonly KnownProcedure[] = [],
): Promise<boolean> {
  const found = request.agent === undefined ? await modelOf(services, request) : undefined;
  const hasPlanner = found?.provider === 'scripted' ? { hasPlanner: await scriptPlans(services, found) } : {};
  return needsTasks(request, { model: found && hasPlanner, procedures, tools: services.tools });
}

type Model = { readonly provider: string; readonly script?: string };

/** The model that would plan the goal. */
async function modelOf(services: WorkspaceServices, { model: named }: DoRequest): Promise<Model | undefined> {
  const agent = await (await services.agents()).load(DEFAULT_AGENT.name);
  const { models, defaultModel }: OkaConfig = await services.config();
  const name = chooseModel({ named, agent, defaultModel });
  if (name === undefined) return undefined;
  const own = agent.model !== undefined && 'provider' in agent.model ? agent.model : undefined;
  return name === modelOfAgent(agent.name) ? own : (models[name] ?? { provider: name });
}

async function scriptPlans({ folder }: WorkspaceServices, { script }: Model): Promise<boolean> {
  try {
    const { content } = await new WorkspaceFiles(folder.workspace).read(script ?? '', {
      maxBytes: 16_777_216,
    });
    const { turns } = parseScript(parseJson(new TextDecoder().decode(content)));
    return turns.some(({ role }) => role === 'planner');
  } catch {
    // The agent's run reports the error of the script.
    return false;
  }
}
