import type { KeptPassage } from '../../memory/index.ts';
import { importanceOf } from '../../memory/index.ts';
import { hashTerms } from '../../retrieval/index.ts';
import type { Database } from './driver.ts';
import { type Indexed, MemoryChanges, prepared } from './memory-index.ts';

type Kind = Indexed['table'];

/** A passage with what decides whether it is found. */
export interface StoredPassage extends KeptPassage {
  readonly place: number;
  readonly part: number;
  readonly conversation: string | null;
  readonly expiresAt: number | null;
  readonly supersededBy: string | null;
}

/** So many are kept at most, twice. */
const KEPT = 24_000;

const READING = 'terms.terms, terms.speaker, terms.asking';
const COLUMNS: Readonly<Record<Kind, string>> = {
  facts: `${READING}, own.id, namespace, at, importance, confidence, expires_at, superseded_by`,
  episodes: `${READING}, own.id, namespace, at, part, conversation, turn`,
};

type FactRow = readonly [
  place: number,
  terms: string,
  speaker: string,
  asking: number,
  id: string,
  namespace: string,
  at: number,
  importance: number,
  confidence: number,
  expiresAt: number | null,
  supersededBy: string | null,
];
type EpisodeRow = readonly [
  place: number,
  terms: string,
  speaker: string,
  asking: number,
  id: string,
  namespace: string,
  at: number,
  part: number,
  conversation: string | null,
  turn: number | null,
];

/** What ranking needs of rows, kept in memory for those that were looked at of late. */
export class MemoryPassages {
  readonly #database: Database;
  readonly #changes: MemoryChanges;
  readonly #kept: Readonly<Record<Kind, RecentlyKept>> = {
    facts: new RecentlyKept(),
    episodes: new RecentlyKept(),
  };

  constructor(database: Database) {
    this.#database = database;
    this.#changes = new MemoryChanges(database);
  }

  /** Lets go of what has changed since. */
  refresh(): void {
    const changes = this.#changes.take();
    if (changes === 'all') for (const kept of Object.values(this.#kept)) kept.clear();
    else for (const { kind, place } of changes) this.#kept[kind].delete(place);
  }

  /** The passages at these places, in their order, as far as they are there. */
  at(kind: Kind, places: readonly number[]): readonly StoredPassage[] {
    const kept = this.#kept[kind];
    const missing = places.filter((place) => kept.get(place) === undefined);
    const read = missing.length === 0 ? undefined : this.#read(kind, missing);
    return places.flatMap((place) => read?.get(place) ?? kept.get(place) ?? []);
  }

  /** All rows as one text: to read it costs a third of what handing over each value does. */
  #read(kind: Kind, places: readonly number[]): ReadonlyMap<number, StoredPassage> {
    const sql = `SELECT json_group_array(json_array(own.rowid, ${COLUMNS[kind]})) AS rows FROM json_each(?) AS one
      CROSS JOIN ${kind} AS own ON own.rowid = one.value CROSS JOIN ${kind}_terms AS terms ON terms.place = one.value`;
    const { rows } = prepared(this.#database, sql).get(JSON.stringify(places)) as { rows: string };
    const passages =
      kind === 'facts'
        ? (JSON.parse(rows) as FactRow[]).map(factPassage)
        : (JSON.parse(rows) as EpisodeRow[]).map(episodePassage);
    for (const passage of passages) this.#kept[kind].set(passage.place, passage);
    return new Map(passages.map((passage) => [passage.place, passage]));
  }
}

function factPassage(row: FactRow): StoredPassage {
  const [place, terms, speaker, asking, id, namespace, at, importance, confidence, expiresAt, supersededBy] =
    row;
  return {
    place,
    id,
    namespace,
    at,
    part: 0,
    conversation: null,
    expiresAt,
    supersededBy,
    importance: importanceOf({ importance, confidence }),
    reading: { terms: hashTerms(terms), speaker, asking },
  };
}

function episodePassage(row: EpisodeRow): StoredPassage {
  const [place, terms, speaker, asking, id, namespace, at, part, conversation, turn] = row;
  return {
    place,
    id,
    namespace,
    at,
    part,
    conversation,
    expiresAt: null,
    supersededBy: null,
    ...(conversation !== null && turn !== null && { talk: `${namespace} ${conversation}`, turn }),
    reading: { terms: hashTerms(terms), speaker, asking },
  };
}

/** Keeps the passages that were asked for last, about; two generations, of which the older goes when the newer is full. */
class RecentlyKept {
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
    if (this.#newer.size >= KEPT) {
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
