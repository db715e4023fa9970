import { afterAll, beforeAll, describe, it } from 'vitest';
import { findPostgres, NO_POSTGRES, TestPostgres } from '../support/postgres.ts';
import { expectRollbacksFound } from './server-ledgers.ts';

let server: TestPostgres;

const hasPostgres = findPostgres() !== undefined;
describe.skipIf(!hasPostgres)(`a ledger on PostgreSQL${hasPostgres ? '' : `, ${NO_POSTGRES}`}`, () => {
  beforeAll(async () => {
    server = await TestPostgres.create();
  });
  afterAll(() => server.remove());

  it.each([1, 2, 3, 4, 5])(
    'that went back by 1 to 500 events, 10 times, is found each time by each client that knew a newer head (part %i of 5)',
    async (part) => {
      await expectRollbacksFound(server, { times: 10, events: 500, seed: part });
    },
  );
});
