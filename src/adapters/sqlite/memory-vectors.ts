// Owns: the vectors of facts and episodes. I1 They are a cache: they are computed after the commits, and losing them only
// costs time. I2 All of them come from one embedder and one model, identified by the generation in `memory_vectors`; every
// insert checks it inside its transaction. I3 A query never waits for long work: missing vectors are reported as degraded.
import { digestOf, OkaError } from '../../kernel/index.ts';
import type { MemoryErrorCode, SearchScope, VectorReading, VectorSearch } from '../../memory/index.ts';
import {
  type Embedder,
  embedderId,
  embeddingLikeness,
  embedTexts,
  foldVector,
  NearestSignatures,
  packVector,
  type Query,
  SignatureTable,
  signatureOf,
  unpackVector,
  WordVectors,
} from '../../retrieval/index.ts';
import type { Database } from './driver.ts';
import {
  clearMemoryIndex,
  ensureMemoryIndex,
  INDEXED,
  indexTexts,
  inTransaction,
  MemoryChanges,
  nextTurn,
  type OnProgress,
  prepared,
} from './memory-index.ts';

/** The name of vectors that are learned from the workspace itself. */
const LEARNED = 'learned-words-2';
const REINDEX = 'run: oka memory reindex';
/** How many texts a query may wait for; a remote embedder is slower. */
const MAX_PENDING_TEXTS = { learned: 2_000, embedded: 32 };
/** The model is relearned when the texts have grown by this factor. */
const GROWTH = 1.5;
const MIN_GROWTH = 50;
const PAGE = 2_000;
const EMBEDDED_AT_ONCE = 64;
const MAX_EMBEDDED_LENGTH = 8_000;

/** The signature of a text without words. */
const NO_SIGNATURE = new Uint8Array(0);

type Kind = 'facts' | 'episodes';

interface State {
  readonly generation: string;
  readonly embedder: string;
  readonly learned_facts: number;
  readonly learned_episodes: number;
  readonly texts: number;
}

interface Loaded {
  readonly generation: string;
  readonly embedder: string;
  readonly words?: WordVectors;
  readonly tables: Readonly<Record<Kind, Map<string, SignatureTable>>>;
  readonly last: Record<Kind, number>;
  /** Rowids whose text is deleted; only the last of a table can be reused. */
  readonly gone: Readonly<Record<Kind, Set<number>>>;
}

/** Finds facts and episodes by vectors: learned from the workspace's own words, or from an embedder. */
export class SqliteVectors implements VectorSearch {
  readonly #database: Database;
  readonly #embedder: Embedder | undefined;
  readonly #changes: MemoryChanges;
  #loaded: Loaded | undefined;

  constructor(database: Database, embedder?: Embedder) {
    this.#database = database;
    this.#changes = new MemoryChanges(database);
    this.#embedder = embedder;
  }

  async read(text: string, query: Query): Promise<VectorReading> {
    try {
      await indexTexts(this.#database);
      const degraded = await this.#complete(
        this.#embedder ? MAX_PENDING_TEXTS.embedded : MAX_PENDING_TEXTS.learned,
      );
      const loaded = this.#load();
      const partial = degraded === undefined ? {} : { degraded };
      if (loaded === undefined) return { ...partial, nearest: () => [] };
      if (loaded.embedder !== this.#embedderId())
        return { ...partial, ...(loaded.words && { words: loaded.words }), nearest: () => [] };
      return { ...partial, ...(await this.#reading(loaded, text, query)) };
    } catch (error) {
      return {
        degraded: `the vectors could not be searched: ${(error as Error).message}`,
        nearest: () => [],
      };
    }
  }

  /** Brings index and vectors up to date, however long it takes. Returns what could not be done. */
  async catchUp(onProgress?: OnProgress): Promise<string | undefined> {
    await indexTexts(this.#database, onProgress);
    return this.#complete(Number.MAX_SAFE_INTEGER, onProgress);
  }

  /** Rebuilds index and vectors with the current embedder. */
  async rebuild(onProgress?: OnProgress): Promise<{ readonly texts: number; readonly embedder: string }> {
    clearMemoryIndex(this.#database);
    this.#loaded = undefined;
    const problem = await this.catchUp(onProgress);
    if (problem !== undefined) throw new OkaError<MemoryErrorCode>('memory.vectors_failed', problem);
    return { texts: this.#count('terms'), embedder: this.#embedderId() };
  }

  #embedderId(): string {
    return this.#embedder ? embedderId(this.#embedder) : LEARNED;
  }

  async #reading(loaded: Loaded, text: string, query: Query): Promise<Omit<VectorReading, 'degraded'>> {
    const { words } = loaded;
    const embedded =
      this.#embedder && (await embedTexts(this.#embedder, [text.slice(0, MAX_EMBEDDED_LENGTH)]))[0];
    const direction = embedded ? foldVector(embedded) : words?.vectorOfTerms(query.terms);
    const along = isBlank(direction) ? undefined : new NearestSignatures(direction, 1);
    const nearest = (kind: Kind, scope: Pick<SearchScope, 'namespace' | 'limit'>): readonly number[] =>
      along ? nearestIn(loaded.tables[kind], new NearestSignatures(along, scope.limit), scope) : [];
    const found = { nearest, ...(words && { words }) };
    if (embedded === undefined) return found;
    const likeness = (kind: Kind, place: number): number | undefined => {
      const sql = `SELECT vector FROM memory_embeddings WHERE digest = (SELECT digest FROM ${kind}_vectors WHERE place = ?)`;
      const stored = prepared(this.#database, sql).get(place) as { vector: Uint8Array } | undefined;
      return stored && embeddingLikeness(unpackVector(stored.vector), embedded);
    };
    return { ...found, likeness };
  }

  /** Completes the vectors if at max `max` texts are missing; otherwise returns what is missing. */
  async #complete(max: number, onProgress?: OnProgress): Promise<string | undefined> {
    const total = this.#count('terms');
    if (total === 0) return undefined;
    const state = this.#stateOf();
    if (state !== undefined && state.embedder !== this.#embedderId())
      return `the vectors were made by ${state.embedder}, not by ${this.#embedderId()}; ${REINDEX}.`;
    if (state === undefined || total > GROWTH * state.texts + MIN_GROWTH) {
      if (total > max && state === undefined) return `${total} texts have no vectors yet; ${REINDEX}.`;
      if (total <= max) await this.#learn();
    }
    const missing = total - this.#count('vectors');
    if (missing > max) return `${missing} texts have no vectors yet; ${REINDEX}.`;
    if (this.#embedder) return this.#embed(this.#embedder, onProgress);
    await this.#sign(onProgress);
    return undefined;
  }

  /** Learns the words of texts that the model has not seen, and drops the vectors of the older model. */
  async #learn(): Promise<void> {
    const state = this.#stateOf();
    const words = (state && this.#modelOf()) ?? new WordVectors();
    const learned = { facts: state?.learned_facts ?? 0, episodes: state?.learned_episodes ?? 0 };
    for (const { table } of INDEXED) {
      const before = new Map<string, readonly string[]>();
      for (;;) {
        const rows = this.#page(table, learned[table]);
        for (const { terms, talk } of rows) {
          const own = terms === '' ? [] : terms.split(' ');
          words.learn(own, talk === null ? [] : before.get(talk));
          if (before.size > PAGE) before.clear();
          if (talk !== null) before.set(talk, own);
        }
        const last = rows.at(-1);
        if (last === undefined) break;
        learned[table] = last.place;
        await nextTurn();
      }
    }
    inTransaction(this.#database, () => {
      if (this.#stateOf()?.generation !== state?.generation) return;
      // Vectors of an embedder do not depend on the words, so they are kept.
      if (this.#embedder === undefined)
        this.#database.exec('DELETE FROM facts_vectors; DELETE FROM episodes_vectors');
      this.#database
        .prepare(`INSERT OR REPLACE INTO memory_vectors VALUES (1, lower(hex(randomblob(8))), ?, ?, ?, ?, ?)`)
        .run(this.#embedderId(), learned.facts, learned.episodes, this.#count('terms'), words.toBytes());
    });
  }

  async #sign(onProgress?: OnProgress): Promise<void> {
    const loaded = this.#load();
    const words = loaded?.words;
    if (loaded === undefined || words === undefined) return;
    const total = this.#count('terms');
    for (const { table } of INDEXED) {
      while (this.#missing(table, 1).length > 0) {
        const isOurs = inTransaction(this.#database, () => {
          if (this.#stateOf()?.generation !== loaded.generation) return false;
          const keep = this.#database.prepare(`INSERT INTO ${table}_vectors VALUES (?, ?, ?, NULL)`);
          for (const { place, namespace, terms } of this.#missing(table, PAGE)) {
            const weighed = terms.split(' ').map((term) => ({ term, weight: 1 }));
            keep.run(
              place,
              namespace,
              terms === '' ? NO_SIGNATURE : signatureOf(words.vectorOfTerms(weighed)),
            );
          }
          return true;
        });
        if (!isOurs) return;
        onProgress?.(this.#count('vectors'), total);
        await nextTurn();
      }
    }
  }

  /** Returns the error, if any; finished vectors are kept. */
  async #embed(embedder: Embedder, onProgress?: OnProgress): Promise<string | undefined> {
    const generation = this.#stateOf()?.generation;
    const total = this.#count('terms');
    for (const { table } of INDEXED) {
      for (;;) {
        const rows = this.#missing(table, EMBEDDED_AT_ONCE);
        if (rows.length === 0) break;
        const digests = rows.map(({ text }) => digestOf(text));
        try {
          await this.#embedMissing(
            embedder,
            rows.map(({ text }, i) => [digests[i] as string, text]),
          );
        } catch (error) {
          return `the embedder ${embedderId(embedder)} failed: ${(error as Error).message}`;
        }
        const isOurs = inTransaction(this.#database, () => {
          if (this.#stateOf()?.generation !== generation) return false;
          const keep = this.#database.prepare(`INSERT OR REPLACE INTO ${table}_vectors VALUES (?, ?, ?, ?)`);
          for (const [i, { place, namespace }] of rows.entries()) {
            const vector = this.#embedding(digests[i] as string);
            if (vector) keep.run(place, namespace, signatureOf(foldVector(vector)), digests[i] as string);
          }
          return true;
        });
        if (!isOurs) return undefined;
        onProgress?.(this.#count('vectors'), total);
      }
    }
    return undefined;
  }

  /** The same text is never sent twice. */
  async #embedMissing(
    embedder: Embedder,
    texts: readonly (readonly [digest: string, text: string])[],
  ): Promise<void> {
    const missing = [...new Map(texts)].filter(([digest]) => this.#embedding(digest) === undefined);
    const cut = missing.map(([, text]) => text.slice(0, MAX_EMBEDDED_LENGTH));
    const vectors = await embedTexts(embedder, cut);
    const keep = this.#database.prepare('INSERT OR REPLACE INTO memory_embeddings VALUES (?, ?)');
    inTransaction(this.#database, () => {
      for (const [i, [digest]] of missing.entries()) keep.run(digest, packVector(vectors[i] as Float32Array));
    });
  }

  #embedding(digest: string): Float32Array | undefined {
    const row = this.#database.prepare('SELECT vector FROM memory_embeddings WHERE digest = ?').get(digest) as
      | { vector: Uint8Array }
      | undefined;
    return row && unpackVector(row.vector);
  }

  #stateOf(): State | undefined {
    ensureMemoryIndex(this.#database);
    const sql = 'SELECT generation, embedder, learned_facts, learned_episodes, texts FROM memory_vectors';
    return prepared(this.#database, sql).get() as State | undefined;
  }

  #modelOf(): WordVectors | undefined {
    const row = this.#database.prepare('SELECT model FROM memory_vectors').get() as
      | { model: Uint8Array | null }
      | undefined;
    return row?.model ? WordVectors.from(row.model) : undefined;
  }

  /** The stored model and signatures; loads only what is new. */
  #load(): Loaded | undefined {
    const state = this.#stateOf();
    if (state === undefined) return undefined;
    this.#dropDeleted();
    if (this.#loaded?.generation !== state.generation) {
      const words = this.#modelOf();
      this.#loaded = {
        generation: state.generation,
        embedder: state.embedder,
        ...(words && { words }),
        tables: { facts: new Map(), episodes: new Map() },
        last: { facts: 0, episodes: 0 },
        gone: { facts: new Set(), episodes: new Set() },
      };
    }
    for (const { table } of INDEXED) this.#loadSignatures(this.#loaded, table);
    return this.#loaded;
  }

  /** Drops trailing signatures of deleted texts, because new texts reuse their rowids. */
  #dropDeleted(): void {
    const changes = this.#changes.take();
    if (changes === 'all') this.#loaded = undefined;
    if (changes === 'all' || changes.length === 0 || this.#loaded === undefined) return;
    const { tables, last, gone } = this.#loaded;
    for (const { kind, place } of changes) gone[kind].add(place);
    for (const { table: kind } of INDEXED) {
      let end = 0;
      for (const table of tables[kind].values()) {
        while (gone[kind].has(table.last)) table.removeLast();
        end = Math.max(end, table.last);
      }
      last[kind] = Math.min(last[kind], end);
      for (const place of gone[kind]) if (place > end) gone[kind].delete(place);
    }
  }

  #loadSignatures({ tables, last }: Loaded, kind: Kind): void {
    const newest = `SELECT coalesce(max(place), 0) AS place FROM ${kind}_vectors`;
    if ((prepared(this.#database, newest).get() as { place: number }).place <= last[kind]) return;
    const statement = this.#database.prepare(
      `SELECT place, namespace, signature FROM ${kind}_vectors WHERE place > ? ORDER BY place`,
    );
    statement.setReturnArrays(true);
    const rows = statement.iterate(last[kind]) as unknown as Iterable<[number, string, Uint8Array]>;
    for (const [place, namespace, signature] of rows) {
      last[kind] = place;
      if (signature.length === 0) continue;
      const table = tables[kind].get(namespace) ?? new SignatureTable(8 * signature.length);
      tables[kind].set(namespace, table);
      table.add(place, signature);
    }
  }

  #page(table: Kind, after: number): { place: number; terms: string; talk: string | null }[] {
    const talk = table === 'facts' ? 'NULL' : `namespace || char(10) || conversation`;
    const sql = `SELECT place, terms, ${talk} AS talk FROM ${table}_terms JOIN ${table} ON ${table}.rowid = place
      WHERE place > ? ORDER BY place LIMIT ${PAGE}`;
    return this.#database.prepare(sql).all(after) as { place: number; terms: string; talk: string | null }[];
  }

  #missing(table: Kind, limit: number): MissingVector[] {
    const sql = `SELECT place, namespace, terms, text FROM ${table}_terms JOIN ${table} ON ${table}.rowid = place
      WHERE place > (SELECT coalesce(max(place), 0) FROM ${table}_vectors) ORDER BY place LIMIT ?`;
    return prepared(this.#database, sql).all(limit) as unknown as MissingVector[];
  }

  /** The approximate number of rows: the highest rowids. */
  #count(kept: 'terms' | 'vectors'): number {
    const sql = `SELECT coalesce((SELECT max(place) FROM facts_${kept}), 0) + coalesce((SELECT max(place) FROM episodes_${kept}), 0) AS count`;
    return (prepared(this.#database, sql).get() as { count: number }).count;
  }
}

interface MissingVector {
  readonly place: number;
  readonly namespace: string;
  readonly terms: string;
  readonly text: string;
}

function isBlank(direction: Float32Array | undefined): direction is undefined {
  return direction === undefined || direction.every((value) => value === 0);
}

function nearestIn(
  tables: ReadonlyMap<string, SignatureTable>,
  nearest: NearestSignatures,
  { namespace }: Pick<SearchScope, 'namespace'>,
): readonly number[] {
  const chosen = namespace === undefined ? tables.values() : [tables.get(namespace)];
  for (const table of chosen) table?.search(nearest);
  return nearest.places();
}
