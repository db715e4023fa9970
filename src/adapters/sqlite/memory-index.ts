// Owns: the search data of facts and episodes: their terms, the full-text index, and a vector each.
// I1 It is a cache that lags behind: rows are indexed in order of their rowids, and every query indexes pending rows first,
// so adding never waits. I2 A row leaves the cache in the transaction that deletes it, by triggers (secure-delete: no word
// stays behind), and `memory_changes` records it for in-memory caches. I3 A refolded table loses its triggers; its index is
// then rebuilt.
import { setImmediate } from 'node:timers/promises';
import { readText } from '../../retrieval/index.ts';
import { type Database, inTransaction, prepared } from './driver.ts';

/** A folded table with searchable texts. */
export interface Indexed {
  readonly table: 'facts' | 'episodes';
  readonly key: readonly string[];
  /** The condition for searchable rows. */
  readonly isFound: string;
  /** Index words that narrow a search to a namespace or a day. */
  readonly scope: string;
}

const NAMESPACE_SCOPE = `hex(namespace) || 'x0'`;
const DAY_MS = 86_400_000;

const FACTS: Indexed = {
  table: 'facts',
  key: ['id', 'part'],
  isFound: 'superseded_by IS NULL',
  scope: NAMESPACE_SCOPE,
};

const EPISODES: Indexed = {
  table: 'episodes',
  key: ['id', 'part'],
  isFound: '1',
  scope: `${NAMESPACE_SCOPE} || ' d' || (at / ${DAY_MS})`,
};

export const INDEXED: readonly Indexed[] = [FACTS, EPISODES];

/** Raised whenever word stemming changes, so that all texts are indexed again. */
const INDEX_VERSION = 2;
/** The number of recorded changes; a reader that is further behind rereads everything. */
const MAX_CHANGES = 4_096;
/** Stands for all rows of a table. */
const ALL_PLACES = -1;
const BATCH = 1_000;

/** The index word of a namespace. */
export function namespaceWord(namespace: string): string {
  return `${Buffer.from(namespace).toString('hex')}x0`;
}

/** The index word of a day, given its start. */
export function dayWord(from: number): string {
  return `d${Math.floor(from / DAY_MS)}`;
}

export type OnProgress = (done: number, total: number) => void;

const verifiedAt = new WeakMap<Database, number>();

/** Creates an empty index if it is missing or outdated. */
export function ensureMemoryIndex(database: Database): void {
  const version = schemaVersion(database);
  if (verifiedAt.get(database) === version) return;
  if (!INDEXED.every((one) => isIntact(database, one))) {
    inTransaction(database, () => {
      for (const one of INDEXED) if (!isIntact(database, one)) recreate(database, one);
    });
  }
  dropLearnedVectors(database);
  verifiedAt.set(database, schemaVersion(database));
}

/** Older releases learned word vectors from the texts; nothing reads them any more. */
function dropLearnedVectors(database: Database): void {
  if (database.prepare('SELECT 1 FROM memory_vectors WHERE model IS NOT NULL').get() === undefined) return;
  inTransaction(database, () => {
    database.exec(`DELETE FROM memory_vectors WHERE embedder GLOB 'learned-words-*'; UPDATE memory_vectors SET model = NULL;
      DELETE FROM facts_vectors WHERE digest IS NULL; DELETE FROM episodes_vectors WHERE digest IS NULL`);
  });
}

/** Recreates an empty index; losing it only costs time. */
export function clearMemoryIndex(database: Database): void {
  inTransaction(database, () => {
    for (const one of INDEXED) recreate(database, one);
    database.exec('DELETE FROM memory_vectors; DELETE FROM memory_embeddings');
  });
}

/** What the vectors were computed with. */
const STATE_SQL = `CREATE TABLE IF NOT EXISTS memory_vectors (id INTEGER PRIMARY KEY CHECK (id = 1), generation TEXT NOT NULL,
    embedder TEXT NOT NULL, learned_facts INTEGER NOT NULL, learned_episodes INTEGER NOT NULL, texts INTEGER NOT NULL, model BLOB) STRICT;
  CREATE TABLE IF NOT EXISTS memory_embeddings (digest TEXT PRIMARY KEY, vector BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS memory_changes (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, place INTEGER NOT NULL) STRICT`;

/** The number of texts that are not indexed yet. */
function pendingTexts(database: Database): number {
  let pending = 0;
  for (const { table } of INDEXED) {
    const sql = `SELECT count(*) AS pending FROM ${table} WHERE rowid > (SELECT coalesce(max(place), 0) FROM ${table}_terms)`;
    pending += (database.prepare(sql).get() as { pending: number }).pending;
  }
  return pending;
}

/** Indexes new texts. Each batch is its own transaction, so that a crash in between loses nothing. */
export async function indexTexts(database: Database, onProgress?: OnProgress): Promise<void> {
  ensureMemoryIndex(database);
  const total = onProgress ? pendingTexts(database) : 0;
  let done = 0;
  for (const one of INDEXED) {
    while (hasPending(database, one)) {
      done += inTransaction(database, () => indexBatch(database, one));
      onProgress?.(done, total);
      // Lets other work run.
      await setImmediate();
    }
  }
}

function hasPending(database: Database, { table }: Indexed): boolean {
  const sql = `SELECT coalesce((SELECT max(rowid) FROM ${table}), 0) > coalesce((SELECT max(place) FROM ${table}_terms), 0) AS pending`;
  return (prepared(database, sql).get() as { pending: number }).pending === 1;
}

function indexBatch(database: Database, { table, isFound, scope }: Indexed): number {
  const rows = database
    .prepare(
      `SELECT rowid AS place, text, ${isFound} AS found, ${scope} AS scope FROM ${table}
       WHERE rowid > (SELECT coalesce(max(place), 0) FROM ${table}_terms) ORDER BY rowid LIMIT ${BATCH}`,
    )
    .all() as { place: number; text: string; found: number; scope: string }[];
  const keep = database.prepare(
    `INSERT INTO ${table}_terms (place, terms, speaker, asking, scope) VALUES (?, ?, ?, ?, ?)`,
  );
  const add = database.prepare(
    `INSERT INTO ${table}_words (rowid, text, speaker, scope) VALUES (?, ?, ?, ?)`,
  );
  for (const { place, text, found, scope } of rows) {
    const { terms, speaker, asking } = found === 1 ? readText(text) : { terms: '', speaker: '', asking: 0 };
    keep.run(place, terms, speaker, asking, scope);
    if (terms !== '' || speaker !== '') add.run(place, terms, speaker, scope);
  }
  return rows.length;
}

function schemaVersion(database: Database): number {
  return (prepared(database, 'PRAGMA schema_version').get() as { schema_version: number }).schema_version;
}

function isIntact(database: Database, indexed: Indexed): boolean {
  return definitionsOf(database, indexed).every(({ stored, expected }) => stored === expected);
}

/** What the index consists of, as it is stored and as this version makes it. */
export function definitionsOf(database: Database, indexed: Indexed) {
  const find = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?');
  return [...schemaOf(indexed)].map(([name, expected]) => {
    const stored = (find.get(name) as { sql: string } | undefined)?.sql;
    return { name, stored, expected };
  });
}

function recreate(database: Database, indexed: Indexed): void {
  const { table } = indexed;
  const triggers = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB ?`)
    .all(`${table}_words_*`) as { name: string }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  for (const part of ['words', 'terms', 'vectors']) database.exec(`DROP TABLE IF EXISTS ${table}_${part}`);
  database.exec(STATE_SQL);
  for (const sql of schemaOf(indexed).values()) database.exec(sql);
  database.exec(`INSERT INTO ${table}_words (${table}_words, rank) VALUES ('secure-delete', 1)`);
  database.exec(recordChange(table, String(ALL_PLACES)));
}

/** The expected schema, by name. */
function schemaOf({ table, key }: Indexed): ReadonlyMap<string, string> {
  const same = key.map((column) => `${table}.${column} = new.${column}`).join(' AND ');
  const replaced = `(SELECT rowid FROM ${table} WHERE ${same})`;
  const trigger = (name: string, when: string, body: string): [string, string] => [
    `${table}_words_${name}`,
    `CREATE TRIGGER ${table}_words_${name} ${when} ON ${table} BEGIN ${body} END`,
  ];
  return new Map([
    [
      `${table}_words`,
      `CREATE VIRTUAL TABLE ${table}_words USING fts5(text, speaker, scope, content='', tokenize='unicode61 remove_diacritics 0')`,
    ],
    [
      `${table}_terms`,
      `CREATE TABLE ${table}_terms (place INTEGER PRIMARY KEY, terms TEXT NOT NULL, speaker TEXT NOT NULL, asking REAL NOT NULL, scope TEXT NOT NULL /* reading ${INDEX_VERSION} */) STRICT`,
    ],
    [
      `${table}_vectors`,
      `CREATE TABLE ${table}_vectors (place INTEGER PRIMARY KEY, namespace TEXT NOT NULL, signature BLOB NOT NULL, digest TEXT) STRICT`,
    ],
    // REPLACE does not fire delete triggers for the old row.
    [
      `${table}_words_replace`,
      `CREATE TRIGGER ${table}_words_replace BEFORE INSERT ON ${table} WHEN EXISTS ${replaced} BEGIN ${deleteFromIndex(table, replaced)} END`,
    ],
    trigger('delete', 'AFTER DELETE', deleteFromIndex(table, 'old.rowid')),
    ...(table === 'facts'
      ? [
          trigger(
            'supersede',
            'AFTER UPDATE OF superseded_by',
            // A restored fact gets the next place, so that it is indexed like a new one.
            `${deleteWords(table, 'old.rowid')} UPDATE ${table}_terms SET terms = '', speaker = '' WHERE place = old.rowid; DELETE FROM ${table}_vectors WHERE place = old.rowid; ${recordChange(table, 'old.rowid')} UPDATE ${table} SET rowid = (SELECT max(rowid) + 1 FROM ${table}) WHERE rowid = new.rowid AND new.superseded_by IS NULL;`,
          ),
          trigger(
            'affirm',
            'AFTER UPDATE OF importance, confidence, expires_at',
            recordChange(table, 'old.rowid'),
          ),
        ]
      : []),
  ]);
}

function deleteFromIndex(table: string, place: string): string {
  return `${deleteWords(table, place)} DELETE FROM memory_embeddings WHERE digest = (SELECT digest FROM ${table}_vectors WHERE place = ${place}); DELETE FROM ${table}_terms WHERE place = ${place}; DELETE FROM ${table}_vectors WHERE place = ${place}; ${recordChange(table, place)}`;
}

function recordChange(table: string, place: string): string {
  return `INSERT INTO memory_changes (kind, place) VALUES ('${table}', ${place}); DELETE FROM memory_changes WHERE id <= (SELECT max(id) FROM memory_changes) - ${MAX_CHANGES};`;
}

/** Reports which rows changed since the last call. */
export class MemoryChanges {
  readonly #database: Database;
  #last: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The changed rows by table, or `all` if they are not known individually. */
  take(): readonly { readonly kind: Indexed['table']; readonly place: number }[] | 'all' {
    const ends = prepared(this.#database, 'SELECT min(id) AS first, max(id) AS last FROM memory_changes');
    const { first, last } = ends.get() as { first: number | null; last: number | null };
    const seen = this.#last;
    if (last === seen) return [];
    this.#last = last ?? undefined;
    if (seen === undefined || last === null || seen < (first ?? 0) - 1) return 'all';
    const sql = 'SELECT kind, place FROM memory_changes WHERE id > ? ORDER BY id';
    const changes = prepared(this.#database, sql).all(seen) as { kind: Indexed['table']; place: number }[];
    return changes.some(({ place }) => place === ALL_PLACES) ? 'all' : changes;
  }
}

function deleteWords(table: string, place: string): string {
  return `INSERT INTO ${table}_words (${table}_words, rowid, text, speaker, scope) SELECT 'delete', place, terms, speaker, scope FROM ${table}_terms WHERE place = ${place} AND (terms <> '' OR speaker <> '');`;
}
