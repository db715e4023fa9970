export { SqliteCache } from './cache.ts';
export { SqliteChatRecords } from './chat-records.ts';
export { SqliteContentRecords, type TaintedContent } from './content-records.ts';
export { SqliteFrameRecords } from './context-frames.ts';
export { changeNodeIndex, openNodeIndex } from './context-nodes.ts';
export { SqliteContextRoots } from './context-roots.ts';
export type { Database } from './driver.ts';
export { SqliteEventStore } from './event-store.ts';
export { SqliteGraphStateStore } from './graph-state-store.ts';
export { type IdTable, indexIdEnds, SqliteIdFinder } from './id-finder.ts';
export { SqliteKnowledge } from './knowledge.ts';
export { SqliteLeases } from './leases.ts';
export { LedgerArchive } from './ledger-archive.ts';
export { LedgerView } from './ledger-view.ts';
export { SqliteMaintenanceRecords } from './maintenance-records.ts';
export { ensureMemoryIndex, indexTexts } from './memory-index.ts';
export { SqliteMemoryRecords } from './memory-records.ts';
export { SqliteTextSearch } from './memory-search.ts';
export { SqliteVectors } from './memory-vectors.ts';
export { NEWEST_SCHEMA } from './migrations.ts';
export { openDatabase, openForReading, requireSafeSqlite, sqliteVersion } from './open-database.ts';
export type { OpenedForReading } from './open-for-reading.ts';
export { SqliteProcedureRecords } from './procedure-records.ts';
export { SqliteRateGate } from './rate-gate.ts';
export { copyableRecords } from './record-copies.ts';
export { rebuildDatabase } from './record-writer.ts';
export { SqliteRetentionRecords } from './retention-records.ts';
export { SqliteRunFigures } from './run-figures.ts';
export { SqliteRunStore } from './run-store.ts';
export { SqliteScheduleStore } from './schedule-store.ts';
export { SqliteSimulationStore } from './simulation-store.ts';
export {
  dropLeases,
  hasErasedSince,
  isOpenElsewhere,
  pinDatabase,
  readSnapshot,
  requireExclusive,
  withWriteLock,
} from './snapshot-database.ts';
export { isDiskRefusal } from './sqlite-error.ts';
