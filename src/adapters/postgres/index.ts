export { PostgresConnection } from './connection.ts';
export { type PostgresLocation, PostgresStores } from './open-postgres.ts';
