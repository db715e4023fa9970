import { episodePassage, factPassage, type SearchPassage } from '../../memory/index.ts';
import type { TextReading } from '../../retrieval/index.ts';
import { type Database, prepared } from './driver.ts';
import { type Indexed, MemoryChanges } from './memory-index.ts';

type Kind = Indexed['table'];

/** A passage with the fields that filter it. */
export interface StoredPassage extends SearchPassage {
  readonly place: number;
  readonly at: number;
  readonly part: number;
  readonly conversation: string | null;
  readonly turn: number | null;
  readonly expiresAt: number | null;
  readonly supersededBy: string | null;
}

/** The size of each of the two cache generations. */
const MAX_CACHED = 6_000;

const READING = 'terms.terms, terms.speaker, terms.asking';
const COLUMNS: Readonly<Record<Kind, string>> = {
  facts: `${READING}, own.id, namespace, at, importance, confidence, expires_at, superseded_by, part`,
  episodes: `${READING}, own.id, namespace, at, part, conversation, turn`,
};

/** Caches the fields of recently used rows that ranking needs. */
export class MemoryPassages {
  readonly #database: Database;
  readonly #changes: MemoryChanges;
  readonly #cached: Readonly<Record<Kind, GenerationCache>> = {
    facts: new GenerationCache(),
    episodes: new GenerationCache(),
  };

  constructor(database: Database) {
    this.#database = database;
    this.#changes = new MemoryChanges(database);
  }

  /** Drops rows that have changed. */
  refresh(): void {
    const changes = this.#changes.take();
    if (changes === 'all') for (const cache of Object.values(this.#cached)) cache.clear();
    else for (const { kind, place } of changes) this.#cached[kind].delete(place);
  }

  /** The passages of these rows that exist, in their order. */
  at(kind: Kind, places: readonly number[]): readonly StoredPassage[] {
    const cached = this.#cached[kind];
    const missing = places.filter((place) => cached.get(place) === undefined);
    const read = missing.length === 0 ? undefined : this.#read(kind, missing);
    return places.flatMap((place) => read?.get(place) ?? cached.get(place) ?? []);
  }

  /** Reads all rows as one text, which costs a third of reading each value. */
  #read(kind: Kind, places: readonly number[]): ReadonlyMap<number, StoredPassage> {
    const sql = `SELECT json_group_array(json_array(own.rowid, ${COLUMNS[kind]})) AS rows FROM json_each(?) AS one
      CROSS JOIN ${kind} AS own ON own.rowid = one.value CROSS JOIN ${kind}_terms AS terms ON terms.place = one.value`;
    const { rows } = prepared(this.#database, sql).get(
      // In file order, so that neighbouring rows are read together.
      JSON.stringify([...places].sort((one, other) => one - other)),
    ) as { rows: string };
    const passages = (JSON.parse(rows) as RowArray[]).map(
      kind === 'facts' ? toFactPassage : toEpisodePassage,
    );
    for (const passage of passages) this.#cached[kind].set(passage.place, passage);
    return new Map(passages.map((passage) => [passage.place, passage]));
  }
}

/** The rowid and the columns of its table. Read by index, because a query reads hundreds of rows. */
type RowArray = readonly (string | number | null)[];

function toFactPassage(row: RowArray): StoredPassage {
  const at = row[6] as number;
  const fact = { ...named(row), at, importance: row[7] as number, confidence: row[8] as number };
  const place = row[0] as number;
  const { id, namespace, passage } = factPassage(fact, place, readingIn(row));
  const [expiresAt, supersededBy] = [row[9] as number | null, row[10] as string | null];
  const rest = { part: row[11] as number, conversation: null, turn: null, expiresAt, supersededBy };
  return { id, namespace, passage, place, at, ...rest };
}

function toEpisodePassage(row: RowArray): StoredPassage {
  const at = row[6] as number;
  const [conversation, turn] = [row[8] as string | null, row[9] as number | null];
  const alone = { ...named(row), at };
  const episode = conversation === null || turn === null ? alone : { ...alone, conversation, turn };
  const place = row[0] as number;
  const { id, namespace, passage } = episodePassage(episode, place, readingIn(row));
  const rest = { part: row[7] as number, conversation, turn, expiresAt: null, supersededBy: null };
  return { id, namespace, passage, place, at, ...rest };
}

function named(row: RowArray): { readonly id: string; readonly namespace: string } {
  return { id: row[4] as string, namespace: row[5] as string };
}

function readingIn(row: RowArray): TextReading {
  return { terms: row[1] as string, speaker: row[2] as string, asking: row[3] as number };
}

/** An approximate LRU cache with two generations; the older is dropped when the newer is full. */
class GenerationCache {
  #newer = new Map<number, StoredPassage>();
  #older = new Map<number, StoredPassage>();

  get(place: number): StoredPassage | undefined {
    const newer = this.#newer.get(place);
    if (newer !== undefined) return newer;
    const older = this.#older.get(place);
    if (older !== undefined) this.set(place, older);
    return older;
  }

  set(place: number, passage: StoredPassage): void {
    if (this.#newer.size >= MAX_CACHED) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(place, passage);
  }

  delete(place: number): void {
    this.#newer.delete(place);
    this.#older.delete(place);
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }
}
