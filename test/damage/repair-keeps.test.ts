import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FACTS = 40;

async function withFacts() {
  const places = { workspace: tempFolder(), home: join(tempFolder(), 'home') };
  const use = async <T>(work: (oka: Oka) => Promise<T>): Promise<T> => {
    const oka = new Oka(places);
    try {
      return await work(oka);
    } finally {
      await oka.close();
    }
  };
  await use(async (oka) => {
    await oka.init({ trust: true });
    for (let i = 0; i < FACTS; i++) await oka.memory.addFact({ text: `Fact ${i}`, by: 'test' });
  });
  const files = join(places.workspace, '.oka');
  return {
    use,
    facts: () => use(async (oka) => (await oka.memory.listFacts({ limit: 100 })).map(({ text }) => text)),
    /** Changes the only copy of the ledger. */
    damage: (sql: string) => {
      rmSync(join(files, 'run_ledger.jsonl'));
      const database = new DatabaseSync(join(files, 'oka.db'));
      database.exec(sql);
      database.close();
    },
  };
}

const random = seededRandom(9);
const seq = (): number => 5 + Math.floor(random.next() * (FACTS - 10));

it.each([
  [
    'a flipped bit in its content',
    `UPDATE events SET body = replace(body, 'Fact', 'Gact') WHERE seq = ${seq()}`,
    1,
  ],
  ['a flipped bit in its data', `UPDATE events SET at = at + 1 WHERE seq = ${seq()}`, 1],
  [
    'a flipped bit in its chain value',
    `UPDATE events SET chain = replace(chain, 'a', 'b') WHERE seq = ${seq()}`,
    0,
  ],
  ['its row deleted', `DELETE FROM events WHERE seq = ${seq()}`, 2],
])('a repair that accepts the loss keeps what follows an event with %s', async (_, sql, lost) => {
  const place = await withFacts();
  place.damage(sql);
  const repair = (acceptLoss: boolean) => place.use((oka) => oka.ledger.repair({ by: 'test', acceptLoss }));
  const verify = () => place.use((oka) => oka.ledger.verify({ full: true }));
  expect(await verify()).toMatchObject({ ok: false });
  if (lost > 0) expect(await repair(false)).toMatchObject({ ok: false });
  expect(await repair(true)).toMatchObject({ ok: true });
  expect(await place.facts()).toHaveLength(FACTS - lost);
  expect(await verify()).toMatchObject({ ok: true, faults: [] });
  await place.use((oka) => oka.memory.addFact({ text: 'One more', by: 'test' }));
  expect(await verify()).toMatchObject({ ok: true, mirrorEqual: true });
});
