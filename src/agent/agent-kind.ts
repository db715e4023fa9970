import { CANONICAL_GRAPH, type RunKind } from '../engine/index.ts';
import { type DeterministicPlannerOptions, deterministicPlanner } from './deterministic-planner.ts';

/** Runs that pursue one goal through the canonical states. */
export function agentKind(options: DeterministicPlannerOptions = {}): RunKind {
  return { name: 'agent', planner: deterministicPlanner(options), graph: CANONICAL_GRAPH };
}
