export { AsyncCommitQueue } from './async-commit-queue.ts';
export { commitDecided, type DecidedChange } from './commit-decided.ts';
export { type CommitOutcome, CommitQueue } from './commit-queue.ts';
export { type AdoptedRecords, copyRecords, type RecordSource, type RecordTarget } from './copy-records.ts';
export { EMPTY_LEDGER, EMPTY_STREAM, LedgerEvent, mirrorLine } from './event.ts';
export { type DraftEvent, eventDrafts } from './event-drafts.ts';
export {
  EXPORT_FORMAT,
  type ExportHeader,
  type ExportProof,
  type ExportSignature,
  type ExportStatement,
  escapeMarkup,
  exportText,
  pageText,
  signedExportText,
} from './export/export-text.ts';
export {
  type ExportCrypto,
  type ExportParts,
  type ExportReport,
  verifyExport,
} from './export/verify-export.ts';
export { webCrypto } from './export/web-crypto.ts';
export {
  type ArchivedStream,
  blobsLost,
  bodyErased,
  type CleanupReason,
  type EventAddress,
  eventsLost,
  isCleanupReason,
  ledgerAdopted,
  namedAddresses,
  type Removal,
  removalOf,
  SYSTEM_STREAM,
  streamArchived,
} from './housekeeping.ts';
export { type LeaseHolder, replaceableOwner } from './lease-holder.ts';
export { MemoryEventStore } from './memory-event-store.ts';
export { MemoryTables } from './memory-tables.ts';
export {
  type CopyRecords,
  type LedgerCopy,
  type LostRecords,
  type MergeOptions,
  type MergeOutcome,
  mergeRecords,
} from './merge-records.ts';
export {
  type ArchivedRecord,
  archivedLine,
  lineOfRecord,
  type MirrorRecord,
  parseMirrorLine,
  placeOf,
} from './mirror-line.ts';
export type { EventStore, Leases } from './ports.ts';
export type { ColumnType, Projection, Row, RowChange, TableSpec } from './projection.ts';
export { redactEvents } from './redact-events.ts';
export { changesOf, fitsAfter, removalsOf } from './replication/batch-effects.ts';
export { type FailedAttempt, type FollowParts, followLedger } from './replication/follow-ledger.ts';
export { MemoryReplica } from './replication/memory-replica.ts';
export { type BatchLimits, workspaceId } from './replication/next-batch.ts';
export { Outbox, type OutboxParts, type ReplicaProgress } from './replication/outbox.ts';
export type { OutboxSource, ReplicaSink } from './replication/ports.ts';
export type { ReplicaBatch, ReplicaTally, ReplicationErrorCode } from './replication/types.ts';
export { type LocalTables, type ReplicaReport, verifyReplica } from './replication/verify-replica.ts';
export {
  endsOf,
  type NewEnds,
  placeGroup,
  sealEvents,
  type Tail,
  type WrittenCommit,
  writeOutCommit,
} from './seal-group.ts';
export {
  compareWithSigned,
  type HeadComparison,
  type HeadSource,
  type SignedHead,
  signedText,
} from './signed-head.ts';
export {
  ID_TABLES,
  type IdTable,
  INDEXED_ID_END,
  type SqlDialect,
  type SqlTables,
  type SqlValue,
} from './sql-tables.ts';
export {
  type Commit,
  type EventDraft,
  type EventRecord,
  LEDGER_ERROR_CODES,
  type LedgerErrorCode,
  type LedgerHead,
  type StreamAppend,
  type StreamEnd,
  type SyncLevel,
} from './types.ts';
export { type ChainReport, type ChainStart, ChainVerifier, type Fault, isBodyValid } from './verify.ts';
