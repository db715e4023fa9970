import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { PostgresStores } from '../../src/adapters/postgres/index.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import type { Commit } from '../../src/ledger/index.ts';
import { PROJECTIONS } from '../../src/runtime/services/extensions.ts';
import { findPostgres, TestPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { describeWithPostgres } from './describe-with-postgres.ts';

const server = findPostgres() === undefined ? undefined : await TestPostgres.create();
let schemas = 0;

afterAll(() => server?.remove());

function open(patienceMs = 60_000, url = server?.url ?? ''): { stores: PostgresStores; warnings: string[] } {
  const warnings: string[] = [];
  const stores = new PostgresStores({
    ...{ url, schema: `oka_fault_${schemas++}`, clock: systemClock, random: systemRandom },
    ...{ projections: PROJECTIONS, version: '0.2.0', patienceMs, onWarning: (what) => warnings.push(what) },
  });
  onTestFinished(() => stores.close());
  return { stores, warnings };
}

const note = (text: string): Commit => ({
  actor: 'test',
  sync: 'full',
  appends: [{ stream: 'memory/a', events: [{ type: 'thing.happened', data: {}, body: { text } }] }],
});

async function admin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(server?.url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A way to the server whose connections can be broken on the side of the client only, as by a lost network. */
async function halfOpenProxy(target: URL): Promise<{ url: string; cut: () => void }> {
  const clients = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    clients.add(client);
    client.on('data', (data) => upstream.write(data));
    upstream.on('data', (data) => client.write(data));
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    upstream.on('close', () => client.destroy());
    onTestFinished(() => void upstream.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const url = new URL(target);
  url.port = String((proxy.address() as AddressInfo).port);
  const cut = (): void => {
    for (const client of clients) client.destroy();
    clients.clear();
  };
  return { url: url.toString(), cut };
}

/** Leaves no space on the disk of this file. */
function fillUp(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(4_096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** Commits until Oka has said that it waits: a setting of the server takes effect a little later. */
async function commitUntilWarned(
  { store }: PostgresStores,
  warnings: readonly string[],
  text = 'more',
): Promise<readonly Promise<unknown>[]> {
  const commits: Promise<unknown>[] = [];
  while (warnings.length === 0) {
    commits.push(store.commit(note(text)));
    await Promise.race([commits.at(-1), sleep(20)]);
  }
  return commits;
}

describeWithPostgres('PostgreSQL', () => {
  it('that is read-only for a while delays commits, which are stored once', async () => {
    const { stores, warnings } = open();
    await stores.store.commit(note('first'));
    const change = (value: string) =>
      admin(async (client) => {
        await client.query('SET default_transaction_read_only = off');
        await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
        await client.query('SELECT pg_reload_conf()');
      });
    await change('on');
    onTestFinished(() => change('off'));
    const commits = await commitUntilWarned(stores, warnings);
    expect(warnings[0]).toMatch(/read-only.*Connect to the primary server.*Oka waits for it\./);
    await change('off');
    await Promise.all(commits);
    expect(await stores.store.read('memory/a')).toHaveLength(commits.length + 1);
  });

  it('that stays read-only ends commits with an error that names the next step', async () => {
    const { stores } = open(300);
    await stores.store.commit(note('first'));
    await admin((client) => client.query('ALTER ROLE oka SET default_transaction_read_only = on'));
    const again = () =>
      admin(async (client) => {
        await client.query('SET default_transaction_read_only = off');
        await client.query('ALTER ROLE oka RESET default_transaction_read_only');
      });
    onTestFinished(again);
    const { stores: later } = open(300);
    await expect(later.store.commit(note('second'))).rejects.toMatchObject({
      code: 'ledger.read_only',
      transient: true,
    });
  });

  it('that is slow delays commits, which share the next transaction', async () => {
    const { stores } = open();
    await stores.store.commit(note('first'));
    const [row] = (await stores.tables.rows('SELECT current_schema() AS schema')) as unknown as [
      { schema: string },
    ];
    const commits = await admin(async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [row.schema]);
      const waiting = Array.from({ length: 50 }, (_, i) => stores.store.commit(note(`${i}`)));
      await client.query('SELECT pg_sleep(1)');
      await client.query('COMMIT');
      return waiting;
    });
    await Promise.all(commits);
    expect(await stores.store.read('memory/a')).toHaveLength(51);
  });

  it('that stores a commit after the connection broke stores it once', async () => {
    const { url, cut } = await halfOpenProxy(new URL(server?.url ?? ''));
    const { stores } = open(60_000, url);
    await stores.store.commit(note('first'));
    const [row] = (await stores.tables.rows('SELECT current_schema() AS schema')) as unknown as [
      { schema: string },
    ];
    const commit = await admin(async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [row.schema]);
      const waiting = stores.store.commit(note('second'));
      const blocked = "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event = 'advisory'";
      while ((await client.query(blocked)).rows[0].n === '0') await client.query('SELECT pg_sleep(0.01)');
      cut();
      await client.query('SELECT pg_sleep(0.5)');
      await client.query('COMMIT');
      return waiting;
    });
    expect(commit).toHaveLength(1);
    expect(await stores.store.read('memory/a')).toHaveLength(2);
  });

  it('that is unreachable causes one warning, and one message when it answers again', async () => {
    const { stores, warnings } = open();
    await stores.store.commit(note('first'));
    await server?.stop();
    const commits = await commitUntilWarned(stores, warnings);
    await server?.start();
    await Promise.all(commits);
    expect(await stores.store.read('memory/a')).toHaveLength(commits.length + 1);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(/is not reachable: .* Oka waits for it\.$/);
    expect(warnings[1]).toMatch(/answers again\.$/);
    expect(warnings.join()).not.toContain('oka@');
  });

  it('whose disk is full delays commits until there is space', async ({ skip }) => {
    const root = tempFolder();
    // PostgreSQL runs as another user and has to reach its data.
    chmodSync(root, 0o711);
    const folder = join(root, 'small');
    mkdirSync(folder);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'pipe' });
    } catch {
      return skip('a small disk cannot be mounted here');
    }
    onTestFinished(() => void execFileSync('umount', ['-l', folder]));
    chownSync(folder, 65_534, 65_534);
    const place = join(folder, 'space');
    mkdirSync(place);
    chownSync(place, 65_534, 65_534);
    await admin((client) => client.query(`CREATE TABLESPACE small LOCATION '${place}'`));
    const { stores, warnings } = open();
    await stores.store.commit(note('first'));
    const [row] = (await stores.tables.rows('SELECT current_schema() AS schema')) as unknown as [
      { schema: string },
    ];
    await admin((client) => client.query(`ALTER TABLE ${row.schema}.events SET TABLESPACE small`));
    const filler = join(folder, 'filler');
    fillUp(filler);
    const text = Array.from({ length: 200 }, () => systemRandom.hex(32)).join('');
    const commits = await commitUntilWarned(stores, warnings, text);
    expect(warnings[0]).toMatch(/The disk of PostgreSQL .* is full/);
    writeFileSync(filler, '');
    await Promise.all(commits);
    expect(await stores.store.read('memory/a')).toHaveLength(commits.length + 1);
    await admin((client) => client.query(`DROP SCHEMA ${row.schema} CASCADE`));
    await admin((client) => client.query('DROP TABLESPACE small'));
  });
});
