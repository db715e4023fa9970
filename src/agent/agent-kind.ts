import { CANONICAL_GRAPH, type PlanInput, type RunKind } from '../engine/index.ts';
import { asksForAbilities } from './abilities.ts';
import { modelOfRun } from './choose-model.ts';
import { type DeterministicPlannerOptions, deterministicPlanner } from './deterministic-planner.ts';
import { isFree, lostModel } from './model/lost-model.ts';
import { estimateWithModel, type ModelPlanning, planWithModel } from './model/model-planner.ts';

/** Without `models` every agent plans by rules. */
export type AgentKindOptions = DeterministicPlannerOptions & Partial<ModelPlanning>;

/** Runs that pursue one goal through the canonical states, planned with the run's model, else by rules. */
export function agentKind(options: AgentKindOptions = {}): RunKind {
  const { models } = options;
  const byRules = deterministicPlanner(options);
  // What Oka can do is known without a model, and better; an agent that somebody names speaks for itself.
  const withModel = (input: PlanInput): boolean =>
    modelOfRun(input) !== undefined &&
    lostModel(input.evidence) === undefined &&
    !(isFree(input) && asksForAbilities(input.goal));
  const planning = models && { ...options, models };
  return {
    name: 'agent',
    graph: CANONICAL_GRAPH,
    planner: {
      name: 'agent',
      version: '3',
      // Version 1 read goals less strictly. A question that it asked is asked again where the reading differs.
      continues: ['1', '2'],
      deterministic: true,
      plan: (input) =>
        withModel(input) && planning !== undefined
          ? planWithModel(input, planning, byRules)
          : byRules.plan(input),
      handlesDenials: withModel,
      estimate: (input, left) =>
        planning !== undefined && withModel(input) ? estimateWithModel(input, planning, left) : {},
    },
  };
}
