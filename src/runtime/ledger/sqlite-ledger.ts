import {
  SqlGraphStateStore,
  SqlIdFinder,
  SqlLeases,
  SqlRunStore,
  SqlScheduleStore,
  SqlSimulationStore,
} from '../../adapters/sql/index.ts';
import {
  type Database,
  indexIdEnds,
  LedgerArchive,
  type OpenedForReading,
  openDatabase,
  openForReading,
  requireSafeSqlite,
  SqliteEventStore,
  SqliteLeases,
  SqliteTables,
  sqliteVersion,
} from '../../adapters/sqlite/index.ts';
import { Mirror, type WorkspaceFolder } from '../../adapters/workspace/index.ts';
import { type Clock, isOkaError } from '../../kernel/index.ts';
import {
  type EventStore,
  type HeadSource,
  type Leases,
  redactEvents,
  type SqlTables,
} from '../../ledger/index.ts';
import { PROJECTIONS } from '../services/extensions.ts';
import { HeadSigning } from './head-signing.ts';
import type { LedgerPorts, LedgerPurpose, OpenLedger } from './open-ledger.ts';

/** A ledger in the workspace: a SQLite database and its mirror. */
export class SqliteLedger implements OpenLedger {
  readonly folder: WorkspaceFolder;
  readonly database: Database;
  readonly tables: SqlTables;
  readonly store: SqliteEventStore;
  readonly events: EventStore;
  readonly runs: SqlRunStore;
  readonly simulations: SqlSimulationStore;
  readonly finder: SqlIdFinder;
  readonly graphState: SqlGraphStateStore;
  readonly schedules: SqlScheduleStore;
  readonly archive: LedgerArchive;
  readonly mirror: Mirror;
  readonly leases: Leases;
  /** How it was opened for reading; undefined if it was opened for writing. */
  readonly reading: Pick<OpenedForReading, 'mode' | 'incomplete' | 'refusal'> | undefined;
  readonly #discard: () => void;
  readonly #ports: LedgerPorts;
  #writing = false;
  #signing: HeadSigning | undefined;

  constructor(folder: WorkspaceFolder, ports: LedgerPorts, purpose: LedgerPurpose = 'write') {
    this.folder = folder;
    this.#ports = ports;
    folder.requireDatabase();
    const { database, discard, ...reading } = openFor(purpose, folder.database, ports.clock);
    this.database = database;
    this.tables = new SqliteTables(database, folder.database);
    this.#discard = discard;
    this.reading = purpose === 'write' ? undefined : reading;
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
    this.runs = new SqlRunStore(this.tables);
    this.simulations = new SqlSimulationStore(this.tables);
    this.finder = new SqlIdFinder(this.tables);
    this.graphState = new SqlGraphStateStore(this.tables);
    this.schedules = new SqlScheduleStore(this.tables);
    this.archive = new LedgerArchive(this.database, this.store, PROJECTIONS);
    const isAlive = (owner: string): boolean => ports.owners.isAlive(owner);
    this.leases = new SqlLeases(this.tables, ports.clock, isAlive);
    this.mirror = new Mirror({
      file: folder.mirror,
      source: this.archive,
      leases: new SqliteLeases(this.database, ports.clock, isAlive),
      owner: ports.owners.self,
      clock: ports.clock,
      ...(ports.onWarning ? { onWarning: ports.onWarning } : {}),
    });
    // A shared database has every table, or a copy is read.
    this.archive.ensureTables();
    if (purpose === 'write') indexIdEnds(this.database);
  }

  get chain(): HeadSource {
    return this.archive;
  }

  get databaseFile(): string {
    return this.folder.database;
  }

  /** The database is the ledger itself. */
  async refresh(): Promise<void> {}

  /** Resolves when no file holds erased content; warns if a reader keeps it in the log for too long. */
  async settleErasure(): Promise<void> {
    await this.mirror.settle();
    if (await this.archive.scrubbed(this.#ports.clock)) return;
    this.#ports.onWarning?.(
      'Erased content is still in oka.db-wal, because another process reads the database. It goes when that process ends and a command that writes has run.',
    );
  }

  /** Whether writes reach the workspace. */
  get isWritable(): boolean {
    return this.reading === undefined || this.reading.mode === 'shared';
  }

  /**
   * Makes the ledger ready to be written: the mirror and the database are brought together, and the mirror follows. Returns
   * what was repaired. Refuses with `ledger.diverged` where they contradict each other.
   */
  async startWriting(): Promise<readonly string[]> {
    if (this.#writing) return [];
    const { heads, clock, onWarning = () => undefined } = this.#ports;
    if (heads !== undefined) {
      const makeDurable = (): Promise<void> => this.store.makeDurable();
      this.#signing = new HeadSigning({ heads, ledger: this.archive, makeDurable, clock, warn: onWarning });
    }
    const repaired = await this.mirror.open();
    await this.#signing?.requireAsSigned();
    await this.store.makeDurable();
    this.#writing = true;
    this.store.subscribe(this.mirror.note);
    if (this.#signing !== undefined) this.store.subscribe(this.#signing.note);
    return repaired;
  }

  stopWaiting(): void {}

  /** Makes everything durable and closes the files. */
  async close(): Promise<void> {
    try {
      await this.store.close();
      if (this.#writing) {
        await this.#signing?.close();
        unlessShort(() => this.mirror.close());
        // Leaves the database complete in one file, unless another process has it open.
        unlessShort(() => this.database.exec('PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE)'));
      }
    } finally {
      this.database.close();
      this.#discard();
    }
  }
}

function openFor(purpose: LedgerPurpose, file: string, clock: Clock): OpenedForReading {
  const now = (): number => clock.now();
  if (purpose !== 'write')
    return openForReading({ file, now, projections: PROJECTIONS, copy: purpose === 'copy' });
  return { database: openDatabase({ file, now }), mode: 'shared', discard: () => undefined };
}

const TOLERATED = ['ledger.busy', 'ledger.disk_full', 'ledger.read_only'] as const;

/** All data is durable by now and the next start cleans up too, so a disk or time problem is no failure. */
function unlessShort(tidy: () => void): void {
  try {
    tidy();
  } catch (error) {
    if (!TOLERATED.some((code) => isOkaError(error, code))) throw error;
  }
}
