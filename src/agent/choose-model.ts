// Owns: which model plans a run. A run without a model is planned by rules.
import type { PlanInput } from '../engine/index.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { recordedBrief } from './brief.ts';

/** A run names this instead of a model to be planned by rules. */
export const NO_MODEL = 'none';

/** Begins the name of a model that an agent's file configures. */
export const AGENT_MODEL_PREFIX = 'agent:';

/** The name of the model that an agent's file configures. */
export function modelOfAgent(agent: string): string {
  return `${AGENT_MODEL_PREFIX}${agent}`;
}

/** The model for a new run: the one that the run names, else the one of its agent's file, else the default model. */
export function chooseModel(choice: {
  /** The variable `model` of the run. */
  readonly named?: unknown;
  readonly agent: Pick<AgentDefinition, 'name' | 'model'>;
  readonly defaultModel: string | undefined;
}): string | undefined {
  const { named, agent, defaultModel } = choice;
  if (typeof named === 'string') return named === NO_MODEL ? undefined : named;
  if (agent.model === undefined) return defaultModel;
  return 'configured' in agent.model ? agent.model.configured : modelOfAgent(agent.name);
}

/** The model of a run that has started: the one that the run names, else the one that its brief recorded. */
export function modelOfRun({ vars, evidence }: Pick<PlanInput, 'vars' | 'evidence'>): string | undefined {
  const { model = recordedBrief(evidence)?.model } = vars;
  return typeof model === 'string' && model !== NO_MODEL ? model : undefined;
}
