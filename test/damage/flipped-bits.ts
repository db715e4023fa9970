// A workspace with pages of every kind, and single flipped bits in its database.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { SqlCache, SqlRunStore } from '../../src/adapters/sql/index.ts';
import { freeClosedConnections, LedgerView } from '../../src/adapters/sqlite/index.ts';
import { compareMirror, readLines } from '../../src/adapters/workspace/index.ts';
import type { RepairAnswer } from '../../src/api/index.ts';
import type { RunState } from '../../src/engine/index.ts';
import { isOkaError, systemClock } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { checkDatabase } from '../../src/runtime/ledger/check-database.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PAGE_BYTES = 4096;
const GOAL = { goal: 'search for "boat" in main.js', simulate: false, budgets: {}, patienceMs: 0 };

/** Rows that live for seconds or that nothing reads, so that no flipped bit in them can be a lasting error. */
const NOT_CONTENT: Readonly<Record<string, string>> = {
  leases: 'NULL',
  rate_calls: 'NULL',
  memory_changes: 'NULL',
  // A superseded fact keeps only its place, without terms; nothing reads the rest.
  facts_terms: "place, terms, speaker, iif(terms = '', NULL, asking), iif(terms = '', NULL, scope)",
  migrations: 'version, name',
};

export class DamagedWorkspace {
  readonly workspace: string;
  readonly home: string;
  readonly #sound: string;

  constructor() {
    const folder = tempFolder();
    this.workspace = join(folder, 'work');
    this.home = join(folder, 'home');
    this.#sound = join(folder, 'sound');
    mkdirSync(this.workspace);
    writeFileSync(join(this.workspace, 'main.js'), 'sail(); // boat\n');
  }

  get database(): string {
    return join(this.workspace, '.oka', 'oka.db');
  }

  async with<T>(work: (oka: Oka) => Promise<T>): Promise<T> {
    const oka = new Oka({ workspace: this.workspace, home: this.home });
    try {
      return await work(oka);
    } finally {
      await oka.close();
    }
  }

  /** Facts of all sizes, erased and archived content, a search index, a kept snapshot and a kept output. */
  async populate(facts: number): Promise<void> {
    const by = 'test';
    await this.with(async (oka) => {
      await oka.init({ trust: true });
      const { run } = await oka.do(GOAL);
      const lines = Array.from({ length: facts }, (_, i) => {
        const text = `Boat ${i} lies in harbour ${i % 7}. ${'It is long. '.repeat(i % 40 === 0 ? 900 : i % 9)}`;
        return JSON.stringify({ kind: 'fact', text, key: `boat ${i}` });
      });
      await oka.memory.importLines(lines, by);
      await oka.memory.addFact({ text: 'Boat 0 sank', key: 'boat 0', by });
      const known = await oka.memory.listFacts({ limit: facts });
      for (const { id } of known.slice(0, 3)) await oka.memory.deleteFact(id, by);
      await oka.ledger.gc({ by, dryRun: false, archiveOlderThanMs: 0 });
      await oka.do(GOAL);
      await oka.memory.searchFacts({ query: 'boat', limit: 3 });
      const ledger = openTestLedger(this.workspace);
      await new SqlRunStore(ledger.tables).saveSnapshot({ id: run.id, index: 3 } as unknown as RunState);
      const cache = new SqlCache(ledger.tables, systemClock);
      await cache.set('key', { tool: 'test', output: 'o'.repeat(5_000), expiresAt: 1 });
      await ledger.close();
    });
    // Free pages with and without former content.
    const database = new DatabaseSync(this.database);
    database.exec('CREATE TABLE gone (a TEXT)');
    for (let i = 0; i < 40; i++) database.prepare('INSERT INTO gone VALUES (?)').run('x'.repeat(3_000));
    database.exec('DROP TABLE gone; PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    cpSync(join(this.workspace, '.oka'), this.#sound, { recursive: true });
  }

  /** Puts everything back as it was before the damage. */
  async restore(): Promise<void> {
    await freeClosedConnections();
    for (const end of ['', '-wal', '-shm']) rmSync(this.database + end, { force: true });
    for (const name of ['oka.db', 'run_ledger.jsonl', 'head.json'])
      copyFileSync(join(this.#sound, name), join(this.workspace, '.oka', name));
    rmSync(join(this.workspace, '.oka', 'run', 'verified.json'), { force: true });
  }

  get #mirror(): string {
    return join(this.workspace, '.oka', 'run_ledger.jsonl');
  }

  /** A copy of the sound files in another folder: nothing has opened them, so that no connection has to be waited for. */
  copy(): DamagedWorkspace {
    const copy = new DamagedWorkspace();
    mkdirSync(join(copy.workspace, '.oka'));
    for (const name of ['oka.db', 'run_ledger.jsonl'])
      copyFileSync(join(this.#sound, name), join(copy.workspace, '.oka', name));
    return copy;
  }

  mirror(): string {
    return readFileSync(this.#mirror, 'utf8');
  }

  flip({ offset, bit }: Flip): void {
    const bytes = readFileSync(this.database);
    bytes[offset] = (bytes[offset] as number) ^ (1 << bit);
    writeFileSync(this.database, bytes);
  }

  /** The faults, or the error of a file that cannot be opened at all. */
  verify(): Promise<readonly string[]> {
    return this.with(async (oka) => {
      const { faults } = await oka.ledger.verify({ full: true });
      return faults.map(({ where, what }) => `${where}: ${what}`);
    }).catch((error: unknown) => {
      if (isOkaError(error)) return [`${error.code}: ${error.message}`];
      throw error;
    });
  }

  /** As `verify`, for database and mirror only and many times faster. */
  async check(): Promise<readonly string[]> {
    try {
      const database = new DatabaseSync(this.database, { readOnly: true });
      const { faults } = await checkDatabase({ database, file: this.database });
      const records = new LedgerView(database, []).records();
      const mirror = faults.length > 0 ? undefined : compareMirror(readLines(this.#mirror), records);
      database.close();
      return [...faults, ...(mirror?.faults ?? [])].map(({ where, what }) => `${where}: ${what}`);
    } catch (error) {
      return [String(error)];
    }
  }

  repair(): Promise<RepairAnswer> {
    return this.with((oka) => oka.ledger.repair({ by: 'test', acceptLoss: false }));
  }

  /** All that a writer of Oka finds in the database, which it must be able to change. */
  async content(): Promise<string> {
    const ledger = openTestLedger(this.workspace);
    try {
      const { database } = ledger;
      database.exec(`BEGIN IMMEDIATE; INSERT INTO leases VALUES ('test', 'test', 1); ROLLBACK`);
      const objects = database
        .prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name')
        .all() as { type: string; name: string; sql: string }[];
      const rows = objects
        .filter(({ type, sql }) => type === 'table' && !sql.startsWith('CREATE VIRTUAL'))
        .map(({ name }) => [
          name,
          read(database, `SELECT ${NOT_CONTENT[name] ?? '*'} FROM ${name} NOT INDEXED`),
        ]);
      return JSON.stringify([objects, rows, read(database, 'PRAGMA integrity_check')], blobsAsText);
    } finally {
      await ledger.close();
      if (existsSync(`${this.database}-wal`)) rmSync(`${this.database}-wal`);
    }
  }
}

function read(database: InstanceType<typeof DatabaseSync>, sql: string): unknown {
  return database.prepare(sql).all();
}

const blobsAsText = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

export interface Flip {
  readonly kind: string;
  readonly offset: number;
  readonly bit: number;
}

/** Single bits in pages of each kind, and in the header of the file. */
export function flipsOf(file: string, count: number, seed: number): readonly Flip[] {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const pages = pagesByKind(file);
  const bytes = readFileSync(file);
  const kinds = [...pages.keys()].sort();
  return Array.from({ length: count }, (_, i) => {
    const kind = kinds[i % kinds.length] as string;
    const within = pages.get(kind) as readonly number[];
    const page = within[below(within.length)] as number;
    const start = (page - 1) * PAGE_BYTES;
    const choose = (): number => start + below(kind === 'header' ? 100 : PAGE_BYTES);
    let offset = choose();
    // Most bytes of most pages are unused, so other ones are chosen more often.
    for (let tries = 0; i % 4 !== 0 && bytes[offset] === 0 && tries < 50; tries++) offset = choose();
    return { kind, offset, bit: below(8) };
  });
}

function pagesByKind(file: string): Map<string, number[]> {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database
    .prepare(
      `SELECT d.pageno AS page, coalesce(s.type, 'table') || ' ' || d.pagetype AS kind FROM dbstat d
       LEFT JOIN sqlite_schema s ON s.name = d.name`,
    )
    .all() as { page: number; kind: string }[];
  const { page_count: all } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  database.close();
  const used = new Map(rows.map(({ page, kind }) => [page, kind]));
  const pages = new Map<string, number[]>([['header', [1]]]);
  for (let page = 1; page <= all; page++) {
    const kind = used.get(page) ?? 'free';
    pages.set(kind, [...(pages.get(kind) ?? []), page]);
  }
  return pages;
}
