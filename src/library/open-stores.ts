// Owns: the stores of an embedded engine, on SQLite or in memory. Does not own: what the engine does with them.
import { join, resolve } from 'node:path';
import { FileArtifactStore } from '../adapters/files/index.ts';
import { processOwners } from '../adapters/processes/index.ts';
import { SqlCache, SqlKnowledge, SqlRunStore } from '../adapters/sql/index.ts';
import {
  type Database,
  ensureMemoryIndex,
  LedgerArchive,
  openDatabase,
  requireSafeSqlite,
  SqliteEventStore,
  SqliteTables,
  sqliteVersion,
} from '../adapters/sqlite/index.ts';
import { chatProjection } from '../chat/index.ts';
import { makePrivateFolder } from '../disk/index.ts';
import {
  type ArtifactStore,
  type Cache,
  knowledgeProjection,
  MemoryArtifactStore,
  MemoryCache,
  MemoryKnowledge,
  MemoryRunStore,
  type MemoryStore,
  type Owners,
  type RunStore,
  runProjection,
} from '../engine/index.ts';
import {
  type Clock,
  type Ids,
  type Random,
  sortableIds,
  systemClock,
  systemRandom,
} from '../kernel/index.ts';
import {
  type EventAddress,
  type EventStore,
  MemoryEventStore,
  type Projection,
  type SqlTables,
} from '../ledger/index.ts';
import { factUseProjection, memoryProjection } from '../memory/index.ts';

const PROJECTIONS: readonly Projection[] = [
  runProjection,
  knowledgeProjection,
  memoryProjection,
  factUseProjection,
  chatProjection,
];
const ACTOR = 'engine';

/** Where the stores keep their data. */
export type StoreLocation =
  /** A folder of their own: `oka.db` and `objects`. Created if it does not exist. */
  | { readonly folder: string }
  /** A database file; artifacts are in the folder `<file>-objects`. Its folder must exist. */
  | { readonly file: string }
  /** Nothing outlives the process. */
  | { readonly inMemory: true };

export interface StoreOptions {
  readonly clock?: Clock;
  readonly random?: Random;
}

/** Everything that an engine stores; spread it into the options of `Engine`. */
export interface Stores {
  readonly events: EventStore;
  /** Finds runs and approvals. */
  readonly runs: RunStore;
  readonly artifacts: ArtifactStore;
  readonly cache: Cache;
  readonly memory: MemoryStore;
  /** Tells runs of live processes from runs of crashed ones. */
  readonly owners: Owners;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  /** Makes everything durable and closes the files. Close the engine first. */
  close(): Promise<void>;
}

/** The SQLite parts behind stores, for memory and conversations on the same ledger. */
export interface LedgerFiles {
  readonly database: Database;
  readonly file: string;
  readonly tables: SqlTables;
  /** Erases the content of these events from the table, the indexes and the log. */
  readonly erase: (events: readonly EventAddress[], by: string, reason: string) => Promise<void>;
}

const ledgerFiles = new WeakMap<Stores, LedgerFiles>();

/** The SQLite parts of stores; undefined for stores in memory. */
export function ledgerFilesOf(stores: Stores): LedgerFiles | undefined {
  return ledgerFiles.get(stores);
}

/** Opens or creates the stores of an engine. Several processes may share a folder or a file. */
export function openStores(location: StoreLocation, options: StoreOptions = {}): Stores {
  const { clock = systemClock, random = systemRandom } = options;
  const ports = { clock, random, ids: sortableIds(clock, random) };
  if ('inMemory' in location) return openInMemory(ports);
  if ('file' in location) {
    const file = resolve(location.file);
    return openOnDisk(file, `${file}-objects`, ports);
  }
  const folder = resolve(location.folder);
  makePrivateFolder(folder);
  return openOnDisk(join(folder, 'oka.db'), join(folder, 'objects'), ports);
}

type Ports = Pick<Stores, 'clock' | 'random' | 'ids'>;

function openInMemory(ports: Ports): Stores {
  const { clock } = ports;
  const events = new MemoryEventStore({ ...ports, projections: PROJECTIONS });
  return {
    ...ports,
    events,
    runs: new MemoryRunStore(events.tables),
    artifacts: new MemoryArtifactStore(clock),
    cache: new MemoryCache(clock),
    memory: new MemoryKnowledge(),
    owners: processOwners(),
    close: async () => undefined,
  };
}

function openOnDisk(file: string, objects: string, ports: Ports): Stores {
  const { clock } = ports;
  const database = openDatabase({ file, now: () => clock.now() });
  requireSafeSqlite(sqliteVersion(database));
  const events = new SqliteEventStore({ ...ports, database, file, projections: PROJECTIONS });
  const archive = new LedgerArchive(database, events, PROJECTIONS);
  archive.ensureTables();
  const tables = new SqliteTables(database, file);
  const erase: LedgerFiles['erase'] = async (addresses, by, reason) => {
    ensureMemoryIndex(database);
    archive.erase(addresses, by, reason);
    await archive.scrubbed(clock);
  };
  const stores: Stores = {
    ...ports,
    events,
    runs: new SqlRunStore(tables),
    artifacts: new FileArtifactStore(objects, clock),
    cache: new SqlCache(tables, clock),
    memory: new SqlKnowledge({
      ...{ tables, events, actor: ACTOR },
      erase: (addresses, reason) => erase(addresses, ACTOR, reason),
    }),
    owners: processOwners(),
    close: async () => {
      await events.close();
      database.close();
    },
  };
  ledgerFiles.set(stores, { database, file, tables, erase });
  return stores;
}
