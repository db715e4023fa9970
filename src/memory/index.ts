export type { AddedFact } from './add-facts.ts';
export { DEFAULT_NAMESPACE, type NewEpisode, type NewFact } from './check-input.ts';
export {
  type ConversationWindow,
  conversationWindow,
  WINDOW_LIMITS,
  type WindowLimits,
} from './conversation-window.ts';
export { countTokens } from './count-tokens.ts';
export { dayOf, parseDay } from './days.ts';
export type { MemoryQuery } from './find-memories.ts';
export { InMemoryRecords } from './in-memory-records.ts';
export { InMemoryTextSearch } from './in-memory-text-search.ts';
export { type FactReading, Memory } from './memory.ts';
export {
  type MemoryEventBodies,
  type MemoryEventData,
  type MemoryEventType,
  memoryStream,
} from './memory-events.ts';
export { exportMemory, type ImportReport, importMemory } from './memory-lines.ts';
export type { MemoryParts } from './memory-parts.ts';
export { digestOfFact, memoryProjection } from './memory-projection.ts';
export { keptEpisode, keptFact, showEpisode, toEpisodePart, toEpisodes, toFact } from './memory-rows.ts';
export { buildPack, DEFAULT_PACK_TOKENS, packCap, readFrom } from './pack/build-pack.ts';
export { estimateTokens } from './pack/estimate-tokens.ts';
export { fitPack } from './pack/fit-pack.ts';
export { type FoundFrame, frameSource, type PackFrame, type PackFrames } from './pack/frame-source.ts';
export { episodeSource, factSource, type PackMemory, pinnedFactSource } from './pack/memory-sources.ts';
export { type OpenedPack, openPack, packManifest } from './pack/open-pack.ts';
export type { PackRequest, PackSource, ReadPackText } from './pack/ports.ts';
export { PACK, packIn, packToJson, type RecordedPack } from './pack/record-pack.ts';
export { type RenderedPack, renderPack } from './pack/render-pack.ts';
export type {
  ContextPack,
  DroppedItem,
  DropReason,
  PackCandidate,
  PackFault,
  PackItem,
  PackKind,
} from './pack/types.ts';
export {
  blockerSource,
  credentialSource,
  type PackCredential,
  type PackWorkspace,
  ruleSource,
  taskSource,
} from './pack/workspace-sources.ts';
export type { RecordedEpisode } from './plan-episodes.ts';
export {
  type DayRuns,
  type DaySummary,
  type Erasure,
  type FactFilter,
  type FoundEpisode,
  type KeptPassage,
  type MemoryCounts,
  type MemoryRecords,
  type NewestConversation,
  NO_NODE_VERSIONS,
  NO_VECTORS,
  type NodeVersions,
  type SearchScope,
  type SearchTerms,
  type SpentOptions,
  type TextMatch,
  type TextSearch,
  type VectorReading,
  type VectorSearch,
} from './ports.ts';
export { describeProcedure } from './procedures/describe-procedure.ts';
export type { FoundProcedure } from './procedures/find-procedures.ts';
export { gatherExecutions } from './procedures/gather-executions.ts';
export { kindOfGoal } from './procedures/goal-kind.ts';
export type { OfferedProcedure } from './procedures/offered-in.ts';
export {
  type GivenProcedures,
  type GoalPiece,
  type GoalRun,
  type GoalRuns,
  NO_GIVEN_PROCEDURES,
  type ProcedureFault,
  type ProcedureRecords,
  type ReadGoalPieces,
  type ToolVersions,
} from './procedures/ports.ts';
export { procedureProjection } from './procedures/procedure-projection.ts';
export { toLearnedProcedure } from './procedures/procedure-rows.ts';
export { procedureSource } from './procedures/procedure-source.ts';
export {
  type FormingProcedure,
  type KnownProcedure,
  type ProcedureExplanation,
  Procedures,
  type ProceduresParts,
  type ScoreReport,
} from './procedures/procedures.ts';
export { type FieldProblem, readProcedure } from './procedures/read-procedure.ts';
export type {
  DemotionReason,
  Execution,
  Figures,
  LearnedProcedure,
  Procedure,
  ProcedureBasis,
  ProcedureErrorCode,
  ProcedureEvidence,
  ProcedureOrigin,
  ProcedureStatus,
  ProcedureStep,
} from './procedures/types.ts';
export { searchTerms } from './search-terms.ts';
export type {
  DayRun,
  Episode,
  EpisodePart,
  Fact,
  Found,
  MemoryErrorCode,
  MemoryHit,
  RestsOn,
  ScoreParts,
} from './types.ts';
