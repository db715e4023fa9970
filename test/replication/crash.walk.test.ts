import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/index.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { findPostgres, NO_POSTGRES, TestPostgres } from '../support/postgres.ts';
import { ReplicatedWorkspace } from './replicated-workspace.ts';

let worker = '';
let postgres: TestPostgres;

function ship(workspace: string, schema: string, where: string, count: number) {
  const args = [worker, workspace, postgres.url, schema, where, String(count)];
  const done = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (done.signal === 'SIGKILL') return undefined;
  if (done.status !== 0) throw new Error(done.stderr);
  return JSON.parse(done.stdout) as { cursor: number; statements: number };
}

async function countIn(schema: string): Promise<{ events: number; places: number; facts: number }> {
  const client = new Client(postgres.url);
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM ${schema}.events) AS events,
              (SELECT count(DISTINCT (stream, idx))::int FROM ${schema}.events) AS places,
              (SELECT count(*)::int FROM ${schema}.facts) AS facts`,
    );
    return rows[0] as { events: number; places: number; facts: number };
  } finally {
    await client.end();
  }
}

/** A ledger that takes several batches, with facts and an erasure in it. */
async function prepare(schema: string): Promise<{ place: ReplicatedWorkspace; head: number }> {
  const place = new ReplicatedWorkspace({
    clock: systemClock,
    replication: { postgres: { urlSecret: 'replica', schema } },
    secrets: { replica: postgres.url },
  });
  const { fact } = await place.memory.addFact({ text: 'soon forgotten', by: 'test' });
  await place.memory.addFact({ text: 'never forgotten', by: 'test' });
  await place.fill(600);
  await place.memory.deleteFact(fact.id, 'test');
  return { place, head: (await place.ledger.store.head()).seq };
}

describe.skipIf(findPostgres() === undefined)(
  `a replication worker that is killed (${NO_POSTGRES}, if it is)`,
  () => {
    beforeAll(async () => {
      postgres = await TestPostgres.create();
      worker = await bundleWorker(join(import.meta.dirname, 'crash-worker.ts'), { whole: true });
    });
    afterAll(() => postgres?.remove());

    it('at any statement loses nothing and doubles nothing', async () => {
      const { place, head } = await prepare('whole');
      const whole = ship(place.workspace, 'whole', 'never', 0);
      expect(whole?.cursor).toBe(head);
      const points = ['before', 'after'].flatMap((where) =>
        Array.from({ length: whole?.statements ?? 0 }, (_, i) => ({ where, count: i + 1 })),
      );
      for (const [i, { where, count }] of points.entries()) {
        const schema = `killed_${i}`;
        expect(ship(place.workspace, schema, where, count), `${where} ${count}`).toBeUndefined();
        expect(ship(place.workspace, schema, 'never', 0)?.cursor, `${where} ${count}`).toBe(head);
        expect(await countIn(schema), `${where} ${count}`).toEqual({ events: head, places: head, facts: 1 });
      }
      expect(await place.replication.verify()).toMatchObject({ ok: true, behind: 0, faults: [] });
    });
  },
);
