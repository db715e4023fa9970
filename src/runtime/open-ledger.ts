import {
  type Database,
  LedgerArchive,
  openDatabase,
  requireSafeSqlite,
  SqliteEventStore,
  SqliteGraphStateStore,
  SqliteLeases,
  SqliteRunStore,
  SqliteScheduleStore,
  sqliteVersion,
} from '../adapters/sqlite/index.ts';
import { Mirror, type WorkspaceFolder } from '../adapters/workspace/index.ts';
import type { Owners } from '../engine/index.ts';
import { type Clock, isOkaError, type Random, type Redactor } from '../kernel/index.ts';
import { type EventStore, type Leases, redactEvents } from '../ledger/index.ts';
import { PROJECTIONS } from './extensions.ts';

export interface LedgerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly owners: Owners;
  readonly alwaysSync?: boolean;
  /** Called with problems that need no action now, such as a mirror that cannot be written. */
  readonly onWarning?: (message: string) => void;
  /** Keeps known secrets out of the ledger. */
  readonly redactor?: Redactor;
  /** Lets an embedder stand between the engine and the store. */
  readonly wrapEvents?: (store: EventStore) => EventStore;
}

/** The open ledger of a workspace: database, stores, mirror. */
export class OpenLedger {
  readonly folder: WorkspaceFolder;
  readonly database: Database;
  readonly store: SqliteEventStore;
  readonly events: EventStore;
  readonly runs: SqliteRunStore;
  readonly graphState: SqliteGraphStateStore;
  readonly schedules: SqliteScheduleStore;
  readonly archive: LedgerArchive;
  readonly mirror: Mirror;
  readonly leases: Leases;
  #writing = false;

  constructor(folder: WorkspaceFolder, ports: LedgerPorts) {
    this.folder = folder;
    folder.requireNoLoss();
    this.database = openDatabase({ file: folder.database, now: () => ports.clock.now() });
    requireSafeSqlite(sqliteVersion(this.database));
    const shared = { database: this.database, file: folder.database, projections: PROJECTIONS };
    this.store = new SqliteEventStore({
      ...shared,
      clock: ports.clock,
      random: ports.random,
      alwaysFull: ports.alwaysSync ?? false,
    });
    const wrapped = ports.wrapEvents?.(this.store) ?? this.store;
    this.events = ports.redactor ? redactEvents(wrapped, ports.redactor) : wrapped;
    this.runs = new SqliteRunStore(this.database, folder.database);
    this.graphState = new SqliteGraphStateStore(this.database, folder.database);
    this.schedules = new SqliteScheduleStore(this.database, folder.database);
    this.archive = new LedgerArchive(this.database, this.store, PROJECTIONS);
    this.leases = new SqliteLeases(this.database, ports.clock, (owner) => ports.owners.isAlive(owner));
    this.mirror = new Mirror({
      file: folder.mirror,
      source: this.archive,
      leases: this.leases,
      owner: ports.owners.self,
      clock: ports.clock,
      ...(ports.onWarning ? { onWarning: ports.onWarning } : {}),
    });
    this.archive.ensureTables();
  }

  /**
   * Makes the ledger ready to be written: the mirror and the database are brought together, and the mirror follows. Returns
   * what was repaired. Refuses with `ledger.diverged` where they contradict each other.
   */
  async startWriting(): Promise<readonly string[]> {
    if (this.#writing) return [];
    const repaired = await this.mirror.open();
    await this.store.makeDurable();
    this.#writing = true;
    this.store.subscribe(this.mirror.note);
    return repaired;
  }

  /** Makes everything durable and lets go of the files. */
  async close(): Promise<void> {
    try {
      await this.store.close();
      if (this.#writing) {
        unlessShort(() => this.mirror.close());
        // Leaves the database whole in one file, if nobody else has it open.
        unlessShort(() => this.database.exec('PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE)'));
      }
    } finally {
      this.database.close();
    }
  }
}

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

/** Everything is on disk by now, and the next start tidies as well; a lack of space or time then is no failure. */
function unlessShort(tidy: () => void): void {
  try {
    tidy();
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    const short = errcode === SQLITE_BUSY || errcode === SQLITE_FULL;
    if (!short && !isOkaError(error, 'ledger.disk_full') && !isOkaError(error, 'ledger.busy')) throw error;
  }
}
