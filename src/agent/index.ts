export { type Goal, type GoalPart, readGoal } from '../language/index.ts';
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
export { AgentRuns, type ConversationText } from './agent-runs.ts';
export { type AgentBrief, BRIEF, briefToJson, recordedBrief } from './brief.ts';
export { briefFolder } from './brief-folder.ts';
export { callKind } from './call-kind.ts';
export { AGENT_MODEL_PREFIX, chooseModel, modelOfAgent, modelOfRun, NO_MODEL } from './choose-model.ts';
export { type DeterministicPlannerOptions, deterministicPlanner } from './deterministic-planner.ts';
export { judgeRun } from './judge-run.ts';
export { FALLBACK, lostModel, lostUse, mayFallBack } from './model/lost-model.ts';
export { recoveredFrom } from './model/model-planner.ts';
export { ANSWERS_TASK, taskOutput } from './model/task-result.ts';
export type { TextListener } from './ports.ts';
export { BUILT_IN_PROCEDURES, procedureResult } from './procedures/built-in-procedures.ts';
export { AGENT_ERROR_CODES, type AgentErrorCode, type Procedure } from './types.ts';
