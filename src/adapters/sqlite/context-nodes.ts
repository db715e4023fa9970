// Owns: the node index, a cache in its own file, so that a long scan neither blocks commits nor grows the ledger.
// I1 One scan at a time changes it, across processes. I2 A reader sees the index before or after a scan, never in between.
// I3 A damaged file, or one of another version, is recreated. I4 The totals match the rows.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  type FolderRecord,
  holdsId,
  type NodeIndex,
  type NodeIndexChange,
  PackedFolder,
  type TreeCounts,
} from '../../context/index.ts';
import { type EpochMs, isOkaError } from '../../kernel/index.ts';
import { arrays, type Database, inTransaction, type Statement } from './driver.ts';
import { schemaVersion } from './migrations.ts';
import { type OpenedForReading, openReadable } from './open-for-reading.ts';
import { primaryCodeOf, SQLITE_BUSY, translateSqliteError, translating } from './sqlite-error.ts';

const VERSION = 4;
/** The file is damaged, or not a database. */
const DAMAGED_CODES = [11, 26];
const COLUMNS = 'path, record';
/**
 * Without syncs, because a cache lost in a power failure is read again. Rows are about 1 KB. The page cache holds all
 * writes of a first scan, so that no page is read again.
 */
const SETTINGS = `PRAGMA busy_timeout=5000; PRAGMA trusted_schema=OFF; PRAGMA synchronous=OFF;
  PRAGMA page_size=16384; PRAGMA cache_size=-8192; PRAGMA journal_mode=WAL`;
const SCHEMA = `
  DROP TABLE IF EXISTS folders;
  CREATE TABLE folders (path TEXT PRIMARY KEY, record BLOB NOT NULL) STRICT;
  DROP TABLE IF EXISTS totals;
  CREATE TABLE totals (
    directories INTEGER NOT NULL, files INTEGER NOT NULL, links INTEGER NOT NULL, bytes INTEGER NOT NULL
  ) STRICT;
  INSERT INTO totals VALUES (0, 0, 0, 0);
  PRAGMA user_version=${VERSION};`;

type FolderRow = [path: string, record: Uint8Array];

/** Opens the index for reading; undefined if the file does not exist, because reading creates no file. */
export function openNodeIndex(file: string): (NodeIndex & { close(): void }) | undefined {
  if (!existsSync(file)) return undefined;
  const { database, discard } = openToRead(file);
  const close = (): void => {
    database.close();
    discard();
  };
  if (schemaVersion(database) === VERSION) return Object.assign(new SqliteNodeIndex(database), { close });
  // A scan recreates it; its content cannot be read.
  close();
  return undefined;
}

/** Opens the index for reading even on a read-only disk; a damaged file is recreated. */
function openToRead(file: string): Pick<OpenedForReading, 'database' | 'discard'> {
  try {
    return openReadable(file, SETTINGS);
  } catch (error) {
    if (!isOkaError(error, 'ledger.damaged')) throw error;
    return { database: openFile(file), discard: () => undefined };
  }
}

/** Opens the index for one scan; undefined while another scan holds it. */
export function changeNodeIndex(file: string): NodeIndexChange | undefined {
  let database: Database | undefined;
  try {
    // When two processes create a database at the same time, SQLite returns "busy" immediately, despite the timeout.
    database = openFile(file);
    database.exec('PRAGMA busy_timeout=0; BEGIN IMMEDIATE');
    return new SqliteNodeIndexChange(database, file);
  } catch (error) {
    database?.close();
    if (isOkaError(error, 'ledger.busy') || primaryCodeOf(error) === SQLITE_BUSY) return undefined;
    throw translateSqliteError(error, file);
  }
}

function openFile(file: string): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return openSound(file);
  } catch (error) {
    if (!DAMAGED_CODES.includes(primaryCodeOf(error))) throw translateSqliteError(error, file);
    for (const tail of ['', '-wal', '-shm']) rmSync(file + tail, { force: true });
    return openSound(file);
  }
}

function openSound(file: string): Database {
  const database = new DatabaseSync(file);
  try {
    database.exec(SETTINGS);
    if (schemaVersion(database) !== VERSION)
      inTransaction(database, () => {
        // Another process may have created it meanwhile.
        if (schemaVersion(database) !== VERSION) database.exec(SCHEMA);
      });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

class SqliteNodeIndex implements NodeIndex {
  protected readonly database: Database;
  readonly #folder: Statement;

  constructor(database: Database) {
    this.database = database;
    this.#folder = arrays(database.prepare(`SELECT ${COLUMNS} FROM folders WHERE path = ?`));
  }

  folder(path: string): PackedFolder | undefined {
    const row = this.#folder.get(path) as unknown as FolderRow | undefined;
    return row && new PackedFolder(...row);
  }

  *foldersBelow(path: string): Iterable<FolderRecord> {
    // The zero sorts directly after the slash.
    const [where, bounds] =
      path === '' ? ["path > ''", []] : ['path > ? AND path < ?', [`${path}/`, `${path}0`]];
    const below = arrays(
      this.database.prepare(`SELECT ${COLUMNS} FROM folders WHERE ${where} ORDER BY path`),
    );
    for (const row of below.iterate(...bounds)) yield new PackedFolder(...(row as unknown as FolderRow));
  }

  foldersWithId(prefix: string, limit: number): readonly FolderRecord[] {
    const found: FolderRecord[] = [];
    // File IDs are not stored; they are computed from the stored fields.
    const all = arrays(this.database.prepare(`SELECT ${COLUMNS} FROM folders ORDER BY path`));
    for (const row of all.iterate()) {
      const folder = new PackedFolder(...(row as unknown as FolderRow));
      if (holdsId(folder, prefix)) found.push(folder);
      if (found.length === limit) break;
    }
    return found;
  }

  counts(): TreeCounts {
    const totals = this.database.prepare('SELECT directories, files, links, bytes FROM totals').get();
    return { ...(totals as unknown as TreeCounts) };
  }

  scannedAt(): EpochMs | undefined {
    // Indexes of earlier versions have no such table until the next scan.
    const table = this.database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'scans'").get();
    const row = table && this.database.prepare('SELECT at FROM scans').get();
    return (row as { readonly at: EpochMs } | undefined)?.at;
  }
}

class SqliteNodeIndexChange extends SqliteNodeIndex implements NodeIndexChange {
  readonly #put: Statement;
  readonly #remove: Statement;
  #loaded: Map<string, PackedFolder> | undefined;
  /** Paths that are no longer in `#loaded`, but in the file. */
  readonly #written = new Set<string>();
  readonly #totals: { -readonly [Count in keyof TreeCounts]: number };
  readonly #file: string;
  #ended = false;

  constructor(database: Database, file: string) {
    super(database);
    this.#file = file;
    this.#put = database.prepare('INSERT OR REPLACE INTO folders (path, record) VALUES (?, ?)');
    this.#remove = database.prepare('DELETE FROM folders WHERE path = ?');
    this.#totals = { ...super.counts() };
  }

  load(): void {
    const rows = arrays(this.database.prepare(`SELECT ${COLUMNS} FROM folders`)).all();
    this.#loaded = new Map(
      (rows as unknown as FolderRow[]).map(([path, bytes]) => [path, new PackedFolder(path, bytes)]),
    );
  }

  override folder(path: string): PackedFolder | undefined {
    if (this.#loaded === undefined || this.#written.has(path)) return super.folder(path);
    return this.#loaded.get(path);
  }

  override counts(): TreeCounts {
    return { ...this.#totals };
  }

  put(folder: FolderRecord): void {
    const { path } = folder;
    const packed = PackedFolder.of(folder);
    this.#count(this.folder(path), -1);
    translating(this.#file, () => this.#put.run(path, packed.bytes));
    this.#count(packed, 1);
    this.#loaded?.delete(path);
    this.#written.add(path);
  }

  remove(path: string): void {
    this.#count(this.folder(path), -1);
    translating(this.#file, () => this.#remove.run(path));
    this.#loaded?.delete(path);
    this.#written.delete(path);
  }

  commit(scannedAt?: EpochMs): void {
    const { directories, files, links, bytes } = this.#totals;
    translating(this.#file, () => {
      this.database
        .prepare('UPDATE totals SET directories = ?, files = ?, links = ?, bytes = ?')
        .run(directories, files, links, bytes);
      if (scannedAt !== undefined)
        this.database.exec(
          `CREATE TABLE IF NOT EXISTS scans (at INTEGER NOT NULL) STRICT;
           DELETE FROM scans; INSERT INTO scans VALUES (${Math.trunc(scannedAt)})`,
        );
      this.database.exec('COMMIT');
    });
    this.end();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
    this.database.close();
  }

  #count(folder: PackedFolder | undefined, sign: 1 | -1): void {
    if (folder === undefined) return;
    const { files, links, bytes } = folder.counts;
    this.#totals.directories += sign;
    this.#totals.files += sign * files;
    this.#totals.links += sign * links;
    this.#totals.bytes += sign * bytes;
  }
}
