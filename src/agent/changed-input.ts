import type { PlanInput } from '../engine/index.ts';

/** The same with something else in it. Each member is named, because some are worked out only when they are asked for. */
export function changedInput(input: PlanInput, changes: Partial<PlanInput>): PlanInput {
  const { goal, state, graph, evidence, allTools, eligibleTools, budgets, vars, visit, latest, run, signal } =
    input;
  const whole: PlanInput['whole'] = (artifact) => input.whole(artifact);
  return {
    goal,
    state,
    graph,
    evidence,
    allTools,
    eligibleTools,
    budgets,
    vars,
    visit,
    latest,
    run,
    signal,
    whole,
    ...changes,
  };
}
