import type { Json, JsonObject } from '../kernel/index.ts';

/** An event before it is stored. `data` is permanent structure; `body` is content that can be erased. */
export interface EventDraft {
  readonly type: string;
  readonly data: JsonObject;
  readonly body?: Json;
}

/** The stored form of an event, with texts exactly as hashed. */
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
  /** The index that the first event must get. By default the events follow the end of the stream. */
  readonly expectedIndex?: number;
  readonly events: readonly EventDraft[];
}

/** `full` is on disk when the commit resolves; `normal` reaches the disk with the next full one. */
export type SyncLevel = 'full' | 'normal';

/** An atomic set of appends. */
export interface Commit {
  readonly actor: string;
  readonly appends: readonly StreamAppend[];
  readonly sync: SyncLevel;
}

/** The end of a stream: its last index (-1 when empty) and the chain value there. */
export interface StreamEnd {
  readonly index: number;
  readonly chain: string;
}

/** The end of the ledger: its last sequence number and the chain value there, which covers all earlier events. */
export interface LedgerHead {
  readonly seq: number;
  readonly hash: string;
}

export const LEDGER_ERROR_CODES = [
  'ledger.conflict',
  'ledger.damaged',
  'ledger.diverged',
  'ledger.older_than_signed',
  'ledger.rewritten',
  'ledger.database_missing',
  'ledger.newer_schema',
  'ledger.needs_migration',
  'ledger.unsupported_sqlite',
  'ledger.disk_full',
  'ledger.read_only',
  'ledger.busy',
  'ledger.unavailable',
  'ledger.bad_event',
  'ledger.secret_in_event',
  'ledger.closed',
] as const;
export type LedgerErrorCode = (typeof LEDGER_ERROR_CODES)[number];
