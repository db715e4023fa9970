export { type AddedFact, planFacts } from './add-facts.ts';
export { DEFAULT_NAMESPACE, type NewEpisode, type NewFact } from './check-input.ts';
export { conversationWindow, WINDOW_LIMITS } from './conversation-window.ts';
export { dayOf, parseDay } from './days.ts';
export type { FactHistory, UndoneFact } from './fact-history.ts';
export { factUseProjection } from './fact-use-projection.ts';
export type { MemoryQuery } from './find-memories.ts';
export { type CandidateReading, type FactReading, Memory } from './memory.ts';
export { memoryStream } from './memory-events.ts';
export { exportMemory, type ImportReport, importMemory } from './memory-lines.ts';
export { digestOfFact, memoryProjection } from './memory-projection.ts';
export {
  episodePassage,
  factPassage,
  showEpisode,
  showFact,
  toEpisodePart,
  toEpisodes,
  toFactChange,
  toFactPart,
  toFacts,
  toQuarantinedFact,
} from './memory-rows.ts';
export { buildPack, packCap, readFrom } from './pack/build-pack.ts';
export { estimateTokens } from './pack/estimate-tokens.ts';
export { frameSource, type PackFrame } from './pack/frame-source.ts';
export { episodeSource, factSource, type PackMemory, pinnedFactSource } from './pack/memory-sources.ts';
export { type OpenedPack, openPack, PACK, packIn, packManifest, packToJson } from './pack/open-pack.ts';
export type { ContextPack, PackItem, PackKind, PackRequest, PackSource, ReadPackText } from './pack/types.ts';
export {
  blockerSource,
  credentialSource,
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
  type FactLikeness,
  type FoundEpisode,
  type FoundFact,
  type MemoryCounts,
  type MemoryParts,
  type MemoryRecords,
  type NewestConversation,
  NO_NODE_VERSIONS,
  type NodeVersion,
  type NodeVersions,
  type PruneFilter,
  type QuarantineFilter,
  type SearchPassage,
  type SearchScope,
  type SearchTerms,
  type TextMatch,
  type TextSearch,
  type VectorReading,
  type VectorSearch,
} from './ports.ts';
export type {
  GivenProcedures,
  GoalRun,
  GoalRuns,
  ProcedureFault,
  ProcedureRecords,
  ToolVersions,
} from './procedures/ports.ts';
export { procedureProjection, toLearnedProcedure } from './procedures/procedure-projection.ts';
export { procedureSource } from './procedures/procedure-source.ts';
export { type KnownProcedure, Procedures, type ScoreReport } from './procedures/procedures.ts';
export { type FieldProblem, readProcedure } from './procedures/read-procedure.ts';
export type {
  DemotionReason,
  Figures,
  LearnedProcedure,
  Procedure,
  ProcedureErrorCode,
  ProcedureEvidence,
  ProcedureStep,
} from './procedures/types.ts';
export { distrustFacts } from './quarantine.ts';
export { spokenWords } from './search-terms.ts';
export type {
  DayRun,
  Episode,
  EpisodePart,
  Fact,
  FactChange,
  FactPart,
  FactUses,
  Found,
  MemoryErrorCode,
  MemoryHit,
  QuarantinedFact,
  RestsOn,
} from './types.ts';
