export { PostgresConnection } from './connection.ts';
export { PostgresEventStore } from './event-store.ts';
export { FoldedTables } from './folded-tables.ts';
export { prepareSchema } from './ledger-schema.ts';
export { PostgresTables } from './postgres-tables.ts';
