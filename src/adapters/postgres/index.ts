export type { ServerCheck } from './check-server.ts';
export { type LedgerSnapshot, type PostgresLocation, PostgresStores } from './open-postgres.ts';
