import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { PostgresStores } from '../../src/adapters/postgres/index.ts';
import {
  copyableRecords,
  LedgerArchive,
  LedgerView,
  openDatabase,
  SqliteEventStore,
} from '../../src/adapters/sqlite/index.ts';
import { artifactStoreConformance } from '../../src/engine/artifact-store.conformance.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import { eventStoreConformance } from '../../src/ledger/event-store.conformance.ts';
import { type Commit, copyRecords, type MirrorRecord } from '../../src/ledger/index.ts';
import { PROJECTIONS } from '../../src/runtime/services/extensions.ts';
import { findPostgres, TestPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { describeWithPostgres } from './describe-with-postgres.ts';

const server = findPostgres() === undefined ? undefined : await TestPostgres.create();
let schemas = 0;

afterAll(() => server?.remove());

function open(schema = `oka_test_${schemas++}`, clock = systemClock): PostgresStores {
  const stores = new PostgresStores({
    ...{ url: server?.url ?? '', schema, clock },
    ...{ random: systemRandom, projections: PROJECTIONS, version: '0.2.0' },
  });
  onTestFinished(() => stores.close());
  return stores;
}

function openSqlite(): { store: SqliteEventStore; archive: LedgerArchive; view: LedgerView } {
  const file = join(tempFolder(), 'oka.db');
  const database = openDatabase({ file, now: () => Date.now() });
  const store = new SqliteEventStore({
    ...{ database, file, projections: PROJECTIONS, clock: systemClock, random: systemRandom },
  });
  const archive = new LedgerArchive(database, store, PROJECTIONS);
  archive.ensureTables();
  return { store, archive, view: new LedgerView(database, PROJECTIONS) };
}

describeWithPostgres('the stores on PostgreSQL', () => {
  eventStoreConformance('PostgresEventStore', () => open().store);
  artifactStoreConformance('PostgresArtifactStore', (clock) => open(undefined, clock).artifacts);
});

const note = (stream: string, text: string, expectedIndex?: number): Commit => ({
  actor: 'test',
  sync: 'normal',
  appends: [
    {
      stream,
      ...(expectedIndex === undefined ? {} : { expectedIndex }),
      events: [
        {
          type: 'fact.added',
          data: { id: `${stream} ${text}`, at: 1, importance: 3, confidence: 1 },
          body: { text },
        },
      ],
    },
  ],
});

async function recordsOf(stores: PostgresStores): Promise<readonly MirrorRecord[]> {
  return stores.archive.recordsAfter(0, 100_000);
}

async function factsOf(stores: PostgresStores): Promise<readonly string[]> {
  const rows = await stores.tables.rows('SELECT text FROM facts ORDER BY id, part');
  return rows.map(({ text }) => text as string);
}

describeWithPostgres('a ledger on PostgreSQL', () => {
  it('gives each index to one of several processes, and loses no commit', async () => {
    const schema = `oka_test_${schemas++}`;
    const writers = [open(schema), open(schema), open(schema)];
    const outcomes = await Promise.allSettled(
      writers.flatMap((writer, w) =>
        Array.from({ length: 40 }, (_, i) => writer.store.commit(note(`memory/${w}`, `${i}`))).concat(
          Array.from({ length: 10 }, (_, i) => writer.store.commit(note('memory/shared', `${w}.${i}`, i))),
        ),
      ),
    );
    const stored = outcomes.filter(({ status }) => status === 'fulfilled').length;
    const records = await recordsOf(writers[0] as PostgresStores);
    expect(records).toHaveLength(stored);
    expect(stored).toBeGreaterThanOrEqual(130);
    const { archive, view } = openSqlite();
    await copyRecords((writers[1] as PostgresStores).archive, copyableRecords(archive));
    expect(archive.verify().faults).toEqual([]);
    expect(view.head()).toEqual(await (writers[2] as PostgresStores).store.head());
  });

  it('stores texts that PostgreSQL cannot represent', async () => {
    const stores = open();
    await stores.store.commit(note('memory/\u0000', 'before \u0000 after'));
    expect(await factsOf(stores)).toEqual(['before \u0000 after']);
    expect(await stores.store.read('memory/\u0000')).toHaveLength(1);
  });

  it('erases bodies everywhere but in the chain', async () => {
    const stores = open();
    await stores.store.commit(note('memory/a', 'secret'));
    await stores.store.commit(note('memory/a', 'kept'));
    await stores.archive.erase([{ stream: 'memory/a', index: 0 }], 'test', 'asked');
    expect(JSON.stringify(await recordsOf(stores))).not.toContain('"text":"secret"');
    expect(await factsOf(stores)).toEqual(['kept']);
    const { archive } = openSqlite();
    await copyRecords(stores.archive, copyableRecords(archive));
    expect(archive.verify().faults).toEqual([]);
  });

  it('archives streams, which continue at their next index', async () => {
    const stores = open();
    await stores.store.commit(note('memory/a', 'one'));
    await stores.store.commit(note('memory/a', 'two'));
    await stores.archive.archive(['memory/a'], 'test', 'gc');
    expect(await stores.store.read('memory/a')).toEqual([]);
    await stores.store.commit(note('memory/a', 'three', 2));
    const { archive } = openSqlite();
    await copyRecords(stores.archive, copyableRecords(archive));
    expect(archive.verify().faults).toEqual([]);
    const again = open();
    await copyRecords(copyableRecords(archive), again.archive);
    expect(await recordsOf(again)).toEqual(await recordsOf(stores));
    await again.store.commit(note('memory/a', 'four', 3));
  });

  it('is copied from SQLite and back without a difference, in one piece or in several', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(3), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 20 }),
        fc.nat(20),
        async (texts, cut) => {
          const source = openSqlite();
          const middle = open();
          const end = openSqlite();
          const write = async (some: typeof texts) => {
            for (const [stream, text] of some)
              await source.store.commit(note(`memory/${stream}`, text.toWellFormed()));
          };
          await write(texts.slice(0, cut));
          await copyRecords(copyableRecords(source.archive), middle.archive);
          await write(texts.slice(cut));
          await copyRecords(copyableRecords(source.archive), middle.archive);
          await copyRecords(middle.archive, copyableRecords(end.archive));
          expect(end.archive.head()).toEqual(source.archive.head());
          expect([...end.archive.records()]).toEqual([...source.archive.records()]);
          expect(end.archive.verify().faults).toEqual([]);
          await middle.close();
        },
      ),
      { numRuns: 15 },
    );
  });

  it('refuses records that do not continue it, and stays unchanged', async () => {
    const [one, other] = [open(), openSqlite()];
    await one.store.commit(note('memory/a', 'mine'));
    await other.store.commit(note('memory/a', 'theirs'));
    await expect(copyRecords(copyableRecords(other.archive), one.archive)).rejects.toMatchObject({
      code: 'ledger.diverged',
    });
    expect(await factsOf(one)).toEqual(['mine']);
  });

  it('refolds its tables for a build with other tables, and the older build detects that', async () => {
    const schema = `oka_test_${schemas++}`;
    const older = open(schema);
    await older.store.commit(note('memory/a', 'one'));
    const projections = PROJECTIONS.map((projection) =>
      projection.name === 'memory'
        ? {
            ...projection,
            tables: projection.tables.map((table) =>
              table.name === 'facts'
                ? { ...table, columns: { ...table.columns, added: 'text' as const } }
                : table,
            ),
          }
        : projection,
    );
    const options = { url: server?.url ?? '', schema, clock: systemClock, random: systemRandom };
    const newer = new PostgresStores({ ...options, projections, version: '0.10.0' });
    onTestFinished(() => newer.close());
    expect(await newer.tables.rows('SELECT added FROM facts')).toEqual([{ added: null }]);
    await expect(older.store.commit(note('memory/a', 'two'))).rejects.toMatchObject({
      code: 'ledger.newer_schema',
    });
    await expect(open(schema).store.head()).rejects.toMatchObject({ code: 'ledger.newer_schema' });
    expect((await newer.store.head()).seq).toBe(1);
  });

  it('notifies each process of the events of all, each once', async () => {
    const schema = `oka_test_${schemas++}`;
    const [one, other] = [open(schema), open(schema)];
    const seen: number[] = [];
    const all = new Promise<void>((resolve) => {
      one.store.subscribe((events) => {
        seen.push(...events.map(({ seq }) => seq));
        if (seen.length >= 21) resolve();
      });
    });
    await one.store.commit(note('memory/a', 'first'));
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? one : other).store.commit(note(`memory/${i % 2}`, `${i}`)),
      ),
    );
    await all;
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
  });

  it('waits while the server is unreachable, and stores every commit exactly once', async () => {
    const stores = open();
    const texts = Array.from({ length: 200 }, (_, i) => `text ${i}`);
    await stores.store.commit(note('memory/a', 'first'));
    const commits = texts.map(async (text, i) => {
      for (let turn = 0; turn < i; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return stores.store.commit(note('memory/a', text));
    });
    await commits[20];
    await server?.stop();
    await server?.start();
    await Promise.all(commits);
    expect([...(await factsOf(stores))].sort()).toEqual(['first', ...texts].sort());
    const { archive } = openSqlite();
    await copyRecords(stores.archive, copyableRecords(archive));
    expect(archive.verify().faults).toEqual([]);
  });
});
