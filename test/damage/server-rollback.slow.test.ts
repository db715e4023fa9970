import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { findPostgres, NO_POSTGRES, TestPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writtenLedger } from './server-ledgers.ts';

let server: TestPostgres;

const hasPostgres = findPostgres() !== undefined;
describe.skipIf(!hasPostgres)(`a ledger on PostgreSQL${hasPostgres ? '' : `, ${NO_POSTGRES}`}`, () => {
  beforeAll(async () => {
    server = await TestPostgres.create();
  });
  afterAll(() => server.remove());

  it('that is empty or was created again is found', async () => {
    const { ledger, client } = await writtenLedger(server, 3);
    await ledger.query(`DROP SCHEMA ${ledger.schema} CASCADE`);
    expect(await client.verify()).toMatchObject({ ok: false, events: 0 });
    expect(await client.refusal()).toBe('ledger.older_than_signed');
  });

  it('that went back and was written by others is refused as rewritten, and is not changed by a repair', async () => {
    const { ledger, client } = await writtenLedger(server, 3);
    await ledger.goBack(2);
    const stranger = ledger.client();
    await stranger.init();
    await stranger.addFacts(4, 'raft');
    const last = await ledger.head();
    expect(await client.refusal()).toBe('ledger.rewritten');
    expect(await client.repair()).toMatchObject({ ok: false, repaired: [] });
    expect(await ledger.head()).toBe(last);
    const accepted = await client.repair({ acceptHead: true });
    expect(accepted).toMatchObject({ ok: true, kept: [expect.stringContaining('before-repair')] });
    expect(await client.refusal()).toBeUndefined();
  });

  it('whose missing events are in no copy goes on only after a person accepts it', async () => {
    const { ledger, client } = await writtenLedger(server, 5);
    await ledger.goBack(3);
    rmSync(join(client.home, 'ledger-copies'), { recursive: true });
    const answer = await client.repair();
    expect(answer).toMatchObject({
      ok: false,
      repaired: [],
      next: [expect.anything(), 'oka ledger repair --accept-head'],
    });
    expect(answer.faults[0]?.what).toContain('3 newer events are missing');
    expect(await client.repair({ acceptHead: true })).toMatchObject({ ok: true });
    expect(await client.refusal()).toBeUndefined();
    expect(await client.verify()).toMatchObject({ ok: true });
  });

  it('is compared at another address with the heads that were signed before', async () => {
    const { ledger, client } = await writtenLedger(server, 5);
    await ledger.goBack(2);
    client.use({ url: server.url.replace('127.0.0.1', 'localhost'), schema: ledger.schema });
    expect(await client.refusal()).toBe('ledger.older_than_signed');
  });

  it('is compared with the heads in a second folder by a client that knows none', async () => {
    const heads = join(tempFolder(), 'heads');
    mkdirSync(heads);
    const { ledger } = await writtenLedger(server, 5, { heads });
    await ledger.goBack(2);
    const other = ledger.client({ heads });
    await expect(other.init()).rejects.toMatchObject({ code: 'ledger.older_than_signed' });
    expect(await other.refusal()).toBe('ledger.older_than_signed');
    expect(await other.verify()).toMatchObject({ ok: false });
    expect(await other.repair({ acceptHead: true })).toMatchObject({ ok: true });
    rmSync(heads, { recursive: true });
    expect(await other.verify()).toMatchObject({ ok: true, notes: [expect.stringContaining(heads)] });
  });

  it('that goes back under a process that has it open gets no event of that process', async () => {
    const { ledger, client } = await writtenLedger(server, 5);
    const oka = new Oka({ workspace: client.workspace, home: client.home });
    try {
      await oka.memory.addFact({ text: 'before', by: 'test' });
      await oka.memory.searchFacts({ query: 'before', limit: 1 });
      await ledger.goBack(3);
      const last = await ledger.head();
      for (let i = 0; i < 2; i++)
        await expect(oka.memory.addFact({ text: 'after', by: 'test' })).rejects.toMatchObject({
          code: 'ledger.older_than_signed',
        });
      expect(await ledger.head()).toBe(last);
    } finally {
      await oka.close();
    }
    expect(await client.repair()).toMatchObject({
      ok: true,
      repaired: [expect.stringContaining('Restored')],
    });
  });
});
