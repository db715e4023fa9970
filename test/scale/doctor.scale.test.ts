import pg from 'pg';
import { expect, it } from 'vitest';
import { onClusters, type ScaleWorld } from './scale-world.ts';
import { TestWorkspace } from './test-workspace.ts';

/** The checks of a doctor of its own, by name. Closed after `restore`, because closing may need the servers. */
async function examine(world: ScaleWorld, restore: () => unknown = () => undefined) {
  const { oka } = new TestWorkspace(world);
  try {
    const { ok, checks } = await oka.doctor({ models: false });
    return { ok, ...Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) };
  } finally {
    await restore();
    await oka.close();
  }
}

/** Runs statements in the schema of the workspace. */
async function change(world: ScaleWorld, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(world.postgres?.url);
  await client.connect();
  try {
    await client.query('SET default_transaction_read_only = off');
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function schemaOf({ postgres }: ScaleWorld): Promise<string> {
  const client = new pg.Client(postgres?.url);
  await client.connect();
  const { rows } = await client.query(
    "SELECT table_schema AS name FROM information_schema.tables WHERE table_name = 'ledger_state'",
  );
  await client.end();
  return String(rows[0]?.name);
}

onClusters((world) => {
  it('finds the ledger on PostgreSQL and a worker of the project', async () => {
    await world().requireTwoWorkers();
    const found = () => examine(world());
    await expect.poll(found, { timeout: 30_000, interval: 1_000 }).toMatchObject({
      ok: true,
      postgres: { ok: true, detail: expect.stringMatching(/schema oka_shop_\w+, version \d+, writable$/) },
      ledger: { ok: true },
      restate: { ok: true, detail: expect.stringMatching(/^2 of \d+ workers of project shop take work/) },
    });
  });

  it('reports that the token does not belong to the project', async () => {
    await world().requireTwoWorkers();
    const token = process.env['OKA_PROJECT_TOKEN'];
    process.env['OKA_PROJECT_TOKEN'] = 'another token';
    const found = await examine(world(), () => {
      process.env['OKA_PROJECT_TOKEN'] = token;
    });
    expect(found).toMatchObject({
      ok: false,
      restate: { ok: false, code: 'cluster.forbidden', detail: expect.stringContaining('OKA_PROJECT_TOKEN') },
    });
  });

  it('reports that no worker answers', async () => {
    for (const worker of [...world().workers]) await world().stopWorker(worker);
    expect(await examine(world())).toMatchObject({
      ok: false,
      restate: { ok: false, code: 'cluster.no_worker', detail: expect.stringContaining('oka worker') },
    });
    await world().requireTwoWorkers();
  });

  it('reports that Restate is unreachable', async () => {
    const [node] = world().restate?.nodes ?? [];
    await node?.kill();
    const found = await examine(world(), () => node?.start());
    expect(found).toMatchObject({ ok: false, restate: { ok: false, code: 'cluster.unreachable' } });
  });

  it('reports that PostgreSQL is unreachable', async () => {
    await world().postgres?.stop();
    const found = await examine(world(), () => world().postgres?.start());
    expect(found).toMatchObject({ ok: false, ledger: { ok: false, code: 'ledger.unavailable' } });
    expect(found).not.toHaveProperty('postgres');
  });

  it('reports that PostgreSQL accepts no writes', async () => {
    await change(world(), 'ALTER DATABASE postgres SET default_transaction_read_only = on');
    const found = await examine(world(), () =>
      change(world(), 'ALTER DATABASE postgres RESET default_transaction_read_only'),
    );
    expect(found).toMatchObject({ ok: false, ledger: { ok: false, code: 'ledger.read_only' } });
  });

  it('reports that a newer Oka has changed the schema', async () => {
    const schema = await schemaOf(world());
    await change(world(), `INSERT INTO ${schema}.migrations VALUES (99, 'of a newer Oka', 0)`);
    const found = await examine(world(), () =>
      change(world(), `DELETE FROM ${schema}.migrations WHERE version = 99`),
    );
    expect(found).toMatchObject({ ok: false, ledger: { ok: false, code: 'ledger.newer_schema' } });
  });
});
