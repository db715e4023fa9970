// Owns: the word index over facts and episodes. I1 Triggers of the folded tables keep it inside the transaction that
// changes them. I2 It is complete wherever its triggers stand: a table that is folded anew loses them, and then the
// index is filled anew before it is used. I3 What is deleted leaves no words behind (secure-delete).
import type { Database } from './driver.ts';

/** A folded table whose texts can be searched. */
interface Indexed {
  readonly table: string;
  readonly index: string;
  readonly key: readonly string[];
  /** Rows that are found; `row` stands for the row's name. */
  readonly isFound: (row: string) => string;
  /** Words that narrow a search to a namespace or a day. */
  readonly scope: (row: string) => string;
  /** The columns that `isFound` and `scope` look at, beside the text. */
  readonly watched: readonly string[];
}

const FACTS: Indexed = {
  table: 'facts',
  index: 'facts_words',
  key: ['id'],
  isFound: (row) => `${row}.superseded_by IS NULL`,
  scope: (row) => namespaceSql(row),
  watched: ['namespace', 'superseded_by'],
};

const EPISODES: Indexed = {
  table: 'episodes',
  index: 'episodes_words',
  key: ['id', 'part'],
  isFound: () => '1',
  scope: (row) => `${namespaceSql(row)} || ' d' || (${row}.at / ${86_400_000})`,
  watched: ['namespace', 'at'],
};

function namespaceSql(row: string): string {
  return `hex(${row}.namespace) || 'x0'`;
}

/** The word that a namespace has in the index: it ends with a digit, so that no stemming touches it. */
export function namespaceWord(namespace: string): string {
  return `${Buffer.from(namespace).toString('hex')}x0`;
}

/** The word that a day has in the index, by its beginning. */
export function dayWord(from: number): string {
  return `d${Math.floor(from / 86_400_000)}`;
}

/** Makes and fills the index where it is not there as it should be. */
export function ensureMemoryIndex(database: Database): void {
  const wanted = [FACTS, EPISODES];
  if (wanted.every((one) => stands(database, one))) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const one of wanted) if (!stands(database, one)) make(database, one);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function stands(database: Database, indexed: Indexed): boolean {
  const find = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?');
  return [...schemaOf(indexed)].every(
    ([name, sql]) => (find.get(name) as { sql: string } | undefined)?.sql === sql,
  );
}

function make(database: Database, indexed: Indexed): void {
  const { table, index, isFound, scope } = indexed;
  const schema = schemaOf(indexed);
  for (const name of schema.keys()) if (name !== index) database.exec(`DROP TRIGGER IF EXISTS ${name}`);
  database.exec(`DROP TABLE IF EXISTS ${index}`);
  for (const sql of schema.values()) database.exec(sql);
  database.exec(
    `INSERT INTO ${index} (${index}, rank) VALUES ('secure-delete', 1);
     INSERT INTO ${index} (rowid, text, scope) SELECT rowid, text, ${scope(table)} FROM ${table} WHERE ${isFound(table)}`,
  );
}

/** What must stand in the schema, by name: the index, then the triggers that keep it. */
function schemaOf({ table, index, key, isFound, scope, watched }: Indexed): ReadonlyMap<string, string> {
  const add = `INSERT INTO ${index} (rowid, text, scope) SELECT new.rowid, new.text, ${scope('new')} WHERE ${isFound('new')};`;
  const drop = (row: string, from: string): string =>
    `INSERT INTO ${index} (${index}, rowid, text, scope) SELECT 'delete', ${row}.rowid, ${row}.text, ${scope(row)} ${from} ${isFound(row)};`;
  const same = key.map((column) => `${table}.${column} = new.${column}`).join(' AND ');
  const trigger = (name: string, when: string, body: string): [string, string] => [
    `${index}_${name}`,
    `CREATE TRIGGER ${index}_${name} ${when} ON ${table} BEGIN ${body} END`,
  ];
  return new Map([
    [
      index,
      `CREATE VIRTUAL TABLE ${index} USING fts5(text, scope, content='', tokenize='porter unicode61 remove_diacritics 2')`,
    ],
    // Putting a row in the place of another fires no trigger for the one that goes.
    trigger('replace', 'BEFORE INSERT', drop(table, `FROM ${table} WHERE ${same} AND`)),
    trigger('insert', 'AFTER INSERT', add),
    trigger('delete', 'AFTER DELETE', drop('old', 'WHERE')),
    trigger('update', `AFTER UPDATE OF text, ${watched.join(', ')}`, `${drop('old', 'WHERE')} ${add}`),
  ]);
}
