// Owns: the vectors that an embedder makes of facts and episodes. I1 They are a cache: they follow the commits, and losing
// them costs time only. I2 One embedder made all of them. The row of `memory_vectors` names it, with a generation that
// every writer checks inside its transaction. I3 A query never waits for long work: it reports missing vectors as degraded.
import { digestOf, OkaError } from '../../kernel/index.ts';
import type { MemoryErrorCode, VectorReading, VectorSearch } from '../../memory/index.ts';
import {
  comparison,
  type Embedder,
  embedderId,
  embedTexts,
  foldVector,
  meanDirection,
  NearestSignatures,
  normalise,
  packVector,
  SignatureTable,
  signatureOf,
  unpackVector,
  weightOfQuality,
} from '../../retrieval/index.ts';
import { arrays, type Database, inTransaction, prepared } from './driver.ts';
import { embedderQuality } from './embedder-quality.ts';
import {
  clearMemoryIndex,
  ensureMemoryIndex,
  INDEXED,
  indexTexts,
  MemoryChanges,
  type OnProgress,
} from './memory-index.ts';

const NO_EMBEDDER = 'none';
const REINDEX = 'run: oka memory reindex';
/** A query embeds at most this many texts before it answers. */
const MAX_EMBEDDED_BY_QUERY = 32;
const EMBEDDED_AT_ONCE = 64;
const MAX_EMBEDDED_LENGTH = 8_000;
/** How many texts of each kind the mean of a namespace is computed from. */
const MEAN_TEXTS = 128;

type Kind = 'facts' | 'episodes';

interface State {
  readonly generation: string;
  readonly embedder: string;
}

interface Loaded extends State {
  readonly tables: Readonly<Record<Kind, Map<string, SignatureTable>>>;
  readonly last: Record<Kind, number>;
  /** Rowids whose text is deleted; only the last of a table can be reused. */
  readonly gone: Readonly<Record<Kind, Set<number>>>;
  /** Means by namespace, with the number of texts that they were computed for. */
  readonly means: Map<
    string | undefined,
    { readonly texts: number; readonly mean: Float32Array | undefined }
  >;
}

/** Finds facts and episodes by the vectors of the configured embedder; without one it finds nothing. */
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

  async read(text: string, namespace?: string): Promise<VectorReading> {
    const embedder = this.#embedder;
    if (embedder === undefined) return NO_READING;
    try {
      await indexTexts(this.#database);
      const degraded = await this.#keepUp(embedder, MAX_EMBEDDED_BY_QUERY);
      const partial = degraded === undefined ? {} : { degraded };
      const loaded = this.#load();
      if (loaded === undefined || loaded.embedder !== embedderId(embedder))
        return { ...partial, ...NO_READING };
      return { ...partial, ...(await this.#reading(loaded, embedder, { text, namespace })) };
    } catch (error) {
      return { degraded: `the vectors could not be searched: ${(error as Error).message}`, ...NO_READING };
    }
  }

  /** Brings index and vectors up to date, however long it takes. Returns what could not be done. */
  async catchUp(onProgress?: OnProgress): Promise<string | undefined> {
    await indexTexts(this.#database, onProgress);
    return this.#embedder && this.#keepUp(this.#embedder, Number.MAX_SAFE_INTEGER, onProgress);
  }

  /** Rebuilds index and vectors with the current embedder. */
  async rebuild(onProgress?: OnProgress): Promise<{ readonly texts: number; readonly embedder: string }> {
    clearMemoryIndex(this.#database);
    this.#loaded = undefined;
    const problem = await this.catchUp(onProgress);
    if (problem !== undefined) throw new OkaError<MemoryErrorCode>('memory.vectors_failed', problem);
    return {
      texts: this.#count('terms'),
      embedder: this.#embedder ? embedderId(this.#embedder) : NO_EMBEDDER,
    };
  }

  async #reading(
    loaded: Loaded,
    embedder: Embedder,
    { text, namespace: within }: { readonly text: string; readonly namespace: string | undefined },
  ): Promise<VectorReading> {
    const [embedded] = await embedTexts(embedder, [text.slice(0, MAX_EMBEDDED_LENGTH)]);
    if (embedded === undefined || embedded.every((value) => value === 0)) return NO_READING;
    const direction = normalise(embedded);
    const mean = this.#mean(loaded, within);
    const centred = mean ? direction.map((value, axis) => value - (mean[axis] as number)) : direction;
    const along = new NearestSignatures(foldVector(centred), 1);
    const compare = comparison(direction, mean);
    const weight = weightOfQuality(await embedderQuality(this.#database, embedder));
    return {
      weight,
      nearest: (kind, { namespace, limit }) => {
        const tables = loaded.tables[kind];
        const nearest = new NearestSignatures(along, limit);
        const chosen = namespace === undefined ? tables.values() : [tables.get(namespace)];
        for (const table of chosen) table?.search(nearest);
        return nearest.places();
      },
      likeness: (kind, place) => {
        const sql = `SELECT vector FROM memory_embeddings WHERE digest = (SELECT digest FROM ${kind}_vectors WHERE place = ?)`;
        const stored = prepared(this.#database, sql).get(place) as { vector: Uint8Array } | undefined;
        return stored && compare(normalise(unpackVector(stored.vector)));
      },
    };
  }

  /** The mean direction of the first texts of a namespace, or of all. */
  #mean({ means }: Loaded, namespace: string | undefined): Float32Array | undefined {
    const texts = this.#count('vectors');
    const known = means.get(namespace);
    if (known?.texts === texts) return known.mean;
    const directions = INDEXED.flatMap(({ table }) => {
      const sql = `SELECT vector FROM ${table}_vectors CROSS JOIN memory_embeddings USING (digest)
        WHERE ?1 IS NULL OR namespace = ?1 ORDER BY place LIMIT ${MEAN_TEXTS}`;
      const rows = prepared(this.#database, sql).all(namespace ?? null) as { vector: Uint8Array }[];
      return rows.map(({ vector }) => normalise(unpackVector(vector)));
    });
    const mean = meanDirection(directions);
    means.set(namespace, { texts, mean });
    return mean;
  }

  /** Embeds the texts without a vector if there are at most `limit`; otherwise reports what is missing. */
  async #keepUp(embedder: Embedder, limit: number, onProgress?: OnProgress): Promise<string | undefined> {
    const total = this.#count('terms');
    if (total === 0) return undefined;
    const state = this.#stateOf();
    if (state !== undefined && state.embedder !== embedderId(embedder))
      return `the vectors were made by ${state.embedder}, not by ${embedderId(embedder)}; ${REINDEX}.`;
    const missing = total - this.#count('vectors');
    if (missing > limit) return `${missing} texts have no vectors yet; ${REINDEX}.`;
    if (state === undefined) this.#begin(embedder);
    return this.#embed(embedder, onProgress);
  }

  /** Records which embedder makes the vectors. */
  #begin(embedder: Embedder): void {
    const sql = `INSERT OR IGNORE INTO memory_vectors VALUES (1, lower(hex(randomblob(8))), ?, 0, 0, 0, NULL)`;
    this.#database.prepare(sql).run(embedderId(embedder));
  }

  /** Returns an error message, if any; vectors stored before the error are kept. */
  async #embed(embedder: Embedder, onProgress?: OnProgress): Promise<string | undefined> {
    const { generation, embedder: maker } = this.#stateOf() ?? {};
    if (maker !== embedderId(embedder)) return undefined;
    const total = this.#count('terms');
    for (const { table } of INDEXED) {
      for (;;) {
        const rows = this.#withoutVector(table, EMBEDDED_AT_ONCE);
        if (rows.length === 0) break;
        const digests = rows.map(({ text }) => digestOf(text));
        const texts = new Map(rows.map(({ text }, i) => [digests[i] as string, text]));
        try {
          await this.#embedMissing(embedder, texts);
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
  async #embedMissing(embedder: Embedder, texts: ReadonlyMap<string, string>): Promise<void> {
    const missing = [...texts].filter(([digest]) => this.#embedding(digest) === undefined);
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
    const sql = 'SELECT generation, embedder FROM memory_vectors';
    return prepared(this.#database, sql).get() as State | undefined;
  }

  /** Loads the signatures that are not loaded yet. */
  #load(): Loaded | undefined {
    const state = this.#stateOf();
    if (state === undefined) return undefined;
    this.#dropDeleted();
    if (this.#loaded?.generation !== state.generation)
      this.#loaded = {
        ...state,
        tables: { facts: new Map(), episodes: new Map() },
        last: { facts: 0, episodes: 0 },
        gone: { facts: new Set(), episodes: new Set() },
        means: new Map(),
      };
    for (const { table } of INDEXED) this.#loadSignatures(this.#loaded, table);
    return this.#loaded;
  }

  /** Drops signatures of deleted texts at the end of a table, because new texts reuse their places. */
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
    const sql = `SELECT place, namespace, signature FROM ${kind}_vectors WHERE place > ? ORDER BY place`;
    const statement = arrays(this.#database.prepare(sql));
    const rows = statement.iterate(last[kind]) as unknown as Iterable<[number, string, Uint8Array]>;
    for (const [place, namespace, signature] of rows) {
      last[kind] = place;
      const table = tables[kind].get(namespace) ?? new SignatureTable(8 * signature.length);
      tables[kind].set(namespace, table);
      table.add(place, signature);
    }
  }

  #withoutVector(table: Kind, limit: number): PendingText[] {
    const sql = `SELECT place, namespace, text FROM ${table}_terms JOIN ${table} ON ${table}.rowid = place
      WHERE place > (SELECT coalesce(max(place), 0) FROM ${table}_vectors) ORDER BY place LIMIT ?`;
    return prepared(this.#database, sql).all(limit) as unknown as PendingText[];
  }

  /** An estimate: the number of assigned places. */
  #count(kind: 'terms' | 'vectors'): number {
    const sql = `SELECT coalesce((SELECT max(place) FROM facts_${kind}), 0) + coalesce((SELECT max(place) FROM episodes_${kind}), 0) AS count`;
    return (prepared(this.#database, sql).get() as { count: number }).count;
  }
}

interface PendingText {
  readonly place: number;
  readonly namespace: string;
  readonly text: string;
}

const NO_READING: VectorReading = { nearest: () => [] };
