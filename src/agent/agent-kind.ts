import { CANONICAL_GRAPH, type PlanInput, type RunKind } from '../engine/index.ts';
import type { ReadPackText } from '../memory/index.ts';
import { modelOfRun } from './choose-model.ts';
import { type DeterministicPlannerOptions, deterministicPlanner } from './deterministic-planner.ts';
import { estimateWithModel, planWithModel } from './model/model-planner.ts';
import type { AgentModels, HearText } from './ports.ts';

export interface AgentKindOptions extends DeterministicPlannerOptions {
  /** Where models are found; without it every agent plans by rules. */
  readonly models?: AgentModels;
  /** Hears what models say while they say it. */
  readonly onText?: HearText;
  /** Reads what a run's context pack names by id. */
  readonly readPack?: ReadPackText;
}

/**
 * Runs that pursue one goal through the canonical states. A run that names a model, or whose agent has one, is planned
 * with it, any other by rules.
 */
export function agentKind(options: AgentKindOptions = {}): RunKind {
  const { models, onText, readPack } = options;
  const byRules = deterministicPlanner(options);
  const withModel = (input: PlanInput): boolean => modelOfRun(input) !== undefined;
  const planning = models && {
    models,
    ...(onText ? { onText } : {}),
    ...(readPack ? { readPack } : {}),
  };
  return {
    name: 'agent',
    graph: CANONICAL_GRAPH,
    planner: {
      name: 'agent',
      version: '1',
      deterministic: true,
      plan: (input) =>
        withModel(input) && planning !== undefined ? planWithModel(input, planning) : byRules.plan(input),
      handlesDenials: withModel,
      ...(planning && { estimate: (input) => (withModel(input) ? estimateWithModel(input) : {}) }),
    },
  };
}
