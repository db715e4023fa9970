import type { LedgerSnapshot, ServerCheck } from '../../adapters/postgres/index.ts';
import type {
  SqlGraphStateStore,
  SqlIdFinder,
  SqlRunStore,
  SqlScheduleStore,
  SqlSimulationStore,
} from '../../adapters/sql/index.ts';
import type { Database, LedgerArchive, OpenedForReading } from '../../adapters/sqlite/index.ts';
import type { Mirror, SignedHeads, WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { ArtifactStore, Awaitable, Owners, RateGate } from '../../engine/index.ts';
import type { Clock, Random, Redactor, Warn } from '../../kernel/index.ts';
import type {
  EventAddress,
  EventStore,
  HeadSource,
  Leases,
  LedgerEvent,
  SqlTables,
} from '../../ledger/index.ts';

export interface LedgerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly owners: Owners;
  readonly alwaysSync?: boolean;
  /** Called with problems that need no action now, such as a mirror that cannot be written. */
  readonly onWarning?: Warn;
  /** Keeps known secrets out of the ledger. */
  readonly redactor?: Redactor;
  /** Wraps the store that the engine writes to. */
  readonly wrapEvents?: (store: EventStore) => EventStore;
  /** The signed heads of this ledger, if the user trusts the workspace. */
  readonly heads?: SignedHeads;
}

/** The purpose of an open ledger: to write, to read, or to read a copy that may be changed. */
export type LedgerPurpose = 'write' | 'read' | 'copy';

/** The event store of an open ledger. */
export interface LedgerStore extends EventStore {
  /** Up to `limit` events of these streams after `seq`, in order. */
  readStreams(streams: readonly string[], seq: number, limit: number): Promise<readonly LedgerEvent[]>;
  /** Makes everything durable that any process has committed. */
  makeDurable(): Promise<void>;
}

type LedgerStatistics = ReturnType<LedgerArchive['statistics']>;

/** The records of an open ledger, and the changes to stored data other than appends. */
export interface LedgerRecords
  extends Pick<LedgerArchive, 'head' | 'chainAt' | 'records' | 'lostBlobs' | 'verify'> {
  /** Permanently erases the bodies of these events. */
  erase(events: readonly EventAddress[], by: string, reason: string): Awaitable<void>;
  /** Removes finished streams and keeps the end of each. */
  archive(streams: readonly string[], by: string, reason: string): Awaitable<void>;
  /** Folds every table again from the events. */
  rebuildTables(onProgress?: (done: number, total: number) => void): Awaitable<void>;
  statistics(): Awaitable<LedgerStatistics>;
}

/** What all workers of a project share. */
export interface SharedStores {
  /** The server and database, without user and password. */
  readonly server: string;
  readonly artifacts: ArtifactStore;
  readonly rateGate: RateGate;
  /** Messages between the processes of the ledger, which are not stored. */
  readonly live: {
    send(message: string): void;
    listen(listener: (message: string) => void): () => void;
  };
  /** Throws at once unless the server can be reached, supports this build and takes writes. */
  check(): Promise<ServerCheck>;
  /** Runs `work` on one unchanging view of the ledger. */
  snapshot<T>(work: (view: LedgerSnapshot) => Promise<T>): Promise<T>;
  /** Stores events that the copy of this machine has and the server lacks. Returns how many. */
  restoreFromCopy(): Promise<number>;
  /** Keeps the copy of this machine under another name, which is returned; undefined if there is none. */
  setCopyAside(suffix: string): string | undefined;
}

/** The open ledger of a workspace, in the workspace itself or on a server. */
export interface OpenLedger {
  readonly folder: WorkspaceFolder;
  /** A SQLite database with every record and table. For a ledger on a server it is a copy: call `refresh` before use. */
  readonly database: Database;
  readonly databaseFile: string;
  readonly tables: SqlTables;
  readonly store: LedgerStore;
  /** The store that runs write to: it keeps secrets out. */
  readonly events: EventStore;
  readonly runs: SqlRunStore;
  readonly simulations: SqlSimulationStore;
  readonly finder: SqlIdFinder;
  readonly graphState: SqlGraphStateStore;
  readonly schedules: SqlScheduleStore;
  /** The chain of the ledger itself, wherever it is. */
  readonly chain: HeadSource;
  /** Reads `database`. */
  readonly archive: LedgerRecords;
  readonly mirror: Pick<Mirror, 'compareEnds' | 'settle' | 'flush'>;
  readonly leases: Leases;
  /** What a ledger on a server stores there; otherwise it is in the workspace. */
  readonly shared?: SharedStores;
  /** How it was opened for reading; undefined if it was opened for writing. */
  readonly reading: Pick<OpenedForReading, 'mode' | 'incomplete' | 'refusal'> | undefined;
  /** Whether writes reach the ledger. */
  readonly isWritable: boolean;
  /** Brings `database` up to date. */
  refresh(): Promise<void>;
  /** Makes the ledger ready to be written. Returns what was repaired. */
  startWriting(): Promise<readonly string[]>;
  /** Resolves when no file of this machine holds erased content. */
  settleErasure(): Promise<void>;
  /** From now on, a server that is away is not waited for. */
  stopWaiting(): void;
  /** Makes everything durable and closes files and connections. */
  close(): Promise<void>;
}
