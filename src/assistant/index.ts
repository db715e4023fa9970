export { ASKING_GRAPH, assistantKind, DIRECT_GRAPH } from './assistant-kind.ts';
export { isDoneByCalls } from './compose-tasks.ts';
export { type CheckableCriterion, checkableCriterion } from './criterion.ts';
export { type PolicyRefusal, policyRefusals } from './governor.ts';
export {
  type AssistantProcedures,
  type KnownProcedure,
  MAX_RECALLED,
  NO_PROCEDURES,
  PROCEDURES,
  recallProcedures,
} from './known-procedures.ts';
export { deriveDays, deriveFiles, isDerivedPath, TODOS } from './maintenance/derive-files.ts';
export { type Distillation, distilWords } from './maintenance/distil-words.ts';
export { expiredTrees } from './maintenance/expired-trees.ts';
export { MAINTENANCE, maintenanceProjection } from './maintenance/maintenance-events.ts';
export { maintenanceKind } from './maintenance/maintenance-kind.ts';
export { maintenanceTools } from './maintenance/maintenance-tools.ts';
export {
  type Correction,
  type DerivedReport,
  type DerivedSources,
  type FinishedTree,
  type MaintenanceErrorCode,
  type MaintenanceRecords,
  type MaintenanceWork,
  NO_SCORING,
  type RetentionPeriods,
  type RetentionRecords,
  type RetentionReport,
  type ScoreProcedures,
  type Span,
} from './maintenance/ports.ts';
export { placeOf } from './maintenance/spoken-words.ts';
export { tidyFacts } from './maintenance/tidy-facts.ts';
export { computeMetrics } from './metrics/compute-metrics.ts';
export type { Figure, LearnedFacts, RunFigures } from './metrics/work-log.ts';
export { cut } from './moves.ts';
export { needsTasks } from './needs-tasks.ts';
export { type TaskGraphView, taskGraphOf } from './task-graph-of.ts';
export type { AssistantErrorCode } from './types.ts';
