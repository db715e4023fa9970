export { ASKING_GRAPH } from './asking-graph.ts';
export { assistantKind, DIRECT_GRAPH } from './assistant-kind.ts';
export { benefitsFromPlanning, composeTasks, isDoneByCalls } from './compose-tasks.ts';
export {
  type CheckableCriterion,
  type Criterion,
  checkableCriterion,
  describeCriterion,
} from './criterion.ts';
export { AUTONOMY_LEVELS, type Autonomy } from './governor.ts';
export {
  type AssistantProcedures,
  type KnownProcedure,
  NO_PROCEDURES,
  type ProcedureStep,
  recallProcedures,
} from './known-procedures.ts';
export { deriveDays, deriveFiles } from './maintenance/derive-files.ts';
export { isDerivedPath, TODOS } from './maintenance/derived-paths.ts';
export {
  type Distillation,
  type DistilParts,
  distilWords,
} from './maintenance/distil-words.ts';
export { expiredTrees } from './maintenance/expired-trees.ts';
export { MAINTENANCE, maintenanceProjection } from './maintenance/maintenance-events.ts';
export { maintenanceKind } from './maintenance/maintenance-kind.ts';
export { maintenanceTools } from './maintenance/maintenance-tools.ts';
export {
  type Correction,
  type DerivedReport,
  type DerivedSources,
  type FinishedTree,
  type MaintenanceRecords,
  type MaintenanceWork,
  NO_SCORING,
  type RetentionPeriods,
  type RetentionRecords,
  type RetentionReport,
  type ScoredProcedures,
  type ScoreProcedures,
  type Span,
} from './maintenance/ports.ts';
export { placeOf } from './maintenance/spoken-words.ts';
export { type Statement, statementsIn } from './maintenance/statements.ts';
export { type TidyReport, tidyFacts } from './maintenance/tidy-facts.ts';
export type { MaintenanceErrorCode } from './maintenance/types.ts';
export { computeMetrics } from './metrics/compute-metrics.ts';
export type { Figure, RunFigures } from './metrics/types.ts';
export { type PolicyRefusal, policyRefusals } from './policy-refusals.ts';
export type { AssistantKindOptions, PlanWithoutModel } from './ports.ts';
export { saysSeveral } from './split-goal.ts';
export { parseTaskGraph, type Task, type TaskGraph } from './task-graph.ts';
export {
  type TaskGraphView,
  type TaskStatus,
  type TaskView,
  taskGraphOf,
  taskGraphOfRun,
} from './task-graph-of.ts';
export type { AssistantErrorCode, Rejection } from './types.ts';
