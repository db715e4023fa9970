import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, NO_POSTGRES, TestPostgres } from '../support/postgres.ts';
import { expectRollbacksFound, writtenLedger } from './server-ledgers.ts';

let server: TestPostgres;

const hasPostgres = findPostgres() !== undefined;
describe.skipIf(!hasPostgres)(`a ledger on PostgreSQL${hasPostgres ? '' : `, ${NO_POSTGRES}`}`, () => {
  beforeAll(async () => {
    server = await TestPostgres.create();
  });
  afterAll(() => server.remove());

  it('that went back is found by verify, by doctor, by reading and before the next write', async () => {
    const { ledger, client } = await writtenLedger(server, 3);
    await client.addFacts(2, 'ship');
    await ledger.goBack(2);
    const last = await ledger.head();
    expect(await client.refusal()).toBe('ledger.older_than_signed');
    const answer = await client.verify();
    expect(answer).toMatchObject({
      ok: false,
      faults: [
        {
          where: 'signed head',
          what: expect.stringMatching(
            /ends at event \d+, but event \d+ was signed at .*: 2 newer events are missing/,
          ),
        },
      ],
      repair: 'oka ledger repair',
    });
    const { checks } = await client.with((oka) => oka.doctor({ models: false }));
    expect(checks.find(({ name }) => name === 'ledger')).toMatchObject({ ok: false });
    client.warnings.length = 0;
    expect(await client.facts()).toHaveLength(3);
    expect(client.warnings).toEqual([expect.stringContaining('2 newer events are missing. To bring')]);
    expect(await ledger.head()).toBe(last);
  });

  it.each([1, 2, 3, 4, 5])(
    'that went back by any number of events is found by the next command of each client that knew a newer head (seed %i)',
    async (seed) => {
      await expectRollbacksFound(server, { times: 1, events: 20, seed });
    },
  );

  it('gets its missing events back from the copy of a client', async () => {
    const { ledger, client } = await writtenLedger(server, 20);
    const before = await client.verify();
    await ledger.goBack(15);
    expect(await client.repair()).toMatchObject({
      ok: true,
      repaired: ['Restored 15 events that the server lacked from the copy on this machine.'],
    });
    expect(await client.verify()).toMatchObject({ ok: true, head: before.head });
    expect(await client.facts()).toHaveLength(20);
    expect(await client.refusal()).toBeUndefined();
  });
});
