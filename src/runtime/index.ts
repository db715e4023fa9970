export type { WorkerOptions, WorkerReady } from './cluster/run-worker.ts';
export { runWorker } from './cluster/start-worker.ts';
export type { EveryErrorCodeIsListed } from './error-codes.ts';
export type { FeedEvent, FeedText, LedgerFeed, RunTree } from './ledger/ledger-feed.ts';
export type { OpenLedger } from './ledger/open-ledger.ts';
export { SqliteLedger } from './ledger/sqlite-ledger.ts';
export { Oka, type OkaOptions } from './oka.ts';
export type { ServedTelemetry } from './process/telemetry.ts';
