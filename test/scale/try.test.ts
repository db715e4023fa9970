import { afterAll } from 'vitest';
import { FoldedTables, PostgresConnection, PostgresEventStore, prepareSchema } from '../../src/adapters/postgres/index.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import { eventStoreConformance } from '../../src/ledger/event-store.conformance.ts';
import { PROJECTIONS } from '../../src/runtime/services/extensions.ts';
import { TestPostgres } from '../support/postgres.ts';

const server = await TestPostgres.create();
const opened: PostgresConnection[] = [];
let count = 0;
afterAll(async () => {
  for (const one of opened) await one.close();
  await server.remove();
});

eventStoreConformance('PostgresEventStore', () => {
  const connection = new PostgresConnection({ url: server.url, schema: `t${count++}`, clock: systemClock });
  opened.push(connection);
  const tables = new FoldedTables(PROJECTIONS);
  let done: Promise<void> | undefined;
  const ready = () => (done ??= prepareSchema({ connection, tables, version: '0.2.0', now: () => Date.now() }));
  return new PostgresEventStore({ connection, tables, ready, clock: systemClock, random: systemRandom });
});
