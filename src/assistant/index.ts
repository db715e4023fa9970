export { assistantKind } from './assistant-kind.ts';
export {
  type CheckableCriterion,
  type Criterion,
  checkableCriterion,
  describeCriterion,
} from './criterion.ts';
export { AUTONOMY_LEVELS, type Autonomy } from './governor.ts';
export { type PolicyRefusal, policyRefusals } from './policy-refusals.ts';
export type { AssistantKindOptions, PlanWithoutModel } from './ports.ts';
export { parseTaskGraph, type Task, type TaskGraph } from './task-graph.ts';
export {
  type TaskGraphView,
  type TaskStatus,
  type TaskView,
  taskGraphOf,
  taskGraphOfRun,
} from './task-graph-of.ts';
export type { AssistantErrorCode, Rejection } from './types.ts';
