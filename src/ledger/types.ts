import type { Json, JsonObject } from '../kernel/index.ts';

/** What a writer hands in. `data` is structure and is kept; `body` is content that a person may want erased. */
export interface EventDraft {
  readonly type: string;
  readonly data: JsonObject;
  readonly body?: Json;
}

/** The stored form of an event: texts exactly as hashed. */
export interface EventRecord {
  readonly seq: number;
  readonly stream: string;
  readonly index: number;
  readonly type: string;
  readonly at: number;
  readonly actor: string;
  /** True on the last event of each transaction. */
  readonly ends: boolean;
  readonly dataText: string;
  readonly bodyText: string | null;
  readonly salt: string | null;
  readonly bodyDigest: string | null;
  readonly chain: string;
}

/** Events for one stream. */
export interface StreamAppend {
  readonly stream: string;
  /** The index that the first event must get. Left out: the events go wherever the stream ends. */
  readonly expectedIndex?: number;
  readonly events: readonly EventDraft[];
}

/** `full` is on disk when the commit answers; `normal` becomes so with the next full one. */
export type SyncLevel = 'full' | 'normal';

/** One member of a group: all of its appends happen, or none. */
export interface Commit {
  readonly actor: string;
  readonly appends: readonly StreamAppend[];
  readonly sync: SyncLevel;
}

/** Where a stream stands: its last index (-1 when empty) and the chain value there. */
export interface StreamEnd {
  readonly index: number;
  readonly chain: string;
}

/** Where the ledger stands: its last sequence number and the chain value there, which covers all events before it. */
export interface LedgerHead {
  readonly seq: number;
  readonly hash: string;
}

export const LEDGER_ERROR_CODES = [
  'ledger.conflict',
  'ledger.damaged',
  'ledger.diverged',
  'ledger.database_missing',
  'ledger.newer_schema',
  'ledger.needs_migration',
  'ledger.unsupported_sqlite',
  'ledger.disk_full',
  'ledger.read_only',
  'ledger.busy',
  'ledger.unavailable',
  'ledger.bad_event',
  'ledger.closed',
] as const;
export type LedgerErrorCode = (typeof LEDGER_ERROR_CODES)[number];
