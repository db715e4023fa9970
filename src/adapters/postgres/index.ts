export { type LedgerSnapshot, type PostgresLocation, PostgresStores } from './open-postgres.ts';
