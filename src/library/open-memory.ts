import { readWordVectors } from '../adapters/embeddings/index.ts';
import { SqlMemoryRecords } from '../adapters/sql/index.ts';
import { indexTexts, SqliteTextSearch, SqliteVectors } from '../adapters/sqlite/index.ts';
import { OkaError } from '../kernel/index.ts';
import {
  type Found,
  Memory,
  type MemoryQuery,
  NO_NODE_VERSIONS,
  type NodeVersions,
} from '../memory/index.ts';
import type { Embedder } from '../retrieval/index.ts';
import { type LedgerFiles, ledgerFilesOf, type Stores } from './open-stores.ts';

export interface OpenMemoryOptions {
  /** Adds vector search; without one, texts are compared by words and by the word vectors of the package. */
  readonly embedder?: Embedder;
  /** Current versions of files, so that facts about changed files count as stale. */
  readonly nodes?: NodeVersions;
}

/** Facts and episodes in the ledger of these stores. */
export function openMemory(stores: Stores, options: OpenMemoryOptions = {}): Memory {
  const { database, file, tables, erase } = requireLedgerFiles(stores, 'Memory');
  const { events, clock, ids } = stores;
  const records = new SqlMemoryRecords(tables);
  const parts = {
    ...{ events, records, runs: records, clock, ids, erasure: { erase } },
    search: new SqliteTextSearch(database, file),
    vectors: new SqliteVectors(database, options.embedder),
    wordVectors: readWordVectors,
    nodes: options.nodes ?? NO_NODE_VERSIONS,
  };
  return new IndexedMemory(parts, () => indexTexts(database));
}

/** Memory that updates its search index before each query. */
class IndexedMemory extends Memory {
  readonly #index: () => Promise<unknown>;

  constructor(parts: ConstructorParameters<typeof Memory>[0], index: () => Promise<unknown>) {
    super(parts);
    this.#index = index;
  }

  override async findFacts(query: MemoryQuery): Promise<Found> {
    await this.#index();
    return super.findFacts(query);
  }

  override async findDaily(query: MemoryQuery): Promise<Found> {
    await this.#index();
    return super.findDaily(query);
  }

  override async retrieve(query: MemoryQuery): Promise<Found> {
    await this.#index();
    return super.retrieve(query);
  }
}

/** The SQLite parts of stores; rejects stores in memory. */
export function requireLedgerFiles(stores: Stores, what: string): LedgerFiles {
  const files = ledgerFilesOf(stores);
  if (files) return files;
  throw new OkaError(
    'ledger.unavailable',
    `${what} needs stores on SQLite. Open them with openStores({ folder }) or openStores({ file }).`,
  );
}
