export { PostgresConnection } from './connection.ts';
export { type LedgerSnapshot, type PostgresLocation, PostgresStores } from './open-postgres.ts';
