// Owns: the ledger of a workspace on PostgreSQL, and the SQLite copy that this machine searches and verifies.
// I1 PostgreSQL has the record. `refresh` fills the copy, and recreates it if it differs from the record, unless the record
// lacks what was signed: then the copy may be the only place that has it, and is left as it is.
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
import { copyableRecords, type Database, LedgerCopy } from '../../adapters/sqlite/index.ts';
import type { SignedHeads, WorkspaceFolder } from '../../adapters/workspace/index.ts';
import { digestOf } from '../../kernel/index.ts';
import {
  copyRecords,
  type EventStore,
  type HeadSource,
  type Leases,
  redactEvents,
  type SqlTables,
} from '../../ledger/index.ts';
import { PROJECTIONS } from '../services/extensions.ts';
import { HeadSigning } from './head-signing.ts';
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
  readonly #heads: SignedHeads | undefined;
  readonly #signing: HeadSigning | undefined;
  #refreshing: Promise<void> | undefined;
  #isWriting = false;

  constructor(folder: WorkspaceFolder, ports: LedgerPorts, location: ServerLocation) {
    const { clock, random, owners, redactor, wrapEvents, heads, onWarning = () => undefined } = ports;
    this.folder = folder;
    const stores = new PostgresStores({
      ...{ url: location.url, schema: location.schema, clock, random },
      projections: PROJECTIONS,
      version: __OKA_VERSION__,
      onWarning,
      onReached: async (ledger) => {
        const difference =
          heads && !this.#isWriting
            ? await new HeadSigning({ ...signing, heads, ledger }).difference()
            : undefined;
        if (difference !== undefined) onWarning(`${sentence(difference.what)} ${REPAIR}`);
      },
    });
    const signing = { makeDurable: () => this.#keepCopy(), clock, warn: onWarning, afterEventsMs: COPY_MS };
    this.#stores = stores;
    this.#heads = heads;
    // What is signed is what this process knows, so that it can be signed while the server is away.
    const known: HeadSource = {
      head: () => stores.store.known,
      chainAt: (seq) => this.#copy.open().archive.chainAt(seq),
    };
    this.#signing = heads && new HeadSigning({ ...signing, heads, ledger: stores.archive, known });
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
      restoreFromCopy: () => copyRecords(copyableRecords(this.#copy.open().archive), stores.archive),
      setCopyAside: (suffix) => this.#copy.setAside(suffix),
    };
    this.#copy = new LedgerCopy(copyFolder(location), { clock, random, projections: PROJECTIONS });
    this.archive = this.#records();
  }

  get chain(): HeadSource {
    return this.#stores.archive;
  }

  get database(): Database {
    return this.#copy.open().database;
  }

  get databaseFile(): string {
    return this.#copy.file;
  }

  refresh(): Promise<void> {
    this.#refreshing ??= this.#follow().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async startWriting(): Promise<readonly string[]> {
    if (this.#isWriting) return [];
    this.#isWriting = true;
    try {
      await this.#stores.ready();
      await this.#signing?.requireAsSigned();
    } catch (error) {
      this.#isWriting = false;
      throw error;
    }
    const newest = await this.#signing?.newest();
    if (newest !== undefined) this.#stores.store.know(newest);
    if (this.#signing !== undefined) this.store.subscribe(this.#signing.note);
    return [];
  }

  async #follow(): Promise<void> {
    if ((await this.#signing?.difference()) !== undefined) return;
    await this.#copy.follow(this.#stores.archive);
    const { archive } = this.#copy.open();
    const head = archive.head();
    this.#stores.store.know(head);
    this.#heads?.sign(head, { start: archive.chainAt(1) });
  }

  /** Brings the copy up to date, so that what is signed can be restored, unless that would delay the work of this process. */
  async #keepCopy(): Promise<void> {
    const { seq } = this.#stores.store.known;
    if (seq - this.#copy.open().archive.head().seq > MAX_BEHIND) return;
    try {
      // Asked once: other statements wait for minutes until a server is back.
      await this.#stores.check();
    } catch {
      return;
    }
    await this.refresh();
  }

  async settleErasure(): Promise<void> {
    await this.refresh();
  }

  stopWaiting(): void {
    this.#stores.stopWaiting();
  }

  async close(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    if (this.#isWriting) await this.#signing?.close();
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

/** How long after an event the copy of it is made and the head is signed. */
const COPY_MS = 1_000;
/** A copy that lacks more events than this is filled by the next command that needs it. */
const MAX_BEHIND = 20_000;

const REPAIR = 'To bring the events back from local copies: oka ledger repair.';

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A ledger on a server has no mirror: the copy of each client, the server's backups and `oka backup` take its place. */
export const NO_MIRROR: OpenLedger['mirror'] = {
  compareEnds: () => 'sound',
  settle: async () => undefined,
  flush: () => undefined,
};

/** The name of a ledger on a server, without user and password. */
export function serverKey({ url, schema }: PostgresLocation): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname} ${schema}`;
}

/** Workspaces on one server and schema share their copy, wherever their folders are. */
export function copyFolder({ url, schema, home }: ServerLocation): string {
  const { host, pathname } = new URL(url);
  return join(home, 'ledger-copies', `${schema}-${digestOf(`${host}${pathname}`).slice(-12)}`);
}
