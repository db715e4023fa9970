// Owns: the ledger of a workspace on PostgreSQL, and the SQLite copy that this machine searches and verifies.
// I1 PostgreSQL has the record. The copy is a cache: `refresh` fills it, and recreates it if it differs from
// the record.
import { join } from 'node:path';
import { type PostgresLocation, PostgresStores } from '../../adapters/postgres/index.ts';
import {
  SqlGraphStateStore,
  SqlIdFinder,
  SqlLeases,
  SqlRunStore,
  SqlScheduleStore,
  SqlSimulationStore,
} from '../../adapters/sql/index.ts';
import { type Database, LedgerCopy } from '../../adapters/sqlite/index.ts';
import type { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import { digestOf } from '../../kernel/index.ts';
import { type EventStore, type Leases, redactEvents, type SqlTables } from '../../ledger/index.ts';
import { PROJECTIONS } from '../services/extensions.ts';
import type { LedgerPorts, LedgerRecords, LedgerStore, OpenLedger } from './open-ledger.ts';

declare const __OKA_VERSION__: string;

/** The schema of a workspace on a server, and the folder for its copy. */
export interface ServerLocation extends PostgresLocation {
  /** The user's Oka folder. */
  readonly home: string;
}

export class PostgresLedger implements OpenLedger {
  readonly folder: WorkspaceFolder;
  readonly tables: SqlTables;
  readonly store: LedgerStore;
  readonly events: EventStore;
  readonly runs: SqlRunStore;
  readonly simulations: SqlSimulationStore;
  readonly finder: SqlIdFinder;
  readonly graphState: SqlGraphStateStore;
  readonly schedules: SqlScheduleStore;
  readonly archive: LedgerRecords;
  readonly leases: Leases;
  readonly shared: NonNullable<OpenLedger['shared']>;
  readonly mirror = NO_MIRROR;
  readonly reading = undefined;
  readonly isWritable = true;
  readonly #stores: PostgresStores;
  readonly #copy: LedgerCopy;
  #refreshing: Promise<void> | undefined;

  constructor(folder: WorkspaceFolder, ports: LedgerPorts, location: ServerLocation) {
    const { clock, random, owners, redactor, wrapEvents, onWarning } = ports;
    this.folder = folder;
    const stores = new PostgresStores({
      ...{ url: location.url, schema: location.schema, clock, random },
      projections: PROJECTIONS,
      version: __OKA_VERSION__,
      ...(onWarning ? { onWarning } : {}),
    });
    this.#stores = stores;
    this.tables = stores.tables;
    this.store = stores.store;
    const wrapped = wrapEvents?.(stores.store) ?? stores.store;
    this.events = redactor ? redactEvents(wrapped, redactor) : wrapped;
    this.runs = new SqlRunStore(stores.tables);
    this.simulations = new SqlSimulationStore(stores.tables);
    this.finder = new SqlIdFinder(stores.tables);
    this.graphState = new SqlGraphStateStore(stores.tables);
    this.schedules = new SqlScheduleStore(stores.tables);
    this.leases = new SqlLeases(stores.tables, clock, (owner) => owners.isAlive(owner));
    const { server, artifacts, rateGate, live } = stores;
    this.shared = {
      ...{ server, artifacts, rateGate, live },
      check: () => stores.check(),
      snapshot: (work) => stores.snapshot(work),
    };
    this.#copy = new LedgerCopy(copyFolder(location), { clock, random, projections: PROJECTIONS });
    this.archive = this.#records();
  }

  get database(): Database {
    return this.#copy.open().database;
  }

  get databaseFile(): string {
    return this.#copy.file;
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#copy.follow(this.#stores.archive).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async startWriting(): Promise<readonly string[]> {
    await this.#stores.ready();
    return [];
  }

  async settleErasure(): Promise<void> {
    await this.refresh();
  }

  stopWaiting(): void {
    this.#stores.stopWaiting();
  }

  async close(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    this.#copy.close();
    await this.#stores.close();
  }

  #records(): LedgerRecords {
    const { archive } = this.#stores;
    const copy = () => this.#copy.open().archive;
    return {
      head: () => copy().head(),
      chainAt: (seq) => copy().chainAt(seq),
      records: (afterSeq) => copy().records(afterSeq),
      lostBlobs: () => copy().lostBlobs(),
      verify: () => copy().verify(),
      erase: async (events, by, reason) => {
        await archive.erase(events, by, reason);
        await this.refresh();
      },
      archive: async (streams, by, reason) => {
        await archive.archive(streams, by, reason);
        await this.refresh();
      },
      rebuildTables: async (onProgress) => {
        const { seq: total } = await archive.head();
        await this.#stores.rebuildTables((done) => onProgress?.(done, total));
      },
      statistics: () => archive.statistics(),
    };
  }
}

/** A ledger on a server has no mirror: its copies are made by the server's own backups and by `oka backup`. */
export const NO_MIRROR: OpenLedger['mirror'] = {
  compareEnds: () => 'sound',
  settle: async () => undefined,
  flush: () => undefined,
};

/** Workspaces on one server and schema share their copy, wherever their folders are. */
export function copyFolder({ url, schema, home }: ServerLocation): string {
  const { host, pathname } = new URL(url);
  return join(home, 'ledger-copies', `${schema}-${digestOf(`${host}${pathname}`).slice(-12)}`);
}
