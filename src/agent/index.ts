export { agentKind } from './agent-kind.ts';
export { briefFolder } from './brief-folder.ts';
export { type DeterministicPlannerOptions, deterministicPlanner } from './deterministic-planner.ts';
export { readGoal } from './read-goal.ts';
export type { AgentErrorCode, Goal, GoalPart, Procedure } from './types.ts';
