export type { AddedFact } from './add-facts.ts';
export type { NewEpisode, NewFact } from './check-input.ts';
export { type ConversationWindow, conversationWindow, type WindowLimits } from './conversation-window.ts';
export { countTokens } from './count-tokens.ts';
export { dayOf, parseDay } from './days.ts';
export type { MemoryQuery } from './find-memories.ts';
export { InMemoryRecords, InMemoryTextSearch } from './in-memory-records.ts';
export { type FactReading, Memory } from './memory.ts';
export {
  type MemoryEventBodies,
  type MemoryEventData,
  type MemoryEventType,
  memoryStream,
} from './memory-events.ts';
export { exportMemory, type ImportReport, importMemory } from './memory-lines.ts';
export type { MemoryParts } from './memory-parts.ts';
export { memoryProjection } from './memory-projection.ts';
export { toEpisodePart, toEpisodes, toFact } from './memory-rows.ts';
export type { RecordedEpisode } from './plan-episodes.ts';
export {
  type DayRuns,
  type DaySummary,
  type Erasure,
  type FactFilter,
  type MemoryCounts,
  type MemoryRecords,
  NO_NODE_VERSIONS,
  type NodeVersions,
  type SearchScope,
  type SpentOptions,
  type TextMatch,
  type TextSearch,
} from './ports.ts';
export { queryWords } from './query-words.ts';
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
