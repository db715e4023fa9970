import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PostgresSink } from '../../src/adapters/replication/index.ts';
import { Outbox } from '../../src/ledger/index.ts';
import { replicaSinkConformance } from '../../src/ledger/replication/replica-sink.conformance.ts';
import { NOTES, note, TestLedger } from '../../src/ledger/replication/replication-kit.conformance.ts';
import { startReplication } from '../../src/runtime/replication/replication.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { findPostgres, NO_POSTGRES, TestPostgres } from '../support/postgres.ts';
import { ReplicatedWorkspace } from './replicated-workspace.ts';

const { signal } = new AbortController();
const SECRET = 'replica';
let postgres: TestPostgres;
let schemas = 0;

async function query<T extends object>(sql: string): Promise<T[]> {
  const client = new Client(postgres.url);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

function openSink(schema = 'conformance', projections = [NOTES]): PostgresSink {
  const sink = new PostgresSink({ url: postgres.url, schema, projections });
  onTestFinished(() => sink.close());
  return sink;
}

/** A workspace whose ledger goes to a schema of its own. */
function replicated(options: Partial<ConstructorParameters<typeof ReplicatedWorkspace>[0]> = {}) {
  schemas += 1;
  const schema = `s${schemas}`;
  const workspace = new ReplicatedWorkspace({
    replication: { postgres: { urlSecret: SECRET, schema } },
    secrets: { [SECRET]: postgres.url },
    ...options,
  });
  return { workspace, schema };
}

describe.skipIf(findPostgres() === undefined)(`replication to PostgreSQL (${NO_POSTGRES}, if it is)`, () => {
  beforeAll(async () => {
    postgres = await TestPostgres.create();
  });
  afterAll(() => postgres?.remove());

  replicaSinkConformance('PostgreSQL', () => openSink());

  it('creates its schema and tables once, also when many processes start at the same time', async () => {
    const sinks = Array.from({ length: 4 }, () => openSink('at_once'));
    await Promise.all(sinks.map((sink) => sink.position('w', signal)));
    const tables = await query<{ table_name: string }>(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'at_once' ORDER BY 1`,
    );
    expect(tables.map(({ table_name }) => table_name)).toEqual(['events', 'heads', 'notes']);
  });

  it('ships every event and the memory as rows, and erases there what is erased here', async () => {
    const { workspace, schema } = replicated();
    const { fact } = await workspace.memory.addFact({ text: 'Ada prefers \u0000 tea', by: 'test' });
    await workspace.memory.addFact({ text: 'Berta prefers coffee', by: 'test' });
    await workspace.memory.recordEpisodes([{ text: 'they met in Bern', conversation: 'c' }], 'test');
    await workspace.replication.once();
    expect(await query(`SELECT text FROM ${schema}.facts ORDER BY text`)).toEqual([
      { text: 'Ada prefers \uFFFD tea' },
      { text: 'Berta prefers coffee' },
    ]);
    await workspace.memory.deleteFact(fact.id, 'test');
    await workspace.replication.once();
    expect(await query(`SELECT text FROM ${schema}.facts`)).toEqual([{ text: 'Berta prefers coffee' }]);
    expect(await query(`SELECT text FROM ${schema}.episodes`)).toEqual([{ text: 'they met in Bern' }]);
    const kept = JSON.stringify(await query(`SELECT * FROM ${schema}.events`));
    expect(kept).toContain('Berta');
    expect(kept).not.toContain('Ada');
    expect(await workspace.replication.verify()).toMatchObject({
      ok: true,
      behind: 0,
      chainWalked: true,
      faults: [],
      sink: { rows: { facts: 1, episodes: 1 } },
    });
  });

  it('recreates a table of an earlier version that had another key', async () => {
    const { workspace, schema } = replicated();
    await query(
      `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.facts (workspace text, id text, text text, PRIMARY KEY (workspace, id))`,
    );
    const text = 'a long row of beds '.repeat(400).trim();
    await workspace.memory.addFact({ text, by: 'test' });
    await workspace.replication.once();
    const parts = await query<{ part: string }>(`SELECT part FROM ${schema}.facts ORDER BY part`);
    expect(parts.length).toBeGreaterThan(1);
    await workspace.replication.once();
    expect(await query(`SELECT part FROM ${schema}.facts ORDER BY part`)).toEqual(parts);
  });

  it('catches up without a gap after it was down for a whole long run', async () => {
    const clock = new ManualClock();
    const { workspace, schema } = replicated({ clock });
    await postgres.stop();
    onTestFinished(() => postgres.start());
    const troubles: string[] = [];
    const worker = await startReplication(workspace.bench, { onWarning: (what) => troubles.push(what) });
    for (let steps = 0; steps < 1_000 || troubles.length === 0; steps += 100) {
      if (steps < 1_000) await workspace.fill(100);
      clock.advance(60_000);
      await settle();
    }
    const status = await workspace.replication.status();
    expect(status).toMatchObject({
      reached: false,
      head: 1_000,
      lastError: { code: 'replication.unreachable' },
    });
    expect(JSON.stringify([status, troubles])).not.toContain('oka@');
    await postgres.start();
    while ((await workspace.replication.status()).cursor !== 1_000) {
      clock.advance(300_000);
      await settle();
    }
    await worker?.stop();
    expect(await workspace.replication.verify()).toMatchObject({ ok: true, behind: 0, faults: [] });
    const [count] = await query<{ n: string }>(
      `SELECT count(DISTINCT (stream, idx)) AS n FROM ${schema}.events`,
    );
    expect(count?.n).toBe('1000');
    expect(await workspace.replication.status()).toMatchObject({
      lag: { events: 0, ms: 0 },
      reached: true,
      failures: 0,
    });
  });

  it('stores each event once when two workers ship the same ledger to it', async () => {
    const ledger = new TestLedger(7);
    await ledger.fill(300);
    const workers = [1, 2, 3].map(() => {
      const limits = { events: 10, bytes: 100_000 };
      return new Outbox({ source: ledger, sink: openSink('together'), limits }).shipAll(signal);
    });
    for (const { position } of await Promise.all(workers)) expect(position).toEqual(await ledger.head());
    expect(await query(`SELECT count(*)::int AS n FROM together.events`)).toEqual([{ n: 300 }]);
  });

  it('lets one process ship a workspace at a time', async () => {
    const { workspace } = replicated();
    await workspace.fill(10);
    const other = '1@elsewhere#0';
    await workspace.ledger.leases.acquire('replication', other, workspace.bench.clock.now() + 60_000);
    await expect(workspace.replication.once()).rejects.toMatchObject({ code: 'replication.busy' });
    expect(await workspace.replication.status()).toMatchObject({ worker: { pid: 1 }, cursor: 0 });
    await workspace.ledger.leases.release('replication', other);
    expect(await workspace.replication.once()).toMatchObject({ events: 10, cursor: 10 });
  });

  it('detects a row that was changed at the sink', async () => {
    const { workspace, schema } = replicated();
    await workspace.fill(30);
    await workspace.replication.once();
    await query(`UPDATE ${schema}.events SET actor = 'mallory' WHERE seq = 7`);
    const { ok, faults } = await workspace.replication.verify();
    expect(ok).toBe(false);
    expect(faults.map(({ where }) => where).join()).toContain('seq 7 ');
    await query(`DELETE FROM ${schema}.events WHERE seq = 7`);
    expect((await workspace.replication.verify()).faults).toContainEqual({
      where: 'places',
      what: 'the sink has 29, the ledger has 30',
    });
  });

  it('refolds the tables when another version of Oka had folded them differently', async () => {
    const ledger = new TestLedger(11);
    const older = { ...NOTES, types: new Set(['note.dropped']) };
    await ledger.append('notes', note('1', 'one'), note('2', 'two'));
    await new Outbox({ source: ledger, sink: openSink('versions', [older]) }).shipAll(signal);
    expect(await query('SELECT id FROM versions.notes')).toEqual([]);
    await ledger.append('notes', note('3', 'three'));
    await new Outbox({ source: ledger, sink: openSink('versions') }).shipAll(signal);
    expect(await query('SELECT id FROM versions.notes ORDER BY id')).toEqual([
      { id: '1' },
      { id: '2' },
      { id: '3' },
    ]);
  });

  it('reports what is wrong with a connection string, and never the string', async () => {
    const password = 'correct-horse-battery';
    const refused = [
      ['not a url', 'replication.invalid'],
      [`mysql://oka:${password}@127.0.0.1/x`, 'replication.invalid'],
      [
        postgres.url.replace('oka@', `oka:${password}@`).replace('/postgres', '/nowhere'),
        'replication.refused',
      ],
    ] as const;
    for (const [url, code] of refused) {
      const { workspace } = replicated({ secrets: { [SECRET]: url } });
      await workspace.fill(1);
      const error = await workspace.replication.once().catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code });
      const { message, stack, cause } = error as Error;
      const told = JSON.stringify([message, stack, cause, await workspace.replication.status()]);
      expect(told).not.toContain(password);
    }
    const { workspace } = replicated({ secrets: {} });
    await expect(workspace.replication.once()).rejects.toMatchObject({ code: 'replication.invalid' });
    expect(workspace.uses).toEqual(['replica replication']);
  });
});
