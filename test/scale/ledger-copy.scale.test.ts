import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { EventDraft } from '../../src/ledger/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { findPostgres, TestPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { describeWithPostgres } from './describe-with-postgres.ts';

const COMMITS = 1_000;
const IN_A_COMMIT = 100;

const server = findPostgres() === undefined ? undefined : await TestPostgres.create();

afterAll(() => server?.remove());

function eventAt(i: number): EventDraft {
  if (i % 4 !== 0) return { type: 'thing.happened', data: { i }, body: { text: `something happened ${i}` } };
  const data = { id: `fact ${i}`, at: i, importance: (i % 5) + 1, confidence: 1 };
  return { type: 'fact.added', data, body: { text: `fact ${i} of ${i % 97} ü` } };
}

/** Writes 100,000 events, a quarter of them facts, into 200 streams. */
async function fill(workspace: string): Promise<void> {
  const ledger = openTestLedger(workspace);
  await ledger.startWriting();
  for (let commit = 0; commit < COMMITS; commit += 1) {
    const events = Array.from({ length: IN_A_COMMIT }, (_, i) => eventAt(commit * IN_A_COMMIT + i));
    await ledger.store.commit({
      actor: 'test',
      sync: 'normal',
      appends: [{ stream: `memory/${commit % 200}`, events }],
    });
  }
  await ledger.close();
}

describeWithPostgres('a ledger on PostgreSQL', () => {
  it('is copied there and back with 100,000 events: equal heads, equal tables', async () => {
    const home = join(tempFolder(), 'home');
    const [from, to] = [tempFolder(), tempFolder()];
    const [first, second] = [new Oka({ workspace: from, home }), new Oka({ workspace: to, home })];
    await first.init({ trust: true });
    await second.init({ trust: true });
    await fill(from);
    const url = `${server?.url}?schema=copied`;
    const there = await first.ledger.copy({ from: 'workspace', to: url });
    const back = await second.ledger.copy({ from: url, to: 'workspace' });
    expect(there.events).toBeGreaterThanOrEqual(COMMITS * IN_A_COMMIT);
    expect(back.head).toEqual(there.head);
    expect(back.tables).toEqual(there.tables);
    expect(await second.ledger.verify({ full: true })).toMatchObject({ ok: true, head: there.head });
    // What is written after the copy is copied alone.
    await first.memory.addFact({ text: 'a later fact', by: 'me' } as never);
    await first.close();
    expect((await first.ledger.copy({ from: 'workspace', to: url })).events).toBeLessThan(10);
    await first.close();
    await second.close();
  });
});
