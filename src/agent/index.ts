export {
  AGENT_PROVIDERS,
  type AgentDefinition,
  type AgentFileErrorCode,
  type AgentModel,
  type AgentProblem,
  type AgentProblemCode,
  agentNameProblems,
  agentToolProblems,
  DEFAULT_AGENT,
  offersTool,
  parseAgent,
} from './agent-definition.ts';
export { type AgentKindOptions, agentKind } from './agent-kind.ts';
export { briefFolder } from './brief-folder.ts';
export { callKind } from './call-kind.ts';
export { type DeterministicPlannerOptions, deterministicPlanner } from './deterministic-planner.ts';
export { type AgentBrief, type AgentModels, BRIEF, briefToJson, type HearText, NO_MODEL } from './ports.ts';
export { BUILT_IN_PROCEDURES } from './procedures/built-in-procedures.ts';
export { readGoal } from './read-goal.ts';
export { AGENT_ERROR_CODES, type AgentErrorCode, type Goal, type GoalPart, type Procedure } from './types.ts';
