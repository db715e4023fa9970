export { memoryIndexFaults } from './check-memory-index.ts';
export { changeNodeIndex, openNodeIndex } from './context-nodes.ts';
export type { Database } from './driver.ts';
export { SqliteEventStore } from './event-store.ts';
export { FoldedInMemory } from './folded-in-memory.ts';
export { foreignRecords } from './foreign-records.ts';
export { indexIdEnds } from './id-ends.ts';
export { SqliteLeases } from './leases.ts';
export { LedgerArchive } from './ledger-archive.ts';
export { LedgerCopy } from './ledger-copy.ts';
export { type CheckOptions, type LedgerCheck, LedgerView } from './ledger-view.ts';
export { ensureMemoryIndex, indexTexts } from './memory-index.ts';
export { SqliteTextSearch } from './memory-search.ts';
export { SqliteVectors } from './memory-vectors.ts';
export { NEWEST_SCHEMA } from './migrations.ts';
export {
  openDatabase,
  openForReading,
  requireSafeSqlite,
  sqliteVersion,
} from './open-database.ts';
export type { OpenedForReading } from './open-for-reading.ts';
export { SqliteRateGate } from './rate-gate.ts';
export { copyableRecords } from './record-copies.ts';
export { rebuildDatabase } from './record-writer.ts';
export {
  dropLeases,
  freeClosedConnections,
  hasErasedSince,
  isOpenElsewhere,
  pinDatabase,
  readSnapshot,
  requireExclusive,
  withWriteLock,
} from './snapshot-database.ts';
export { isDiskRefusal } from './sqlite-error.ts';
export { SqliteTables } from './sqlite-tables.ts';
