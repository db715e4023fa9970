// Owns: verifying the search index of memory against the texts that it was made from. Read-only.
import { DatabaseSync } from '@photostructure/sqlite';
import { readText } from '../../retrieval/index.ts';
import { arrays, type Database, type Value } from './driver.ts';
import { definitionsOf, INDEXED, type Indexed } from './memory-index.ts';

/** The parts of a full-text index as SQLite stores them. */
const PARTS = ['data', 'idx', 'docsize', 'config'] as const;

/** The differences of the search index. One that is outdated or incomplete is made again before the next search. */
export function memoryIndexFaults(database: Database): string[] {
  return INDEXED.flatMap((one) => {
    const { table } = one;
    const parts = definitionsOf(database, one);
    const isCurrent = parts.some(
      ({ name, stored, expected }) => name === `${table}_terms` && stored === expected,
    );
    if (!isCurrent || parts.some(({ stored }) => stored === undefined)) return [];
    const changed = parts.find(({ stored, expected }) => stored !== expected);
    if (changed !== undefined) return [`the definition of ${changed.name} changed`];
    if (!areTermsCurrent(database, one)) return [`the search terms of ${table} differ from their texts`];
    return areWordsCurrent(database, one) ? [] : [`the search index of ${table} differs from its terms`];
  });
}

function areTermsCurrent(database: Database, { table, isFound, scope }: Indexed): boolean {
  const rows = database
    .prepare(
      `SELECT t.terms, t.speaker, t.asking, t.scope, f.text AS text, f.scope AS expected FROM ${table}_terms t
       LEFT JOIN (SELECT rowid AS place, text, ${scope} AS scope FROM ${table} WHERE ${isFound}) f ON f.place = t.place`,
    )
    .iterate() as Iterable<Record<'terms' | 'speaker' | 'scope', string> & Found>;
  for (const row of rows) {
    // A superseded text keeps its place without terms.
    const read = row.text === null ? { terms: '', speaker: '', asking: row.asking } : readText(row.text);
    const isEqual = row.terms === read.terms && row.speaker === read.speaker && row.asking === read.asking;
    if (!isEqual || (row.text !== null && row.scope !== row.expected)) return false;
  }
  return true;
}

interface Found {
  readonly asking: number;
  readonly text: string | null;
  readonly expected: string | null;
}

/** SQLite compares a full-text index with texts only if it knows them, so a copy of this one is put over a copy of the terms. */
function areWordsCurrent(database: Database, { table }: Indexed): boolean {
  // Defensive mode protects the tables of an index from being written.
  const copy = new DatabaseSync(':memory:', { defensive: false });
  try {
    copy.exec(`CREATE TABLE texts (place INTEGER PRIMARY KEY, text, speaker, scope);
      CREATE VIRTUAL TABLE words USING fts5(text, speaker, scope, content='texts', content_rowid='place',
        tokenize='unicode61 remove_diacritics 0');
      BEGIN`);
    copyRows(database, copy, {
      from: `(SELECT place, terms, speaker, scope FROM ${table}_terms WHERE terms <> '' OR speaker <> '')`,
      to: 'texts',
    });
    for (const part of PARTS) {
      copy.exec(`DELETE FROM words_${part}`);
      copyRows(database, copy, { from: `${table}_words_${part}`, to: `words_${part}` });
    }
    copy.exec("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)");
    return true;
  } catch {
    return false;
  } finally {
    copy.close();
  }
}

function copyRows(source: Database, target: Database, { from, to }: { from: string; to: string }): void {
  let insert: ReturnType<Database['prepare']> | undefined;
  for (const row of arrays(source.prepare(`SELECT * FROM ${from}`)).iterate() as unknown as Iterable<
    Value[]
  >) {
    insert ??= target.prepare(`INSERT INTO ${to} VALUES (${row.map(() => '?')})`);
    insert.run(...row);
  }
}
